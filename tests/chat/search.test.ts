/**
 * The search in titles and messages: what it finds, that it finds only the caller's texts, and that deleted texts are
 * gone.
 */
import { describe, expect, test } from 'bun:test';
import { readFile } from 'node:fs/promises';
import { eraseUser, Rooms } from '../../src/chat/index.ts';
import { backupSqlite, openDatabase, restoreSqlite } from '../../src/db/index.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { Search } from '../../src/chat/search/search.ts';
import { Stopper } from '../../src/lib/stop-signal.ts';
import { dialects } from '../support/databases.ts';
import { openWorld, sharedWorld, type Chatter } from '../support/world.ts';

interface Piece {
  text: string;
  is_match: boolean;
}
interface Found {
  rooms: { room_id: string; title: string; pieces: Piece[] }[];
  messages: { room_id: string; title: string; message_id: number; pieces: Piece[] }[];
  next: number | null;
  not_indexed: number;
}

for (const dialect of dialects) {
  describe(`${dialect}: the search`, () => {
    const world = sharedWorld(dialect);

    const search = ({ token }: Chatter, query: string, more: object = {}) =>
      world().gateway.data<Found>('/ai/search/', { query, ...more }, { token });
    const ids = async (who: Chatter, query: string, more?: object) =>
      (await search(who, query, more)).messages.map(({ message_id: id }) => id);
    const marked = (pieces: Piece[]) =>
      pieces.filter((piece) => piece.is_match).map(({ text }) => text);
    const rowsOf = async (userId: number) =>
      world().gateway.core.db.query('SELECT words FROM search_texts WHERE user_id = $1', [userId]);

    test('finds words of requests and answers together, in any order and case', async () => {
      const alice = await world().user();
      await world().provider.script({ text: 'The answer speaks of Lighthouses.' });
      const { id } = await alice.send({ message: 'Tell me about the ÉTÉ in Ёлкино' });
      await alice.send({ message: 'Something else' });
      const found = await search(alice, 'lighthouses елкино été');
      expect(found.messages.map(({ message_id: each }) => each)).toEqual([id]);
      expect(found.not_indexed).toBe(0);
      expect(found.next).toBeNull();
      const [message] = found.messages;
      expect(message?.room_id).toBe(alice.room);
      expect(message?.pieces.map(({ text }) => text).join('')).toBe(
        'Tell me about the ÉTÉ in Ёлкино',
      );
      expect(marked(message?.pieces ?? [])).toEqual(['ÉTÉ', 'Ёлкино']);
      expect(await ids(alice, 'lighthouses nothing')).toEqual([]);
    });

    test('finds words by their beginning of three or more letters, and shorter words exactly', async () => {
      const alice = await world().user();
      const { id } = await alice.send({ message: 'Программирование и qzwordless' });
      expect(await ids(alice, 'прог')).toEqual([id]);
      expect(await ids(alice, 'qzw')).toEqual([id]);
      expect(await ids(alice, 'qz')).toEqual([]);
      expect(await ids(alice, 'и')).toEqual([id]);
    });

    if (dialect === 'postgres') {
      test('finds other forms of Russian and English words', async () => {
        const alice = await world().user();
        const { id } = await alice.send({ message: 'Купили кошку, running away' });
        const found = await search(alice, 'кошками run');
        expect(found.messages.map(({ message_id: each }) => each)).toEqual([id]);
        expect(marked(found.messages[0]?.pieces ?? [])).toEqual(['кошку', 'running']);
      });
    }

    test('pages from the newest to the oldest', async () => {
      const alice = await world().user();
      const sent: number[] = [];
      for (let at = 0; at < 5; at++) sent.unshift((await alice.send({ message: 'pagination' })).id);
      const seen: number[] = [];
      for (let before: number | null | undefined; before !== null;) {
        const page: Found = await search(alice, 'pagination', { limit: 2, before });
        expect(page.messages.length).toBeLessThanOrEqual(2);
        seen.push(...page.messages.map(({ message_id: id }) => id));
        before = page.next;
      }
      expect(seen).toEqual(sent);
    });

    test('finds rooms by their titles, on the first page', async () => {
      const { gateway, user } = world();
      const alice = await user();
      const request = { room_id: alice.room, title: 'Отпуск <b>2027</b>' };
      await gateway.data('/ai/room/rename/', request, { token: alice.token });
      const { rooms } = await search(alice, '2027 отп');
      expect(rooms).toMatchObject([{ room_id: alice.room, title: request.title }]);
      expect(marked(rooms[0]?.pieces ?? [])).toEqual(['Отпуск', '2027']);
      expect((await search(alice, '2027', { before: 99 })).rooms).toEqual([]);
    });

    test('finds nothing of another user', async () => {
      const [alice, bob] = [await world().user(), await world().user()];
      await alice.send({ message: 'everybodysword' });
      const { id } = await bob.send({ message: 'everybodysword' });
      await search(alice, 'everybodysword');
      expect((await search(bob, 'everybodysword')).messages).toMatchObject([
        { room_id: bob.room, message_id: id },
      ]);
      // Not even by a query that looks like an entry of another user in the index.
      expect(await ids(bob, `${alice.userId}xeverybodysword`)).toEqual([]);
    });

    test.each([
      '"',
      `' OR 1=1 --`,
      '*',
      'NEAR(a b)',
      'words:hello',
      'a AND OR NOT',
      '{words}: "hello"*',
      '^hello',
      "'hello':*A & !b | (c",
      '\\',
      '\u0000hello\u0000',
      '\ud800hello',
      'hello\u202e\u200b',
      '🙂 <img src=x onerror=alert(1)>',
      'ﷺ İ ß ﬁ',
      'x'.repeat(200),
    ])('takes %j for words, never for syntax', async (query) => {
      const alice = await world().user();
      await alice.send({ message: 'Nothing of that kind' });
      const { status, body } = await world().gateway.post(
        '/ai/search/',
        { query },
        { token: alice.token },
      );
      if (status === 200) expect((body.data as Found).messages).toEqual([]);
      else expect(`${status} ${body.error?.code}`).toBe('422 invalid_request');
    });

    test('refuses queries without words, too long, or of too many words', async () => {
      const alice = await world().user();
      const many = Array.from({ length: 11 }, (_, at) => `w${at}`).join(' ');
      for (const query of ['', ' ', '?!', 'x'.repeat(201), many]) {
        const refused = world().gateway.code('/ai/search/', { query }, { token: alice.token });
        expect(await refused).toBe('invalid_request');
      }
    });

    test('indexes hostile texts, however many and long their words', async () => {
      const alice = await world().user();
      const many = Array.from({ length: 4_000 }, (_, at) => `w${at}ё`).join(' ');
      const messages = ['ж'.repeat(20_000), many, '\ud83d \u0000 end', '﷽ ﷺ e\u0301'];
      for (const message of messages) await alice.trySend({ message, max_output_tokens: 1 });
      const { id } = await alice.send({ message: 'afterwards' });
      expect(await ids(alice, 'afterwards')).toEqual([id]);
    });

    test('indexes nothing before a user has searched; then a sweep indexes what is new', async () => {
      const { gateway, user } = world();
      const alice = await user();
      await alice.send({ message: 'unsearched' });
      await gateway.core.search.index.sweep(new Stopper());
      expect(await rowsOf(alice.userId)).toEqual([]);
      await search(alice, 'unsearched');
      await alice.send({ message: 'later' });
      // A step that the server has begun may still be running.
      while ((await rowsOf(alice.userId)).length < 2) {
        await gateway.core.search.index.sweep(new Stopper());
      }
      expect(await ids(alice, 'later')).toHaveLength(1);
    });

    test('reports how many messages are left, until all are indexed', async () => {
      const { gateway, user } = world();
      const alice = await user();
      await alice.send({ message: 'copied' });
      const newest = 450;
      await gateway.core.db.transaction(async (tx) => {
        const columns = `state, node_id, hold, asked_version_id, version_id, system_prompt, request, response,
          parameters, cost_request, cost_response, created_at, response_at`;
        await tx.query(
          `INSERT INTO messages (user_id, room_id, id, ${columns})
           WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < ${newest})
           SELECT user_id, room_id, i, ${columns} FROM n CROSS JOIN messages
           WHERE user_id = $1 AND id = 1`,
          [alice.userId],
        );
        await tx.query('UPDATE accounts SET last_message_id = $2 WHERE user_id = $1', [
          alice.userId,
          newest,
        ]);
      });
      const { index } = gateway.core.search;
      for (let left = newest; left > 0;) {
        const both = await Promise.all([index.catchUp(alice.userId), index.catchUp(alice.userId)]);
        expect(Math.min(...both)).toBeLessThan(left);
        left = Math.max(...both);
      }
      expect(await rowsOf(alice.userId)).toHaveLength(newest);
      expect(await ids(alice, 'copied', { limit: 1 })).toEqual([newest]);
    });
  });

  describe(`${dialect}: words of what is deleted`, () => {
    test('leave the index with their room, and with their user', async () => {
      await using world = await openWorld(dialect);
      const { core } = world.gateway;
      const [alice, bob] = [await world.user(), await world.user()];
      for (const [who, message] of [
        [alice, 'zwiebelbrot zwiebelkuchen'],
        [bob, 'quarkstrudel'],
      ] as const) {
        await who.send({ message });
        expect(
          (await core.search.find(who.userId, { query: message, limit: 9, before: undefined }))
            .messages,
        ).toHaveLength(1);
      }
      expect(await core.db.query('SELECT 1 AS one FROM search_texts')).toHaveLength(2);
      await core.rooms.delete(alice.userId, alice.room);
      await eraseUser(core, bob.userId);
      expect(await core.db.query('SELECT 1 AS one FROM search_texts')).toEqual([]);
      expect(await core.db.query('SELECT user_id AS id FROM search_cursors')).toEqual([
        { id: alice.userId },
      ]);
      if (world.gateway.database.config.kind !== 'sqlite') return;
      const { path } = world.gateway.database.config;
      const copy = `${path}.copy`;
      await backupSqlite(path, copy);
      const bytes = await readFile(copy);
      // The index stores common beginnings of words only once.
      for (const part of ['wiebel', 'kuchen', 'uarkst', 'trudel']) {
        expect([part, bytes.includes(part)]).toEqual([part, false]);
      }
    });

    if (dialect === 'sqlite') {
      test('a backup is searched as its original', async () => {
        await using world = await openWorld(dialect);
        const { core, database } = world.gateway;
        if (database.config.kind !== 'sqlite') throw new Error('the world is on SQLite');
        const { path } = database.config;
        const alice = await world.user();
        const other = await world.gateway.room(alice.token);
        await alice.send({ message: 'gone', room_id: other });
        for (const message of ['kept one', 'kept two']) await alice.send({ message });
        const query = { query: 'kept', limit: 9, before: undefined };
        const { messages } = await core.search.find(alice.userId, query);
        expect(messages).toHaveLength(2);
        await core.rooms.delete(alice.userId, other);
        await backupSqlite(path, `${path}.backup`);
        // The check also covers the index.
        await restoreSqlite(`${path}.backup`, `${path}.restored`);
        await using stack = new AsyncDisposableStack();
        const restored = openDatabase({ kind: 'sqlite', path: `${path}.restored` });
        stack.defer(() => restored.close());
        const search = new Search(restored, new Rooms(restored, systemClock));
        expect((await search.find(alice.userId, query)).messages).toEqual(messages);
      });
    }

    test('a message of a room that is deleted while it is indexed is omitted', async () => {
      await using world = await openWorld(dialect);
      const { core } = world.gateway;
      const alice = await world.user();
      await alice.send({ message: 'meanwhile' });
      const transaction = core.db.transaction.bind(core.db);
      let isFirst = true;
      core.db.transaction = async (work) => {
        core.db.transaction = transaction;
        // The first transaction is the cursor's.
        const result = await transaction(work);
        core.db.transaction = async (next) => {
          core.db.transaction = transaction;
          if (isFirst) await core.rooms.delete(alice.userId, alice.room);
          isFirst = false;
          return transaction(next);
        };
        return result;
      };
      await core.search.index.catchUp(alice.userId);
      expect(isFirst).toBe(false);
      expect(await core.db.query('SELECT 1 AS one FROM search_texts')).toEqual([]);
    });
  });
}
