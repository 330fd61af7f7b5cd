/**
 * Failed sends of large texts leave little in the database, however they were sent and whichever field had the text.
 */
import { describe, expect, test } from 'bun:test';
import { tables, type Database } from '../../src/db/index.ts';
import { dialects } from '../support/databases.ts';
import { sharedWorld, type Chatter } from '../support/world.ts';

const KIB = 1024;
const MIB = 1024 * KIB;
/** How much a failed send may leave in all tables: 4,096 characters of each of two texts, and its row. */
const LEFT_MAX = 24 * KIB;
const BYTES_MAX = 10_000_000;
const large = 'a wide gate '.repeat(MIB / 12);
/** Text that PostgreSQL can't compress to less than three quarters. */
const random = Buffer.from(crypto.getRandomValues(new Uint8Array(48 * KIB)))
  .toString('base64')
  .repeat(16);
const said = [{ role: 'user', content: large }];
const messages = [{ role: 'user', content: 'a' }];
const model = 'scripted-text';
const tool = { type: 'function', name: 'f', description: large, parameters: { type: 'object' } };

const chatTool = { type: 'function', function: { name: 'f', description: large } };

/** The ways to send, each with its text in another field. */
const ways: [path: string, bodyOf: (room: string) => object][] = [
  ['/ai/send/', (room_id) => ({ room_id, ai: 101, message: large })],
  ['/ai/send/', (room_id) => ({ room_id, ai: 101, message: 'a', system_prompt: large })],
  ['/ai/send/', (room_id) => ({ room_id, ai: 101, message: large, stream: true })],
  ['/v1/chat/completions', () => ({ model, messages: said })],
  ['/v1/chat/completions', () => ({ model, messages: messages, tools: [chatTool], stream: true })],
  ['/v1/responses', () => ({ model, input: large })],
  ['/v1/responses', () => ({ model, input: 'a', instructions: large })],
  ['/v1/responses', () => ({ model, input: 'a', tools: [tool] })],
  ['/v1/messages', () => ({ model, max_tokens: 9, messages: said })],
];

/** Bytes of all values of all rows. */
async function storedIn(db: Database): Promise<number> {
  let bytes = 0;
  for (const name of Object.keys(tables)) {
    bytes += Buffer.byteLength(JSON.stringify(await db.query(`SELECT * FROM ${name}`)));
  }
  return bytes;
}

/** Bytes of the file, or of the table with its indexes once its dead rows may be reused. */
async function sizeOf(db: Database): Promise<number> {
  if (db.dialect === 'postgres') await db.query('VACUUM messages');
  const size =
    db.dialect === 'postgres'
      ? "SELECT pg_total_relation_size('messages') AS bytes"
      : 'SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size';
  return Number((await db.query<{ bytes: number }>(size))[0]?.bytes);
}

for (const dialect of dialects) {
  describe(`${dialect}: a send that fails`, () => {
    const world = sharedWorld(dialect, { models: [{ id: 101, max_input_tokens: BYTES_MAX }] });

    async function fail({ token, room }: Chatter, path: string, body: object): Promise<void> {
      const response = await world().gateway.fetch(path, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${token}`,
          'idempotency-key': crypto.randomUUID(),
          ...(path.startsWith('/v1/') && { 'x-room-id': room }),
        },
        body: JSON.stringify(body),
      });
      expect(await response.text()).toContain('the provider answered with an error');
    }

    test('leaves little of 1 MiB of text', async () => {
      const { gateway, provider, user } = world();
      const alice = await user({ credit: 1_000_000 });
      await provider.script('500');
      const { db } = gateway.core;
      const before = await storedIn(db);
      for (const [path, bodyOf] of ways) await fail(alice, path, bodyOf(alice.room));
      expect((await storedIn(db)) - before).toBeLessThan(ways.length * LEFT_MAX);
    });

    test('leaves its space in the database to the next one', async () => {
      const { gateway, provider, user } = world();
      const alice = await user({ credit: 1_000_000 });
      await provider.script('500');
      const { db } = gateway.core;
      const body = { room_id: alice.room, ai: 101, message: random };
      await fail(alice, '/ai/send/', body);
      const first = await sizeOf(db);
      for (let times = 0; times < 5; times++) {
        await fail(alice, '/ai/send/', body);
        // PostgreSQL frees the space of the previous one, and uses it for the next.
        await sizeOf(db);
      }
      expect((await sizeOf(db)) - first).toBeLessThan(2 * MIB);
    });
  });
}
