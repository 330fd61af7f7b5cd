/** A user's limits under a thousand concurrent sends: exact on one node, and on three nodes with one database. */
import { expect, test } from 'bun:test';
import type { Clock } from '../../src/lib/clock.ts';
import { dialects } from '../support/databases.ts';
import { openGateway, type Gateway } from '../support/gateway.ts';
import {
  catalogueOf,
  chatterOf,
  expectBooksHold,
  openWorld,
  type Chatter,
  type ModelLine,
} from '../support/world.ts';

const SENDS = 1_000;
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
const body = { max_output_tokens: 100 };

/** The clock stays at noon: however slow the machine is, everything happens within one minute. */
const noon: Clock = {
  now: () => Date.UTC(2026, 10, 21, 12),
  monotonic: () => performance.now(),
};

const nodesOf = { sqlite: 1, postgres: 3 };

for (const dialect of dialects) {
  const nodes = nodesOf[dialect];

  /**
   * A user who sends through all nodes in turn.
   * @param budget of the API key that is used
   */
  async function openCrowd(stack: AsyncDisposableStack, budget?: object) {
    const world = stack.use(await openWorld(dialect, { models, clock: noon }));
    const { gateway, provider } = world;
    await provider.script({ usage: { prompt_tokens: 1, completion_tokens: 100 } });
    const user = await world.user({ credit: 100_000 });
    const alice = budget ? await withKey(gateway, user, budget) : user;
    const everywhere: Chatter[] = [alice];
    for (let node = 1; node < nodes; node++) {
      const catalogue = catalogueOf(provider, models);
      const other = { database: gateway.database, clock: noon, catalogue };
      everywhere.push(await chatterOf(stack.use(await openGateway(dialect, other)), alice));
    }
    const sendAll = async () => {
      const answers = await Promise.all(
        Array.from({ length: SENDS }, async (_, i) => everywhere[i % nodes]?.trySend(body)),
      );
      const codes = answers.map((answer) => answer?.body.error?.code ?? 'ok');
      return Object.fromEntries(
        [...Map.groupBy(codes, (code) => code)].map(([code, list]) => [code, list.length]),
      );
    };
    return { ...world, alice, sendAll };
  }

  const title = (what: string) => `${dialect}, ${nodes} node(s): ${what}`;

  test(
    title('of 1,000 sends at once exactly 100 pass a limit of 100 a minute'),
    async () => {
      await using stack = new AsyncDisposableStack();
      const { gateway, provider, alice, sendAll } = await openCrowd(stack);
      await gateway.core.limits.set(alice.userId, { requestsPerMinute: 100 });
      expect(await sendAll()).toEqual({ ok: 100, rate_limited: 900 });
      expect(provider.calls).toHaveLength(100);
      expect(await alice.charges()).toHaveLength(100);
      await expectBooksHold(gateway);
    },
    300_000,
  );

  test(
    title('no more than the limit of rubles a day is ever charged or held'),
    async () => {
      await using stack = new AsyncDisposableStack();
      const { gateway, alice, sendAll } = await openCrowd(stack);
      await gateway.core.limits.set(alice.userId, { rublesPerDay: 50_000_000 });
      expect(await sendAll()).toEqual({ ok: 50, rate_limited: 950 });
      expect(await alice.charges()).toEqual(Array<number>(50).fill(1_000_000));
      await expectBooksHold(gateway);
    },
    300_000,
  );

  test(
    title('no more than the limit of tokens a minute is ever used'),
    async () => {
      await using stack = new AsyncDisposableStack();
      const { gateway, alice, sendAll } = await openCrowd(stack);
      await gateway.core.limits.set(alice.userId, { tokensPerMinute: 5_000 });
      const { ok = 0, ...refused } = await sendAll();
      // Each used 101 tokens; while it runs, the most that it can use counts.
      expect(ok * 101).toBeLessThanOrEqual(5_000);
      expect(ok).toBeGreaterThan(30);
      expect(refused).toEqual({ rate_limited: SENDS - ok });
      const [row] = await gateway.core.db.query<{ tokens: number }>(
        'SELECT minute_tokens AS tokens FROM user_limits WHERE user_id = $1',
        [alice.userId],
      );
      expect(row?.tokens).toBe(ok * 101);
      await expectBooksHold(gateway);
    },
    300_000,
  );

  test(
    title('no more than the budget of an API key is ever charged or held'),
    async () => {
      await using stack = new AsyncDisposableStack();
      const { gateway, alice, sendAll } = await openCrowd(stack, { rubles_total: 50 });
      expect(await sendAll()).toEqual({ ok: 50, insufficient_funds: 950 });
      expect(await alice.charges()).toEqual(Array<number>(50).fill(1_000_000));
      await expectBooksHold(gateway);
    },
    300_000,
  );
}

async function withKey(gateway: Gateway, user: Chatter, budget: object): Promise<Chatter> {
  const keyBody = { name: 'shared', ...budget };
  const { key } = await gateway.data<{ key: string }>('/account/keys/', keyBody, user);
  return chatterOf(gateway, { ...user, token: key });
}
