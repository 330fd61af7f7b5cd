/** The index of a room's messages finds the same messages as a scan of all. */
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { answeredItems } from '../../src/chat/context/context.ts';
import type { SendCommand, SendCommandResult } from '../../src/chat/commit/commands.ts';
import { runSendBatch } from '../../src/chat/commit/send-commit.ts';
import { addRecent, readRecent } from '../../src/chat/rooms/room-index.ts';
import { dialects } from '../support/databases.ts';
import { wronglyIndexedRooms } from '../support/room-index.ts';
import { failed, holdOf, settleOf } from '../support/send-commands.ts';
import { expectBooksHold, sharedWorld, type Chatter } from '../support/world.ts';

type Step =
  | { step: 'hold'; room: number; count: number }
  /** Settles every n-th open message, beginning at the given one. */
  | { step: 'settle'; every: number; from: number; how: 'answer' | 'fail' | 'no words' }
  | { step: 'delete'; room: number };

const ROOMS = 3;
const room = fc.nat({ max: ROOMS - 1 });
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        step: fc.constant('hold' as const),
        room,
        count: fc.integer({ min: 1, max: 128 }),
      }),
    },
    {
      weight: 6,
      arbitrary: fc.record({
        step: fc.constant('settle' as const),
        every: fc.integer({ min: 1, max: 5 }),
        from: fc.nat({ max: 4 }),
        how: fc.constantFrom('answer', 'fail', 'no words'),
      }),
    },
    { weight: 1, arbitrary: fc.record({ step: fc.constant('delete' as const), room }) },
  ),
  { minLength: 4, maxLength: 24 },
);

const ends = { answer: {}, fail: failed, 'no words': { response: '' } } as const;

describe('the newest messages of a room', () => {
  test('are kept in order, whatever the order of their settles, up to the limit', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 1, max: 2 ** 53 - 1 }), { maxLength: 60 }),
        (ids) => {
          const text = ids.reduce(addRecent, '');
          expect(text.length).toBeLessThanOrEqual(96);
          const kept = readRecent(text);
          const [first = Infinity] = kept;
          // Ids below the first may be missing, but none above it.
          expect(kept).toEqual(ids.filter((id) => id >= first).sort((a, b) => a - b));
          if (ids.length > 0) expect(kept).toContain(Math.max(...ids));
        },
      ),
    );
  });
});

for (const dialect of dialects) {
  describe(`${dialect}: the messages of a room`, () => {
    const world = sharedWorld(dialect);

    const run = (commands: SendCommand[]): Promise<SendCommandResult[]> =>
      world().gateway.core.db.transaction((tx) => runSendBatch(tx, commands));

    /** A user with rooms, after these steps. */
    async function lived(todo: readonly Step[]): Promise<Chatter[]> {
      const { gateway, user } = world();
      const first = await user();
      const rooms = [first];
      while (rooms.length < ROOMS) {
        rooms.push({ ...first, room: await gateway.room(first.token) });
      }
      const open: { of: Chatter; id: number }[] = [];
      for (const one of todo) {
        if (one.step === 'settle') {
          const { every, from, how } = one;
          const some = open.filter((_, index) => index % every === from % every);
          const results = await run(some.map(({ of, id }) => settleOf(of, id, ends[how])));
          expect(results.every(({ kind }) => kind === 'settled')).toBe(true);
          for (const settled of some) open.splice(open.indexOf(settled), 1);
          continue;
        }
        const of = rooms[one.room] ?? first;
        if (one.step === 'hold') {
          const results = await run(Array.from({ length: one.count }, () => holdOf(of)));
          for (const result of results) {
            if (result.kind === 'held') open.push({ of, id: result.messageId });
          }
        } else {
          await gateway.core.rooms.delete(of.userId, of.room);
          await gateway.core.rooms.register(of.userId, of.room);
        }
      }
      return rooms;
    }

    /** The messages that a scan of all messages finds. */
    async function shown(of: Chatter, condition: string): Promise<number[]> {
      const rows = await world().gateway.core.db.query<{ id: number }>(
        `SELECT id FROM messages WHERE user_id = $1 AND room_id = $2 AND ${condition}
           AND id > (SELECT erased_through FROM rooms WHERE room_id = $2) ORDER BY id`,
        [of.userId, of.room],
      );
      return rows.map(({ id }) => id);
    }

    async function history(
      { userId, room: roomId }: Chatter,
      options: { includeFailed: boolean; limit?: number; before?: number },
    ): Promise<number[]> {
      const { limit, before, includeFailed } = options;
      const scope = { roomId, includeFailed, limit, before };
      const ids: number[] = [];
      const { pages } = await world().gateway.core.history.read(userId, scope);
      for await (const page of pages) ids.push(...page.map(({ id }) => id));
      return ids;
    }

    async function context({ userId, room: roomId }: Chatter, depth: number): Promise<number[]> {
      const ids: number[] = [];
      const query = { userId, roomId, depth };
      for await (const page of answeredItems(world().gateway.core.db, query)) {
        ids.push(...page.map(({ id }) => id));
      }
      return ids.toReversed();
    }

    const numbers = {
      limit: fc.integer({ min: 1, max: 700 }),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
    };

    test('histories and contexts agree with the messages table after any steps', async () => {
      const property = fc.asyncProperty(
        steps,
        numbers.limit,
        numbers.share,
        async (todo, limit, share) => {
          for (const of of await lived(todo)) {
            const everything = await shown(of, '1 = 1');
            const answers = await shown(of, `state IN ('done', 'stopped')`);
            expect(await history(of, { includeFailed: true })).toEqual(everything);
            expect(await history(of, { includeFailed: false })).toEqual(answers);
            expect(await history(of, { includeFailed: true, limit })).toEqual(
              everything.slice(-limit),
            );
            const before = everything[Math.floor(share * everything.length)] ?? 1;
            expect(await history(of, { includeFailed: false, limit, before })).toEqual(
              answers.filter((id) => id < before).slice(-limit),
            );
            const words = new Set(await shown(of, `response <> ''`));
            for (const depth of [1, 3, limit]) {
              const last = answers.slice(-depth);
              expect(await context(of, depth)).toEqual(last.filter((id) => words.has(id)));
            }
          }
          expect(await wronglyIndexedRooms(world().gateway.core.db)).toEqual([]);
        },
      );
      await fc.assert(property, { numRuns: dialect === 'sqlite' ? 25 : 10 });
      await expectBooksHold(world().gateway);
    }, 300_000);

    test('rooms are indexed after each 512 messages of a user, and no text of a deleted room is left', async () => {
      const { db } = world().gateway.core;
      const hold = { step: 'hold', room: 0, count: 100 } as const;
      const settle = { step: 'settle', every: 1, from: 0, how: 'answer' } as const;
      const [first, second, third] = await lived([
        ...Array.from({ length: 5 }, (): Step[] => [hold, { ...hold, room: 1 }, settle]).flat(),
        { ...hold, room: 2, count: 27 },
        settle,
      ]);
      if (!first || !second || !third) throw new Error('no rooms');
      const blocks = await db.query(
        `SELECT room_id AS room, first_id AS first FROM room_blocks WHERE user_id = $1
         ORDER BY first_id`,
        [first.userId],
      );
      expect(blocks).toEqual([
        { room: first.room, first: 1 },
        { room: second.room, first: 101 },
        { room: second.room, first: 513 },
        { room: first.room, first: 601 },
        { room: third.room, first: 1001 },
      ]);
      await world().gateway.core.rooms.delete(first.userId, first.room);
      const left = await db.query(
        `SELECT DISTINCT room_id AS room FROM messages WHERE user_id = $1
           AND (request <> '' OR response <> '' OR parameters <> '{}') ORDER BY room`,
        [first.userId],
      );
      expect(left).toEqual([second.room, third.room].sort().map((id) => ({ room: id })));
    });
  });
}
