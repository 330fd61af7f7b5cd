/** Texts of deleted rooms are erased in steps, between which other work runs, until all are gone. */
import { describe, expect, test } from 'bun:test';
import { createApp } from '../../src/app.ts';
import { eraseUser, Rooms } from '../../src/chat/index.ts';
import { DatabaseUnavailableError } from '../../src/lib/errors.ts';
import type { Database } from '../../src/db/index.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { dialects, openTestDatabase } from '../support/databases.ts';
import { failure } from '../support/failure.ts';
import { openGateway } from '../support/gateway.ts';
import { openWorld, sharedWorld, type Chatter, type World } from '../support/world.ts';

/** Takes three steps. */
const MESSAGES = 1_400;
const SECRET = 'what nobody else shall read';

/** Calls `before` with the number of each transaction, from 1 on. */
function watched(db: Database, before: (number: number) => Promise<void>): Database {
  let number = 0;
  return {
    ...db,
    query: db.query.bind(db),
    async transaction(work) {
      await before(++number);
      return db.transaction(work);
    },
  };
}

function awayFrom(number: number) {
  return async (transaction: number): Promise<void> => {
    if (transaction >= number) throw new DatabaseUnavailableError('away');
    await Promise.resolve();
  };
}

for (const dialect of dialects) {
  describe(`${dialect}: erasure of texts`, () => {
    const world = sharedWorld(dialect);

    /** A user with a long room: copies of one message. */
    async function talkative({ gateway, user }: World = world()): Promise<Chatter> {
      const alice = await user();
      const headers = { 'idempotency-key': 'kept' };
      await alice.send({ message: SECRET }, { headers });
      await gateway.core.db.transaction(async (tx) => {
        const columns = `state, node_id, hold, asked_version_id, version_id, system_prompt, request, response,
          parameters, cost_request, cost_response, created_at, response_at`;
        await tx.query(
          `INSERT INTO messages (user_id, room_id, id, ${columns})
           WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < ${MESSAGES})
           SELECT user_id, room_id, i, ${columns} FROM n CROSS JOIN messages
           WHERE user_id = $1 AND id = 1`,
          [alice.userId],
        );
        await tx.query(`UPDATE accounts SET last_message_id = ${MESSAGES} WHERE user_id = $1`, [
          alice.userId,
        ]);
      });
      return alice;
    }

    async function withTexts({ userId }: Chatter): Promise<number> {
      const rows = await world().gateway.core.db.query(
        `SELECT id FROM messages WHERE user_id = $1
           AND (request <> '' OR response <> '' OR parameters <> '{}')`,
        [userId],
      );
      return rows.length;
    }

    const erasuresLeft = async ({ userId }: Chatter): Promise<number> =>
      (
        await world().gateway.core.db.query('SELECT 1 AS one FROM erasures WHERE user_id = $1', [
          userId,
        ])
      ).length;

    test('lets other sends run between its steps, and leaves no text', async () => {
      const { gateway, user } = world();
      const [alice, bob] = [await talkative(), await user()];
      expect(await withTexts(alice)).toBe(MESSAGES);
      const left: number[] = [];
      const between = watched(gateway.core.db, async (number) => {
        if (number === 1) return;
        await bob.send();
        left.push(await withTexts(alice));
      });
      await new Rooms(between, systemClock).delete(alice.userId, alice.room);
      expect(left).toEqual([1400, 900, 400]);
      expect([await withTexts(alice), await erasuresLeft(alice)]).toEqual([0, 0]);
      expect(await withTexts(bob)).toBe(3);
    });

    test('counts a few large texts as a step, like many small ones', async () => {
      const { db } = world().gateway.core;
      const alice = await talkative();
      await db.transaction((tx) =>
        tx.query('UPDATE messages SET request = $2 WHERE user_id = $1 AND id <= 8', [
          alice.userId,
          'x'.repeat(1024 * 1024),
        ]),
      );
      const left: number[] = [];
      const between = watched(db, async (number) => {
        if (number > 1) left.push(await withTexts(alice));
      });
      await new Rooms(between, systemClock).delete(alice.userId, alice.room);
      expect(left).toEqual([1400, 1397, 1394, 894, 394]);
      expect([await withTexts(alice), await erasuresLeft(alice)]).toEqual([0, 0]);
    });

    test('leaves the database free for other processes between two steps', async () => {
      const { db } = world().gateway.core;
      const alice = await talkative();
      let paused = 0;
      const pausedBefore: boolean[] = [];
      const steps: Database = {
        ...watched(db, () => Promise.resolve()),
        async transaction(work) {
          const number = pausedBefore.push(paused === pausedBefore.length);
          const result = await db.transaction(work);
          // A shorter wait than the pause always ends before the next step, however slow the machine is.
          setTimeout(() => (paused = number), 4);
          return result;
        },
      };
      await new Rooms(steps, systemClock).delete(alice.userId, alice.room);
      // The first transaction deletes the room, and the first step follows it.
      expect(pausedBefore.slice(2)).toEqual([true, true]);
    });

    test('hides texts at once, and after a crash the sweep removes them from the tables', async () => {
      const { core } = world().gateway;
      const alice = await talkative();
      const dying = new Rooms(watched(core.db, awayFrom(3)), systemClock);
      expect(await failure(dying.delete(alice.userId, alice.room))).toBeInstanceOf(
        DatabaseUnavailableError,
      );
      expect(await withTexts(alice)).toBe(900);
      const { token } = alice;
      const query = { room_id: alice.room };
      expect(await world().gateway.code('/ai/history/', query, { token })).toBe('room_not_found');
      // A new room with the same id is empty, even if not all texts of the previous one are gone.
      await world().gateway.data('/ai/room/', query, { token });
      expect(await alice.history()).toEqual([]);
      await alice.send({ message: 'new' });
      await core.rooms.erasure.sweep();
      expect([await withTexts(alice), await erasuresLeft(alice)]).toEqual([1, 0]);
      expect((await alice.history()).map(({ request }) => request)).toEqual(['new']);
      const answers = await core.db.query(
        'SELECT response FROM idempotency_keys WHERE user_id = $1',
        [alice.userId],
      );
      expect(answers).toEqual([{ response: '' }]);
    });

    test('removes an answer kept for an idempotency key at once', async () => {
      const { core } = world().gateway;
      const alice = await talkative();
      const newest = [{ message: SECRET }, { headers: { 'idempotency-key': 'newest' } }] as const;
      await alice.send(...newest);
      const dying = new Rooms(watched(core.db, awayFrom(3)), systemClock);
      await failure(dying.delete(alice.userId, alice.room));
      expect(await alice.code(...newest)).toBe('room_not_found');
      await core.rooms.register(alice.userId, alice.room);
      expect(await alice.code(...newest)).toBe('room_not_found');
      expect(await alice.charges()).toHaveLength(2);
    });

    test('continues at the next start of a server', async () => {
      await using database = await openTestDatabase(dialect);
      await database.db.transaction((tx) =>
        tx.query(
          `INSERT INTO erasures (user_id, room_id, erased_through, through_id) VALUES (1, '', 0, 1)`,
        ),
      );
      await using gateway = await openGateway(dialect, { database });
      const left = () => gateway.core.db.query('SELECT 1 AS one FROM erasures');
      while ((await left()).length > 0) await new Promise((resume) => setImmediate(resume));
    });

    test('stops with its server, and continues at the next start', async () => {
      await using own = await openWorld(dialect);
      const { core, app } = own.gateway;
      const alice = await talkative(own);
      const dying = new Rooms(watched(core.db, awayFrom(2)), systemClock);
      await failure(dying.delete(alice.userId, alice.room));
      await app.stop(0);
      const { erasure } = core.rooms;
      const sweep = erasure.sweep.bind(erasure);
      let swept: Promise<void> | undefined;
      erasure.sweep = (stopped) => (swept = sweep(stopped));
      await (await createApp(core)).stop(0);
      await swept;
      const left = 'SELECT id FROM messages WHERE user_id = $1 AND request <> $2';
      expect((await core.db.query(left, [alice.userId, ''])).length).toBeGreaterThan(0);
      await sweep();
      expect(await core.db.query(left, [alice.userId, ''])).toEqual([]);
    });

    test('of a room that is deleted again meanwhile removes the texts of both', async () => {
      const { core } = world().gateway;
      const alice = await talkative();
      const dying = new Rooms(watched(core.db, awayFrom(2)), systemClock);
      await failure(dying.delete(alice.userId, alice.room));
      await core.rooms.register(alice.userId, alice.room);
      await alice.send({ message: 'new' });
      expect(await withTexts(alice)).toBe(MESSAGES + 1);
      await core.rooms.delete(alice.userId, alice.room);
      expect([await withTexts(alice), await erasuresLeft(alice)]).toEqual([0, 0]);
    });

    test('of a small room does not wait for a large one of the same user', async () => {
      const { db } = world().gateway.core;
      const alice = await talkative();
      await failure(
        new Rooms(watched(db, awayFrom(2)), systemClock).delete(alice.userId, alice.room),
      );
      const small = await world().gateway.room(alice.token);
      await alice.send({ room_id: small, message: SECRET });
      // One transaction that deletes the room, and one step.
      await new Rooms(watched(db, awayFrom(3)), systemClock).delete(alice.userId, small);
      expect(await withTexts(alice)).toBe(MESSAGES);
    });

    test('of a user runs in steps, too, and a crash only delays it', async () => {
      const { core } = world().gateway;
      const [alice, bob] = [await talkative(), await talkative()];
      const { users, images } = core;
      const dying = new Rooms(watched(core.db, awayFrom(2)), systemClock);
      expect(
        await failure(eraseUser({ users, images, rooms: dying }, alice.userId)),
      ).toBeInstanceOf(DatabaseUnavailableError);
      expect((await users.get(alice.userId)).login).toBe(`erased-${alice.userId}`);
      await core.rooms.erasure.sweep();
      expect([await withTexts(alice), await erasuresLeft(alice)]).toEqual([0, 0]);
      await eraseUser(core, bob.userId);
      expect([await withTexts(bob), await erasuresLeft(bob)]).toEqual([0, 0]);
    });
  });
}
