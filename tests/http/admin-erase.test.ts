/** An erased user leaves only the books. */
import { describe, expect, test } from 'bun:test';
import { eraseUser } from '../../src/chat/index.ts';
import { dialects } from '../support/databases.ts';
import { openGateway } from '../support/gateway.ts';

interface Sent {
  response: string;
}

interface Export {
  profile: { login: string };
  rooms: object[];
  transactions: { reason: string | null }[];
}

interface Made {
  transactions: { made_by: string | null }[];
}

for (const dialect of dialects) {
  describe(`${dialect}: admin`, () => {
    test('erase a user with texts, images and credentials; the books still hold', async () => {
      await using gateway = await openGateway(dialect);
      const admin = await gateway.addUser({ login: 'root', isAdmin: true });
      const { login, token, userId } = await gateway.addUser({ login: 'alice', credit: 10 });
      const { key } = await gateway.core.keys.create(userId, { name: 'laptop of Alice' });
      const roomId = await gateway.room(token);
      const secret = 'my darkest secret';
      await gateway.data<Sent>('/ai/send/', { room_id: roomId, ai: 1, message: secret }, { token });
      const image = await gateway.data<Sent>(
        '/ai/send/',
        { room_id: roomId, ai: 2, message: 'a portrait' },
        { token, headers: { 'idempotency-key': 'once' } },
      );
      const imagePath = new URL(image.response).pathname;
      expect((await gateway.fetch(imagePath)).status).toBe(200);
      const before = await gateway.data<Export>('/admin/users/export/', { login }, admin);
      expect(JSON.stringify(before)).toContain(secret);

      const erased = { id: userId, login: `erased-${userId}`, erased: true };
      const erase = (name: string) =>
        gateway.data<object>('/admin/users/erase/', { login: name }, admin);
      expect(await erase('Alice')).toEqual(erased);
      for (const credential of [token, key]) {
        expect(await gateway.code('/account/', {}, { token: credential })).toBe('token_revoked');
      }
      expect((await gateway.fetch(imagePath)).status).toBe(404);
      expect(await gateway.core.images.read(imagePath.split('/').at(-1) ?? '')).toBeUndefined();
      expect(await gateway.code('/admin/users/show/', { login }, admin)).toBe('not_found');

      const after = await gateway.data<Export>(
        '/admin/users/export/',
        { login: erased.login },
        admin,
      );
      expect(after).toMatchObject({ profile: { login: erased.login }, rooms: [] });
      // The amounts stay; the rooms in which they were spent are gone.
      const withoutRooms = before.transactions.map((entry) => ({ ...entry, room_id: null }));
      expect(after.transactions).toEqual(withoutRooms);
      expect(JSON.stringify(after)).not.toContain(secret);
      const texts = await gateway.core.db.query(
        `SELECT request, response, system_prompt, parameters FROM messages WHERE user_id = $1`,
        [userId],
      );
      expect(texts).toHaveLength(2);
      expect(JSON.stringify(texts)).not.toMatch(/secret|portrait/);
      expect(await gateway.core.db.query('SELECT key FROM idempotency_keys')).toEqual([]);
      expect(await erase(erased.login)).toEqual(erased);
      const { holds } = await gateway.data<{ holds: boolean }>('/admin/ledger/verify/', {}, admin);
      expect(holds).toBe(true);
      expect((await gateway.addUser({ login: 'alice' })).userId).not.toBe(userId);
    });

    test('an erased user opens no room with a credential that another node still caches', async () => {
      await using first = await openGateway(dialect);
      await using second = await openGateway(dialect, { database: first.database });
      const { userId, token } = await first.addUser({ credit: 10 });
      const { key } = await first.core.keys.create(userId, { name: 'laptop' });
      const room_id = await first.room(token);
      const chat = { model: '1', messages: [{ role: 'user', content: 'late secret' }] };
      // Cached by the second node, and with a permanent room.
      for (const credential of [token, key]) {
        await second.data('/ai/settings/', {}, { token: credential });
        expect((await second.post('/v1/chat/completions', chat, { token })).status).toBe(200);
      }
      await eraseUser(first.core, userId);
      for (const credential of [token, key]) {
        for (const id of [undefined, room_id]) {
          const body = { room_id: id };
          expect(await second.code('/ai/room/', body, { token: credential })).toBe('token_revoked');
        }
        const { status } = await second.post('/v1/chat/completions', chat, { token: credential });
        expect(status).toBe(401);
      }
      const left = await first.core.db.query(
        `SELECT room_id FROM rooms WHERE user_id = $1 AND deleted_at IS NULL
         UNION SELECT request FROM messages WHERE user_id = $1 AND request <> ''`,
        [userId],
      );
      expect(left).toEqual([]);
    });

    test("erase an admin's login from the entries of other users, too", async () => {
      await using gateway = await openGateway(dialect);
      const root = await gateway.addUser({ isAdmin: true });
      const boss = await gateway.addUser({ login: 'boss', isAdmin: true });
      const { login, token, userId } = await gateway.addUser();
      const body = { login, amount: 1, reason: 'a top-up' };
      await gateway.data('/admin/users/credit/', body, boss);
      await gateway.data('/admin/users/add/', { login: 'new', credit: 2 }, boss);
      // Entries as earlier versions wrote them: they stay unchanged.
      const note = { reason: 'r', madeBy: 'somebody' };
      await gateway.core.ledger.credit(userId, 1_000_000, note);
      await gateway.core.ledger.credit(userId, 1_000_000, { ...note, madeBy: 'cli' });
      const makers = async () => {
        const reading = gateway.data<Made>('/account/transactions/', {}, { token });
        const exports = ['new', login].map((name) =>
          gateway.data<Made>('/admin/users/export/', { login: name }, root),
        );
        return (await Promise.all([reading, ...exports])).map(({ transactions }) =>
          transactions.map(({ made_by }) => made_by),
        );
      };
      const others = ['cli', 'somebody'];
      expect(await makers()).toEqual([[...others, 'boss'], ['boss'], [...others, 'boss']]);
      await gateway.data('/admin/users/erase/', { login: 'boss' }, root);
      const erased = `erased-${boss.userId}`;
      expect(await makers()).toEqual([[...others, erased], [erased], [...others, erased]]);
      await gateway.addUser({ login: 'boss' });
      expect(await makers()).toEqual([[...others, erased], [erased], [...others, erased]]);
      const entries = await gateway.core.db.query('SELECT * FROM ledger_entries');
      expect(JSON.stringify(entries)).not.toContain('boss');
    });

    test('export any user, and refuse an unknown one before the first byte', async () => {
      await using gateway = await openGateway(dialect);
      const admin = await gateway.addUser({ isAdmin: true });
      const { login, token } = await gateway.addUser({ credit: 1 });
      const theirs = await gateway.data<Export>('/account/export/', {}, { token });
      const ours = await gateway.data<Export>('/admin/users/export/', { login }, admin);
      const time = expect.any(Number);
      expect({ ...ours, exported_at: 0 }).toEqual({ ...theirs, exported_at: 0 });
      expect(ours).toMatchObject({ exported_at: time });
      const { status, body } = await gateway.post('/admin/users/export/', { login: 'no' }, admin);
      expect([status, body.error?.code]).toEqual([404, 'not_found']);
    });
  });
}
