/** Registering, listing and deleting rooms. */
import { describe, expect, test } from 'bun:test';
import { dialects } from '../support/databases.ts';
import { sharedWorld } from '../support/world.ts';

interface Listed {
  rooms: {
    room_id: string;
    title: string;
    message_count: number;
    spend: number;
    created_at: number;
    last_used_at: number;
  }[];
}

const id32 = () => crypto.randomUUID().replaceAll('-', '');

for (const dialect of dialects) {
  describe(`${dialect}: rooms`, () => {
    const world = sharedWorld(dialect);
    const register = async (token: string, room_id: unknown) => {
      const { status, body } = await world().gateway.post('/ai/room/', { room_id }, { token });
      return status === 200
        ? (body.data as { room_id: string }).room_id
        : `${status} ${body.error?.code}`;
    };

    test("a free id is registered, and the caller's own returned, any number of times", async () => {
      const { token } = await world().gateway.addUser();
      const id = `Own-room_${id32()}`.slice(0, 32);
      for (let i = 0; i < 3; i++) expect(await register(token, id)).toBe(id);
      const many = await Promise.all(Array.from({ length: 10 }, () => register(token, id)));
      expect(new Set(many)).toEqual(new Set([id]));
    });

    test("another user's id is refused as taken, also when both arrive at once", async () => {
      const { gateway } = world();
      const [alice, bob] = [await gateway.addUser(), await gateway.addUser()];
      const id = await gateway.room(alice.token);
      expect(await register(bob.token, id)).toBe('409 room_taken');
      const free = id32();
      const race = await Promise.all([register(alice.token, free), register(bob.token, free)]);
      expect(race.toSorted()).toEqual(['409 room_taken', free].toSorted());
    });

    test('ids are case-sensitive', async () => {
      const { gateway } = world();
      const [alice, bob] = [await gateway.addUser(), await gateway.addUser()];
      const lower = `a${id32().slice(1)}`;
      const upper = `A${lower.slice(1)}`;
      expect(await register(alice.token, lower)).toBe(lower);
      expect(await register(bob.token, upper)).toBe(upper);
    });

    test('an id is 32 characters of 0-9, A-Z, a-z, _ and -', async () => {
      const { token } = await world().gateway.addUser();
      const bad = [
        '',
        'a',
        'a'.repeat(31),
        'a'.repeat(33),
        ' '.repeat(32),
        `${'a'.repeat(31)}.`,
        `${'a'.repeat(31)}/`,
        `${'a'.repeat(31)}ж`,
        '😀'.repeat(16),
        `${'a'.repeat(32)}\n`,
        1,
        0,
        true,
        [],
        {},
      ];
      for (const id of bad) {
        expect([id, await register(token, id)]).toEqual([id, '422 invalid_request']);
      }
    });

    test('every id that fits the pattern is free, and a standing API room is nobody else’s', async () => {
      const { gateway } = world();
      const [alice, bob] = [await gateway.addUser(), await gateway.addUser()];
      const formerApiRoom = `api-room-${String(bob.userId).padStart(23, '0')}`;
      for (const id of [
        formerApiRoom,
        '-'.repeat(32),
        '_'.repeat(32),
        `api-room-${'z'.repeat(23)}`,
      ]) {
        expect(await register(alice.token, id)).toBe(id);
      }
      const rooms = await Promise.all(
        Array.from({ length: 5 }, () => gateway.core.rooms.apiRoom(bob.userId)),
      );
      const [own = ''] = rooms;
      expect(new Set(rooms).size).toBe(1);
      expect(await register(alice.token, own)).toBe('409 room_taken');
      expect(await register(bob.token, own)).toBe(own);
      await gateway.data<object>('/ai/room/delete/', { room_id: own }, bob);
      expect(await gateway.core.rooms.apiRoom(bob.userId)).toBe(own);
    });

    test('the list is newest first, with title, count and costs, in pages', async () => {
      const { gateway, user } = world();
      const alice = await user();
      const long = `  Первое\n\tслово ${'😀'.repeat(100)}`;
      const sent = await alice.send({ message: long });
      const second = await gateway.room(alice.token);
      const again = await alice.send({ message: 'second', room_id: second });
      await alice.send({ message: 'third', room_id: second });
      const { rooms } = await gateway.data<Listed>('/ai/rooms/', {}, alice);
      expect(rooms.map(({ room_id, message_count }) => [room_id, message_count])).toEqual([
        [second, 2],
        [alice.room, 1],
      ]);
      const first = rooms[1];
      expect(first?.title).toBe(`Первое слово ${'😀'.repeat(67)}`);
      expect(first?.spend).toBe(Number((sent.cost_request + sent.cost_response).toFixed(6)));
      expect(rooms[0]?.title).toBe('second');
      expect(rooms[0]?.spend).toBeGreaterThan(again.cost_request + again.cost_response);
      for (const room of rooms) {
        expect(room.last_used_at).toBeGreaterThanOrEqual(room.created_at);
        expect(Math.abs(room.created_at - Date.now() / 1000)).toBeLessThan(600);
      }
      const page = await gateway.data<Listed>('/ai/rooms/', { limit: 1 }, alice);
      expect(page.rooms).toEqual(rooms.slice(0, 1));
      const next = { limit: 1, before: second };
      expect((await gateway.data<Listed>('/ai/rooms/', next, alice)).rooms).toEqual(rooms.slice(1));
      const foreign = await gateway.room((await gateway.addUser()).token);
      const code = await gateway.code('/ai/rooms/', { before: foreign }, alice);
      expect(code).toBe('room_not_found');
      for (const limit of [0, -1, 1001, 1.5, '1']) {
        expect(await gateway.code('/ai/rooms/', { limit }, alice)).toBe('invalid_request');
      }
    });

    test('rooms of the same time have one order: in the list, its pages and as the room used last', async () => {
      const { gateway } = world();
      const { token, userId } = await gateway.addUser();
      const ids: string[] = [];
      for (let made = 0; made < 12; made++) ids.push(await gateway.room(token));
      const { db } = gateway.core;
      const sql = 'UPDATE rooms SET last_used_at = $1, created_at = $2 WHERE room_id = $3';
      await db.transaction(async (tx) => {
        for (const [at, id] of ids.entries())
          await tx.query(sql, [1000 + (at % 2), 900 + (at % 3), id]);
      });
      const list = async (body: object) =>
        (await gateway.data<Listed>('/ai/rooms/', body, { token })).rooms.map((r) => r.room_id);
      const all = await list({});
      expect(all.toSorted()).toEqual(ids.toSorted());
      const places = all.map((id) => ids.indexOf(id)).map((at) => [at % 2, at % 3].join());
      expect(places).toEqual(
        ['1,2', '1,1', '1,0', '0,2', '0,1', '0,0'].flatMap((place) => [place, place]),
      );
      const pages: string[] = [];
      for (let page = await list({ limit: 5 }); page.length > 0;) {
        pages.push(...page);
        page = await list({ limit: 5, before: page.at(-1) });
      }
      expect(pages).toEqual(all);
      expect((await gateway.core.rooms.find(userId, null)).roomId).toBe(all[0] ?? '');
    });

    test('paging continues after the last listed room was deleted', async () => {
      const { gateway } = world();
      const { token } = await gateway.addUser();
      for (let made = 0; made < 4; made++) await gateway.room(token);
      const list = (body: object) => gateway.data<Listed>('/ai/rooms/', body, { token });
      const all = (await list({})).rooms;
      const before = all[1]?.room_id;
      await gateway.data('/ai/room/delete/', { room_id: before }, { token });
      expect((await list({ before })).rooms).toEqual(all.slice(2));
      expect((await list({ before, limit: 1 })).rooms).toEqual(all.slice(2, 3));
    });

    test('a room is renamed, also before its first message, and keeps its own title', async () => {
      const { gateway, user } = world();
      const alice = await user();
      const rename = (title: string, who: { token: string } = alice) =>
        gateway.post('/ai/room/rename/', { room_id: alice.room, title }, who);
      const title = async () =>
        (await gateway.data<Listed>('/ai/rooms/', {}, alice)).rooms.map((room) => room.title);
      expect((await rename('  Моя комната\n')).body.data).toEqual({
        room_id: alice.room,
        title: 'Моя комната',
      });
      await alice.send({ message: 'Hello' });
      expect(await title()).toEqual(['Моя комната']);
      for (const bad of ['', ' \n', 'x'.repeat(201)]) {
        expect((await rename(bad)).body.error?.code).toBe('invalid_request');
      }
      expect((await rename('😀'.repeat(100))).status).toBe(200);
      const bob = await user();
      expect((await rename('stolen', bob)).body.error?.code).toBe('room_not_found');
      await gateway.data('/ai/room/delete/', { room_id: alice.room }, alice);
      expect((await rename('again')).body.error?.code).toBe('room_not_found');
      await register(alice.token, alice.room);
      expect(await title()).toEqual(['']);
    });

    test('deleting erases texts and images; the costs stay', async () => {
      const { gateway, user } = world();
      const alice = await user();
      const secret = `secret of ${dialect}`;
      const text = await alice.send(
        { message: secret, system_prompt: secret },
        { headers: { 'idempotency-key': 'once' } },
      );
      const image = await alice.send({ ai: 103, message: secret });
      const imagePath = new URL(image.response).pathname;
      expect((await gateway.fetch(imagePath)).status).toBe(200);
      const body = { room_id: alice.room };
      const deleted = await gateway.data<object>('/ai/room/delete/', body, alice);
      expect(deleted).toEqual({ room_id: alice.room, deleted: true });
      expect((await gateway.fetch(imagePath)).status).toBe(404);
      const rows = await gateway.core.db.query<Record<string, unknown>>(
        'SELECT * FROM messages WHERE user_id = $1 ORDER BY id',
        [alice.userId],
      );
      const keys = await gateway.core.db.query(
        'SELECT * FROM idempotency_keys WHERE user_id = $1',
        [alice.userId],
      );
      const titles = await gateway.core.db.query('SELECT * FROM rooms WHERE user_id = $1', [
        alice.userId,
      ]);
      expect(JSON.stringify([rows, keys, titles])).not.toContain(secret);
      expect(rows.map((row) => row['cost_response'])).toEqual([
        Math.round(text.cost_response * 1e6),
        Math.round(image.cost_response * 1e6),
      ]);
      expect(await alice.charges()).toHaveLength(2);
      for (const path of ['/ai/room/delete/', '/ai/history/']) {
        expect(await gateway.code(path, body, alice)).toBe('room_not_found');
      }
      expect(await alice.code()).toBe('room_not_found');
      expect((await gateway.data<Listed>('/ai/rooms/', {}, alice)).rooms).toEqual([]);
    });

    test('a deleted room returns empty, and its ids keep growing', async () => {
      const { gateway, user } = world();
      const alice = await user();
      const before = await alice.send();
      await gateway.data<object>('/ai/room/delete/', { room_id: alice.room }, alice);
      const bob = await gateway.addUser();
      expect(await register(bob.token, alice.room)).toBe('409 room_taken');
      expect(await register(alice.token, alice.room)).toBe(alice.room);
      expect(await alice.history()).toEqual([]);
      const after = await alice.send({ message: 'again', chat_depth: 9 });
      expect(after.id).toBeGreaterThan(before.id);
      expect(after.context_used).toBe(0);
      expect((await alice.history()).map(({ request }) => request)).toEqual(['again']);
      expect((await alice.history({ include_failed: true })).length).toBe(1);
    });

    test("another user's room is not found, by any operation", async () => {
      const { gateway, user } = world();
      const [alice, bob] = [await user(), await user()];
      await alice.send();
      const body = { room_id: alice.room, ai: 101, message: 'Hi' };
      for (const path of ['/ai/send/', '/ai/estimate/', '/ai/history/', '/ai/room/delete/']) {
        const { status, body: answer } = await gateway.post(path, body, bob);
        expect([path, status, answer.error?.code]).toEqual([path, 404, 'room_not_found']);
      }
      const unknown = { ...body, room_id: id32() };
      for (const path of ['/ai/send/', '/ai/estimate/', '/ai/history/', '/ai/room/delete/']) {
        const { body: answer } = await gateway.post(path, unknown, bob);
        expect(answer.error).toEqual(
          (await gateway.post(path, body, bob)).body.error ?? answer.error,
        );
      }
      expect(await alice.history()).toHaveLength(1);
    });
  });
}
