/** The part of an answer that is kept for its idempotency key. */
import { describe, expect, test } from 'bun:test';
import type { SendResult } from '../../src/chat/index.ts';
import { OVERSIZED_ANSWER } from '../../src/chat/commit/commands.ts';
import { keptAnswer, readKeptAnswer, withBalance } from '../../src/chat/idempotency.ts';
import { readOutput } from '../../src/chat/responses/kept-output.ts';
import { dialects } from '../support/databases.ts';
import { sharedWorld } from '../support/world.ts';

const result = { response: 'Hi', askedAt: 1, respondedAt: 2 } as SendResult;
const vectors = (count: number, size: number) =>
  Array.from({ length: count }, () => Array.from({ length: size }, () => 0.1));

test('an answer is returned unchanged, with the balance after its charge', () => {
  const embedded = { ...result, vectors: vectors(2, 3) };
  const kept = withBalance(keptAnswer(embedded), 5);
  expect(readKeptAnswer(kept)).toEqual({ ...embedded, balance: 5 });
});

test('of one that is too large only a mark is kept', () => {
  const oversized = keptAnswer({ ...result, vectors: vectors(300, 1_536) });
  expect(withBalance(oversized, 5)).toBe(OVERSIZED_ANSWER);
  expect(keptAnswer({ ...result, response: 'x'.repeat(9 * 1024 * 1024) })).toBe(OVERSIZED_ANSWER);
});

test('an answer that an earlier version kept has its reasoning', () => {
  const quoted = { response: '"thoughts":[' };
  const json = `{"balance":5,${JSON.stringify(quoted).slice(1, -1)},"thoughts":[{"text":"Hm"}]}`;
  expect(readKeptAnswer(json) as unknown).toEqual({
    balance: 5,
    ...quoted,
    reasoning: [{ text: 'Hm' }],
  });
  expect(readOutput('Hi', '{"toolCalls":[],"thoughts":[{"text":"Hm"}]}')).toMatchObject({
    reasoning: [{ text: 'Hm' }],
  });
});

for (const dialect of dialects) {
  describe(`${dialect}: a key whose answer was too large`, () => {
    const world = sharedWorld(dialect);
    const key = { headers: { 'idempotency-key': 'large' } };

    test('is refused, and nothing is charged again', async () => {
      const { gateway, provider, user } = world();
      const alice = await user();
      await alice.send({}, key);
      await gateway.core.db.transaction((tx) =>
        tx.query('UPDATE idempotency_keys SET response = $1 WHERE user_id = $2', [
          OVERSIZED_ANSWER,
          alice.userId,
        ]),
      );
      const calls = provider.calls.length;
      expect(await alice.code({}, key)).toBe('idempotency_key_reused');
      expect(provider.calls).toHaveLength(calls);
      expect(await alice.charges()).toHaveLength(1);
    });
  });
}
