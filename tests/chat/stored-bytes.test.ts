/** The bytes stored for a user are counted and bounded, and a failed send leaves little behind. */
import { describe, expect, test } from 'bun:test';
import type { Database } from '../../src/db/index.ts';
import { dialects } from '../support/databases.ts';
import { IMAGE_MODEL, openWorld, sharedWorld, type Chatter, type World } from '../support/world.ts';

const MIB = 2 ** 20;
/** Reported usage, so that the tokens of long texts are not counted. */
const usage = { prompt_tokens: 9, completion_tokens: 1 };
const long = 'ж'.repeat(20_000);
const big = [
  { id: 101, max_input_tokens: 200_000 },
  { id: IMAGE_MODEL, model: 'scripted-image', type: 'IMAGE' },
];

async function counted(db: Database, userId: number) {
  const [account] = await db.query<{ rooms: number; bytes: number }>(
    'SELECT rooms, stored_bytes AS bytes FROM accounts WHERE user_id = $1',
    [userId],
  );
  return account;
}

/** The same sum, computed from the rows themselves. */
async function stored(db: Database, userId: number) {
  const one = async (text: string) =>
    (await db.query<{ n: number | null }>(text, [userId]))[0]?.n ?? 0;
  const texts = await one(
    `SELECT CAST(SUM(OCTET_LENGTH(system_prompt) + OCTET_LENGTH(request) + OCTET_LENGTH(response))
       AS BIGINT) AS n FROM messages WHERE user_id = $1`,
  );
  const responses = await one(
    `SELECT CAST(SUM(OCTET_LENGTH(input) + OCTET_LENGTH(settings)
         + COALESCE(OCTET_LENGTH(output), 0)) AS BIGINT) AS n FROM responses WHERE user_id = $1`,
  );
  const images = await one(
    'SELECT CAST(SUM(size) AS BIGINT) AS n FROM images WHERE user_id = $1 AND erased_at IS NULL',
  );
  const rooms = await one('SELECT COUNT(*) AS n FROM rooms WHERE user_id = $1');
  return { rooms, bytes: texts + responses + images };
}

for (const dialect of dialects) {
  describe(`${dialect}: what is stored for a user`, () => {
    const world = sharedWorld(dialect, { models: big });

    async function expectCounted({ gateway }: World, { userId }: Chatter) {
      const { db } = gateway.core;
      const count = await counted(db, userId);
      expect(count).toEqual(await stored(db, userId));
      return count;
    }

    test('is counted exactly: concurrent sends, images, failures, deleted rooms', async () => {
      const { gateway, provider, user } = world();
      const alice = await user({ credit: 1_000 });
      await Promise.all(
        Array.from({ length: 20 }, (_, at) =>
          alice.send({ message: `Ёж ${at}`, system_prompt: 'Да' }),
        ),
      );
      await alice.send({ ai: IMAGE_MODEL, message: 'a gate' });
      await provider.script('500');
      await alice.code({ message: 'fails' });
      await alice.code({ message: long });
      await provider.script('good');
      const respond = (more: object) =>
        gateway.fetch('/v1/responses', {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            authorization: `Bearer ${alice.token}`,
            'x-room-id': alice.room,
          },
          body: JSON.stringify({
            model: 'scripted-text',
            instructions: 'Да',
            input: 'Ёж',
            ...more,
          }),
        });
      expect((await respond({})).status).toBe(200);
      const made = await Array.fromAsync((await respond({ stream: true })).body ?? []);
      const id = /resp_[\w-]+/.exec(Buffer.concat(made).toString())?.[0];
      const bytes = (await expectCounted(world(), alice))?.bytes ?? 0;
      const deleted = await gateway.fetch(`/v1/responses/${id}`, {
        method: 'DELETE',
        headers: { authorization: `Bearer ${alice.token}` },
      });
      expect(deleted.status).toBe(200);
      expect((await expectCounted(world(), alice))?.bytes).toBeLessThan(bytes);
      await provider.script('500');
      expect((await respond({ input: long })).status).toBe(502);
      await provider.script('good');
      const second = await gateway.room(alice.token);
      await alice.send({ room_id: second, message: 'elsewhere' });
      expect(await expectCounted(world(), alice)).toMatchObject({ rooms: 2 });

      await provider.script('hold');
      const running = alice.send({ message: 'runs while its room goes' });
      await provider.held(1);
      await gateway.data('/ai/room/delete/', { room_id: alice.room }, alice);
      provider.release();
      await running;
      await provider.script('good');
      const left = await expectCounted(world(), alice);
      expect(left).toMatchObject({ rooms: 2 });
      expect(left?.bytes).toBeLessThan(100);
      await gateway.data('/ai/room/', { room_id: alice.room }, alice);
      expect(await expectCounted(world(), alice)).toMatchObject({ rooms: 2 });
    });

    test('is little of failed sends: the first 4,096 characters of each text', async () => {
      const { provider, user } = world();
      const alice = await user({ credit: 1_000 });
      await provider.script('500');
      for (let times = 0; times < 3; times++) await alice.code({ message: long });
      await alice.code({ message: 'M'.repeat(10_000), system_prompt: 'S'.repeat(10_000) });
      await alice.code({ message: 'short' });
      expect((await expectCounted(world(), alice))?.bytes).toBe(3 * 8_192 + 2 * 4_096 + 5);
      const failed = await alice.history({ include_failed: true });
      expect(failed.map(({ request }) => request).slice(-3)).toEqual([
        'ж'.repeat(4_096),
        'M'.repeat(4_096),
        'short',
      ]);
      expect(failed.at(-2)?.system_prompt).toBe('S'.repeat(4_096));
      await provider.script({ text: 'Well', usage });
      await alice.send({ message: long });
      expect((await alice.history()).at(-1)?.request).toBe(long);
      await provider.script('good');
    });
  });

  describe(`${dialect}: a limit of a user`, () => {
    const env = { ZASTAVA_USER_ROOMS_MAX: '2', ZASTAVA_USER_STORED_MIB: '1' };

    test('of stored bytes refuses sends until a room is deleted, also concurrent ones', async () => {
      await using world = await openWorld(dialect, { models: big, env });
      const { gateway, provider, user } = world;
      const alice = await user({ credit: 1_000 });
      const bob = await user({ credit: 1_000 });
      await provider.script({ text: 'Well', usage });
      const message = 'x'.repeat(10_000);
      const near = 'UPDATE accounts SET stored_bytes = $1';
      await gateway.core.db.transaction((tx) => tx.query(near, [MIB - 25_000]));
      const answers = await Promise.all([1, 2, 3, 4, 5].map(() => alice.trySend({ message })));
      const refused = answers.filter(({ status }) => status !== 200);
      expect(refused).toHaveLength(3);
      for (const { status, body } of refused) {
        expect([status, body.error?.code]).toEqual([422, 'invalid_request']);
        expect(body.error?.message).toContain('ZASTAVA_USER_STORED_MIB');
      }
      expect((await counted(gateway.core.db, alice.userId))?.bytes).toBeLessThanOrEqual(MIB);
      expect((await alice.funds()).held).toBe(0);
      await bob.send({ message });
      await gateway.data('/ai/room/delete/', { room_id: alice.room }, alice);
      await alice.send({ room_id: await gateway.room(alice.token), message });
    });

    test('of rooms counts deleted ones, and allows using them again', async () => {
      await using world = await openWorld(dialect, { env });
      const { gateway, user } = world;
      const alice = await user();
      await gateway.data('/ai/room/delete/', { room_id: alice.room }, alice);
      const opened = await Promise.all(
        [1, 2, 3].map(() => gateway.post('/ai/room/', {}, { token: alice.token })),
      );
      const refused = opened.filter(({ status }) => status !== 200);
      expect(refused).toHaveLength(2);
      expect(refused[0]?.body.error).toMatchObject({ code: 'invalid_request' });
      expect(refused[0]?.body.error?.message).toContain('ZASTAVA_USER_ROOMS_MAX');
      await gateway.data('/ai/room/', { room_id: alice.room }, alice);
      await alice.send();
    });
  });
}
