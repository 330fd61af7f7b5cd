/** `chat_depth`: which earlier messages of the room are sent as context. */
import { describe, expect, test } from 'bun:test';
import { Database as Sqlite } from 'bun:sqlite';
import fc from 'fast-check';
import { prepareInsert, tables, type RowFor } from '../../src/db/index.ts';
import { indexRooms } from '../../src/chat/rooms/room-index.ts';
import { dialects } from '../support/databases.ts';
import { eventsOf } from '../support/event-stream.ts';
import { sharedWorld, type Chatter, type ModelLine } from '../support/world.ts';

const models: ModelLine[] = [
  { id: 101, max_input_tokens: 100_000 },
  { id: 103, type: 'IMAGE', is_chat_mode_allowed: 0 },
  { id: 104, model: 'small', max_input_tokens: 60 },
  { id: 105, model: 'painter', type: 'IMAGE' },
];

interface Message {
  role: string;
  content: string;
}

const insertMessages = prepareInsert(tables.messages);

for (const dialect of dialects) {
  describe(`${dialect}: context`, () => {
    const world = sharedWorld(dialect, { models });
    const sentMessages = () => world().provider.calls.at(-1)?.body['messages'] as Message[];
    /** The items of the room that were part of the last send's context, oldest first. */
    const context = () =>
      sentMessages()
        .slice(0, -1)
        .map(({ role, content }) => `${role}: ${content}`);
    const say = async (alice: Chatter, ...messages: string[]) => {
      for (const message of messages) await alice.send({ message });
    };

    test('is the last N items with their answers, oldest first', async () => {
      const alice = await world().user();
      await say(alice, 'one', 'two', 'three');
      const sent = await alice.send({ message: 'four', chat_depth: 2 });
      expect(sent.context_used).toBe(2);
      expect(sentMessages()).toEqual([
        { role: 'user', content: 'two' },
        { role: 'assistant', content: 'echo: two' },
        { role: 'user', content: 'three' },
        { role: 'assistant', content: 'echo: three' },
        { role: 'user', content: 'four' },
      ]);
    });

    test('is everything if fewer exist', async () => {
      const alice = await world().user();
      for (const depth of [1, 2 ** 31, Number.MAX_SAFE_INTEGER]) {
        const room_id = await world().gateway.room(alice.token);
        expect((await alice.send({ room_id, chat_depth: depth })).context_used).toBe(0);
        expect((await alice.send({ room_id, chat_depth: depth })).context_used).toBe(1);
      }
    });

    test('skips items without a text answer, and takes no older ones instead', async () => {
      const { gateway, provider, user } = world();
      const alice = await user();
      await say(alice, 'one', 'two');
      await provider.script({ text: '' });
      await say(alice, 'nothing');
      await provider.script('good');
      const embedded = await gateway.fetch('/v1/embeddings', {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${alice.token}`,
          'x-room-id': alice.room,
        },
        body: JSON.stringify({ model: '101', input: 'a text' }),
      });
      expect(embedded.status).toBe(200);
      expect((await alice.send({ message: 'three', chat_depth: 2 })).context_used).toBe(0);
      expect(context()).toEqual([]);
      expect((await alice.send({ message: 'four', chat_depth: 4 })).context_used).toBe(2);
      expect(context()).toEqual([
        'user: two',
        'assistant: echo: two',
        'user: three',
        'assistant: echo: three',
      ]);
    });

    test('skips failed and running messages, and takes older ones instead', async () => {
      const { provider, user } = world();
      const alice = await user();
      await say(alice, 'one');
      await provider.script('500');
      await alice.code({ message: 'failed' });
      await provider.script('hold');
      const running = alice.send({ message: 'running' });
      await provider.held(1);
      await provider.script('good');
      expect((await alice.send({ message: 'two', chat_depth: 1 })).context_used).toBe(1);
      expect(context()).toEqual(['user: one', 'assistant: echo: one']);
      provider.release();
      await running;
    });

    test('includes the delivered part of a stopped stream', async () => {
      const { provider, user } = world();
      const alice = await user();
      await provider.script({ deltas: ['half ', 'and half'], pauseAfterFirst: true });
      const events = eventsOf(await alice.stream({ message: 'stopped' }));
      await events.next();
      await events.next();
      await events.return(undefined);
      await provider.script('good');
      while ((await alice.history()).length === 0) await new Promise((r) => setTimeout(r, 2));
      await alice.send({ message: 'next', chat_depth: 1 });
      expect(context()).toEqual(['user: stopped', 'assistant: half ']);
    });

    test('does not repeat earlier system prompts', async () => {
      const alice = await world().user();
      await alice.send({ message: 'one', system_prompt: 'Be a pirate' });
      await alice.send({ message: 'two', system_prompt: 'Be a poet', chat_depth: 1 });
      expect(context()).toEqual(['system: Be a poet', 'user: one', 'assistant: echo: one']);
      await alice.send({ message: 'three', chat_depth: 2 });
      expect(sentMessages().filter(({ role }) => role === 'system')).toEqual([]);
    });

    test('names an image by its address', async () => {
      const alice = await world().user();
      const { response } = await alice.send({ ai: 103, message: 'a gate' });
      await alice.send({ message: 'what is it?', chat_depth: 1 });
      expect(context()).toEqual(['user: a gate', `assistant: ${response}`]);
    });

    test('is empty for an image model, in the request and in the hold', async () => {
      const { gateway, user } = world();
      const alice = await user();
      await say(alice, 'one');
      const plain = { room_id: alice.room, ai: 105, message: 'a gate' };
      const more = { ...plain, chat_depth: 1, system_prompt: 'Be a painter' };
      const most = ({ token }: Chatter, body: object) =>
        gateway.data<{ cost_max: number }>('/ai/estimate/', body, { token });
      const { cost_max } = await most(alice, plain);
      expect(await most(alice, more)).toMatchObject({ cost_max, context_used: 0 });
      expect((await alice.send(more)).context_used).toBe(0);
    });

    test('is of this room and this user alone', async () => {
      const { gateway, user } = world();
      const [alice, bob] = [await user(), await user()];
      await say(alice, 'in the first room');
      await say(bob, 'of Bob');
      const other = await gateway.room(alice.token);
      await alice.send({ room_id: other, message: 'here', chat_depth: 10 });
      expect(context()).toEqual([]);
    });

    test('drops the oldest items when it does not fit, and reports how many were sent', async () => {
      const alice = await world().user();
      const texts = ['a', 'b', 'c', 'd'].map((letter) => `${letter} is a word `.repeat(3));
      await say(alice, ...texts);
      const sent = await alice.send({ ai: 104, message: 'e', chat_depth: 4 });
      expect(sent.context_used).toBeGreaterThan(0);
      expect(sent.context_used).toBeLessThan(4);
      const newest = texts.slice(-sent.context_used);
      expect(context()).toEqual(
        newest.flatMap((text) => [`user: ${text}`, `assistant: echo: ${text}`]),
      );
    });

    test('ends at an item that is too large, even if older ones would fit', async () => {
      const alice = await world().user();
      await say(alice, 'small', 'word '.repeat(200), 'tiny');
      const sent = await alice.send({ ai: 104, message: 'e', chat_depth: 3 });
      expect(sent.context_used).toBe(1);
      expect(context()).toEqual(['user: tiny', 'assistant: echo: tiny']);
    });

    test('that does not fit is left out, but a message that does not fit alone is an error', async () => {
      const alice = await world().user();
      await say(alice, 'word '.repeat(200));
      expect((await alice.send({ ai: 104, chat_depth: 1 })).context_used).toBe(0);
      const long = { ai: 104, message: 'word '.repeat(100), chat_depth: 1 };
      expect(await alice.code(long)).toBe('input_too_long');
    });

    test('has the same size in the estimate as in the send', async () => {
      const { gateway, user } = world();
      const alice = await user();
      await say(alice, 'one', 'two', 'three');
      const body = { room_id: alice.room, ai: 104, message: 'e', chat_depth: 3 };
      const estimate = await gateway.data<{ context_used: number }>('/ai/estimate/', body, alice);
      expect((await alice.send(body)).context_used).toBe(estimate.context_used);
    });

    test('has the newest items, and never more than requested, for any depth and length', async () => {
      const alice = await world().user({ credit: 100_000 });
      await fc.assert(
        fc.asyncProperty(fc.nat(12), fc.nat(20), async (count, depth) => {
          const room_id = await world().gateway.room(alice.token);
          const texts = Array.from({ length: count }, (_, i) => `m${i}`);
          for (const message of texts) await alice.send({ room_id, message });
          const sent = await alice.send({ room_id, chat_depth: depth });
          expect(sent.context_used).toBe(Math.min(count, depth));
          const expected = depth === 0 ? [] : texts.slice(-depth);
          expect(context().filter((line) => line.startsWith('user'))).toEqual(
            expected.map((text) => `user: ${text}`),
          );
        }),
        { numRuns: 12 },
      );
    }, 300_000);

    test("is read by the room's index, page by page if it is deep", async () => {
      const { gateway, user } = world();
      const alice = await user();
      const first = await alice.send({ message: 'm0' });
      const { db } = gateway.core;
      const [row] = await db.query<RowFor<typeof insertMessages>>(
        'SELECT * FROM messages WHERE user_id = $1',
        [alice.userId],
      );
      if (!row) throw new Error('the message is not stored');
      const rows = Array.from({ length: 5_000 }, (_, i) => ({
        ...row,
        id: first.id + 1 + i,
        request: `m${i + 1}`,
      }));
      await db.transaction(async (tx) => {
        await insertMessages(tx, rows);
        await tx.query('UPDATE accounts SET last_message_id = $1 WHERE user_id = $2', [
          first.id + 5_000,
          alice.userId,
        ]);
        await tx.query(
          `UPDATE rooms SET message_count = 5001, recent = '${first.id + 5_000}' WHERE room_id = $1`,
          [alice.room],
        );
        await indexRooms(tx, alice.userId, first.id + 4_900);
      });
      const sent = await alice.send({ message: 'last', chat_depth: 700 });
      expect(sent.context_used).toBe(700);
      expect(context()[0]).toBe('user: m4301');
      expect(context().at(-2)).toBe('user: m5000');

      const query = `SELECT id FROM messages WHERE user_id = ${alice.userId}
        AND room_id = '${alice.room}' AND id > 4900 AND id < 99999999 ORDER BY id DESC LIMIT 50`;
      const plan = await planOf(gateway.database.config, query, () =>
        db.transaction(async (tx) => {
          await tx.query('ANALYZE messages');
          return tx.query<Record<string, string>>(`EXPLAIN ${query}`);
        }),
      );
      expect(plan).toMatch(/messages USING INDEX sqlite_autoindex_messages_1|messages_pkey/);
      expect(plan).not.toMatch(/SCAN messages|Seq Scan on messages|TEMP B-TREE|Sort/);
    });
  });
}

/** The database's query plan, as text. */
async function planOf(
  config: { kind: 'sqlite'; path: string } | { kind: 'postgres'; url: string },
  query: string,
  explain: () => Promise<Record<string, string>[]>,
): Promise<string> {
  if (config.kind === 'postgres') return JSON.stringify(await explain());
  using sqlite = new Sqlite(config.path, { readonly: true });
  return JSON.stringify(sqlite.query(`EXPLAIN QUERY PLAN ${query}`).all());
}
