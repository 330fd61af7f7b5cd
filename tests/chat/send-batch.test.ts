/** One transaction of holds and settles: how its commands affect each other. */
import { describe, expect, test } from 'bun:test';
import {
  DELETED_ANSWER,
  noSettledUsage,
  type IdempotencyKey,
  type SendCommand,
  type SendCommandResult,
} from '../../src/chat/commit/commands.ts';
import { runSendBatch } from '../../src/chat/commit/send-commit.ts';
import { dialects } from '../support/databases.ts';
import { failed, HOLD, holdOf, NOON, settleOf, tokenPrice } from '../support/send-commands.ts';
import { expectBooksHold, sharedWorld, type Chatter } from '../support/world.ts';

const DAY = 86_400_000;

const keyOf = (operation: string, key = 'k'): IdempotencyKey => ({
  operation,
  key,
  bodySha256: 'the same body',
});

for (const dialect of dialects) {
  describe(`${dialect}: a batch of the send path`, () => {
    const world = sharedWorld(dialect);

    const run = (...commands: SendCommand[]): Promise<SendCommandResult[]> =>
      world().gateway.core.db.transaction((tx) => runSendBatch(tx, commands));

    /**
     * Takes this many holds.
     * @returns the ids of the messages
     */
    async function begun(of: Chatter, count: number): Promise<number[]> {
      const results = await run(...Array.from({ length: count }, () => holdOf(of)));
      return results.map((result) => (result.kind === 'held' ? result.messageId : 0));
    }

    const kindsOf = (results: SendCommandResult[]) => results.map(({ kind }) => kind);

    test('a settle closes its own message, and no other of the room', async () => {
      const alice = await world().user();
      const [first = 0, second = 0, third = 0] = await begun(alice, 3);
      expect(kindsOf(await run(settleOf(alice, second)))).toEqual(['settled']);
      expect((await alice.funds()).held).toBe(2 * HOLD);
      const others = await run(settleOf(alice, first), settleOf(alice, third));
      expect(kindsOf(others)).toEqual(['settled', 'settled']);
      expect(await alice.funds()).toMatchObject({ held: 0, balance: 100_000_000 - 33 });
      await expectBooksHold(world().gateway);
    });

    test('a repeated settle gets the same result without a second charge; another one is lost', async () => {
      const alice = await world().user();
      const [id = 0] = await begun(alice, 1);
      const settle = settleOf(alice, id);
      const [settled] = await run(settle);
      expect(await run(settle, settle)).toEqual([settled, settled] as SendCommandResult[]);
      expect(kindsOf(await run(settleOf(alice, id, { at: NOON + 1 })))).toEqual(['lost']);
      expect(kindsOf(await run(settleOf(alice, id, failed)))).toEqual(['lost']);
      const [other = 0] = await begun(alice, 1);
      // The same settle twice at once: only one of them took effect.
      const voided = settleOf(alice, other, failed);
      expect(kindsOf(await run(voided, voided))).toEqual(['settled', 'lost']);
      const interrupted = { ...failed, errorCode: 'interrupted' };
      expect(kindsOf(await run(settleOf(alice, other, interrupted)))).toEqual(['lost']);
      expect(await alice.charges()).toEqual([11]);
      await expectBooksHold(world().gateway);
    });

    test('a key belongs to one user and operation, also within a batch', async () => {
      const [alice, bob] = [await world().user(), await world().user()];
      const holds = [
        holdOf(alice, { idempotency: keyOf('send') }),
        holdOf(alice, { idempotency: keyOf('chat') }),
        holdOf(bob, { idempotency: keyOf('send') }),
      ];
      const again = holdOf(alice, { idempotency: keyOf('chat') });
      expect(kindsOf(await run(...holds, again))).toEqual(['held', 'held', 'held', 'in_progress']);
      await run(
        settleOf(alice, 1, { ...failed, idempotency: keyOf('send') }),
        settleOf(alice, 2, { keptAnswer: '{"text":"Hi"}', idempotency: keyOf('chat') }),
      );
      const { db } = world().gateway.core;
      const response = '{"balance":99999989,"text":"Hi"}';
      const kept = await db.query(
        `SELECT user_id AS "userId", operation, response FROM idempotency_keys
         WHERE key = 'k' ORDER BY user_id, operation`,
      );
      expect(kept).toEqual([
        { userId: alice.userId, operation: 'chat', response },
        { userId: bob.userId, operation: 'send', response: null },
      ]);
      expect(await run(again)).toEqual([{ kind: 'replay', response }]);
      const other = { ...keyOf('chat'), bodySha256: 'another body' };
      expect(kindsOf(await run(holdOf(alice, { idempotency: other })))).toEqual(['key_reused']);
    });

    test('the message stores the granted cap and the warnings', async () => {
      const { gateway, user } = world();
      const alice = await user({ credit: 0.00005 });
      const bounds = {
        price: tokenPrice,
        inputTokensMax: 0,
        outputTokensMax: HOLD,
        reducibleTo: 1,
      };
      const [held] = await run(holdOf(alice, { bounds, parameters: { seed: 7 } }));
      expect(held).toMatchObject({ kind: 'held', hold: 50, outputTokensMax: 50 });
      await run(settleOf(alice, 1, { hold: 50, warnings: ['lowered'] }));
      const [row] = await gateway.core.db.query<{ parameters: string; warnings: string }>(
        'SELECT parameters, warnings FROM messages WHERE user_id = $1',
        [alice.userId],
      );
      expect(JSON.parse(row?.parameters ?? '')).toEqual({ seed: 7, max_output_tokens: 50 });
      expect(JSON.parse(row?.warnings ?? '')).toEqual(['lowered']);
    });

    test('users of one model on one day have separate usage rows', async () => {
      const [alice, bob] = [await world().user(), await world().user()];
      await begun(alice, 1);
      await begun(bob, 1);
      const cost = { request: 0, response: 7 };
      await run(settleOf(alice, 1), settleOf(bob, 1, { cost }));
      const spends = await world().gateway.core.db.query(
        'SELECT spend FROM usage_daily WHERE user_id IN ($1, $2) ORDER BY user_id',
        [alice.userId, bob.userId],
      );
      expect(spends).toEqual([{ spend: 11 }, { spend: 7 }]);
    });

    test('a message of a deleted room is charged, and no longer counted in the room', async () => {
      const { gateway, user } = world();
      const alice = await user();
      await begun(alice, 1);
      await gateway.data('/ai/room/delete/', { room_id: alice.room }, alice);
      expect(await run(settleOf(alice, 1))).toMatchObject([{ kind: 'settled', erased: true }]);
      const [room] = await gateway.core.db.query(
        'SELECT message_count AS count, spend, title FROM rooms WHERE room_id = $1',
        [alice.room],
      );
      expect(room).toEqual({ count: 0, spend: 11, title: '' });
    });

    test('a key whose answer was deleted keeps a mark, and is not sent again', async () => {
      const alice = await world().user();
      const idempotency = keyOf('send', 'deleted');
      await run(holdOf(alice, { idempotency }));
      await run(settleOf(alice, 1, { idempotency, keptAnswer: '{"text":"Hi"}' }));
      const { gateway } = world();
      await gateway.data('/ai/room/delete/', { room_id: alice.room }, alice);
      await gateway.data('/ai/room/', { room_id: alice.room }, alice);
      const [again] = await run(holdOf(alice, { idempotency }));
      expect(again).toEqual({ kind: 'replay', response: DELETED_ANSWER });
      expect((await alice.funds()).held).toBe(0);
    });

    test('usage counts each settle on its day, and the room has its first title and last use', async () => {
      const { gateway, user } = world();
      const alice = await user();
      const [first = 0, second = 0, third = 0, fourth = 0, fifth = 0] = await begun(alice, 5);
      const counts = { promptTokens: 2, completionTokens: 5 };
      const used = { usage: { ...noSettledUsage, ...counts } };
      await run(
        settleOf(alice, first, { ...used, at: NOON + DAY }),
        settleOf(alice, second, used),
        settleOf(alice, third, { ...failed, at: NOON - 1 }),
        // The reports count the cost of a refusal; the message does not count for the room.
        settleOf(alice, fifth, { ...failed, ...used, cost: { request: 11, response: 0 } }),
      );
      await run(settleOf(alice, fourth, { ...used, at: NOON + 1 }));
      const { db } = gateway.core;
      const days = await db.query(
        `SELECT day, requests, prompt_tokens AS "in", completion_tokens AS "out", spend
         FROM usage_daily WHERE user_id = $1 ORDER BY day`,
        [alice.userId],
      );
      const day = NOON / DAY - 0.5;
      expect(days).toEqual([
        { day, requests: 3, in: 6, out: 15, spend: 33 },
        { day: day + 1, requests: 1, in: 2, out: 5, spend: 11 },
      ]);
      const [room] = await db.query(
        `SELECT title, message_count AS count, spend FROM rooms WHERE room_id = $1`,
        [alice.room],
      );
      expect(room).toEqual({ title: `title of ${first}`, count: 3, spend: 44 });
    });

    test("a room's last use is the answer to its newest message in the batch", async () => {
      const { gateway, user } = world();
      const alice = await user();
      const [first = 0, second = 0, third = 0] = await begun(alice, 3);
      await run(
        settleOf(alice, first, { at: NOON }),
        settleOf(alice, second, { at: NOON + 7 }),
        settleOf(alice, third, { at: NOON + 3 }),
      );
      const [room] = await gateway.core.db.query(
        'SELECT last_used_at AS at FROM rooms WHERE room_id = $1',
        [alice.room],
      );
      expect(room).toEqual({ at: NOON + 7 });
    });
  });
}
