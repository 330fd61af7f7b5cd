/** A balance for ten sends, and a thousand concurrent sends. */
import { describe, expect, test } from 'bun:test';
import { dialects } from '../support/databases.ts';
import { openGateway, type Gateway } from '../support/gateway.ts';
import {
  catalogueOf,
  chatterOf,
  expectBooksHold,
  openWorld,
  sharedWorld,
  type Chatter,
  type ModelLine,
} from '../support/world.ts';

/** Exactly 1 ₽ for a send that uses its cap. */
const models: ModelLine[] = [
  {
    id: 101,
    cost_input_tokens_rub: 0,
    cost_output_tokens_rub: 10_000,
    cost_input_fix_rub: 0,
    cost_output_fix_rub: 0,
  },
];
const SENDS = 1_000;
const PAID_FOR = 10;
const body = { max_output_tokens: 100 };
const usage = { prompt_tokens: 1, completion_tokens: 100 };

const tally = (statuses: number[]) => ({
  passed: statuses.filter((status) => status === 200).length,
  refused: statuses.filter((status) => status === 402).length,
});

async function expectNeverBelow(gateway: Gateway, alice: Chatter, limit: number): Promise<void> {
  const [lowest] = await gateway.core.db.query<{ lowest: number }>(
    `SELECT MIN(balance_after) AS lowest FROM ledger_entries WHERE user_id = $1`,
    [alice.userId],
  );
  expect(lowest?.lowest).toBeGreaterThanOrEqual(limit);
  expect((await alice.funds()).held).toBe(0);
  await expectBooksHold(gateway);
}

for (const dialect of dialects) {
  describe(`${dialect}: a thousand sends at once`, () => {
    const world = sharedWorld(dialect, { models });

    test('with money for ten, ten pass and the rest are refused with 402', async () => {
      const { gateway, provider, user } = world();
      const alice = await user({ credit: PAID_FOR });
      const calls = provider.calls.length;
      await provider.script({ usage });
      const answers = await Promise.all(Array.from({ length: SENDS }, () => alice.trySend(body)));
      const { passed, refused } = tally(answers.map(({ status }) => status));
      expect(passed).toBe(PAID_FOR);
      expect(passed + refused).toBe(SENDS);
      expect(provider.calls.length - calls).toBe(PAID_FOR);
      expect(await alice.funds()).toMatchObject({ balance: 0, held: 0 });
      expect(await alice.charges()).toEqual(Array<number>(PAID_FOR).fill(1_000_000));
      await expectNeverBelow(gateway, alice, 0);
    }, 300_000);

    test('some fail, some cost less than their hold, in many rooms of many users', async () => {
      const { gateway, provider, user } = world();
      const users = await Promise.all(Array.from({ length: 8 }, () => user({ credit: 5 })));
      await provider.script((_, index) => {
        if (index % 5 === 0) return '500';
        return { usage: { prompt_tokens: 1, completion_tokens: index % 101 } };
      });
      const answers = await Promise.all(
        Array.from({ length: 50 }).flatMap(() => users.map((someone) => someone.trySend(body))),
      );
      await provider.script('good');
      const statuses = new Set(answers.map(({ status }) => status));
      expect([...statuses].every((status) => [200, 402, 502].includes(status))).toBe(true);
      for (const someone of users) await expectNeverBelow(gateway, someone, 0);
    }, 300_000);
  });

  test(`${dialect}: across two nodes the credit limit is exact to the micro-ruble`, async () => {
    await using first = await openWorld(dialect, { models });
    const { gateway, provider, user } = first;
    await using second = await openGateway(dialect, {
      database: gateway.database,
      catalogue: catalogueOf(provider, models),
    });
    const alice = await user({ credit: 3 });
    await gateway.core.ledger.setCreditLimit(alice.userId, 2_000_000);
    const there = await chatterOf(second, alice);
    await provider.script({ usage });
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, i) => (i % 2 ? alice : there).trySend(body)),
    );
    const { passed, refused } = tally(answers.map(({ status }) => status));
    expect([passed, refused]).toEqual([5, 95]);
    expect(await alice.funds()).toMatchObject({ balance: -2_000_000, available: 0 });
    await expectNeverBelow(gateway, alice, -2_000_000);
  }, 300_000);
}
