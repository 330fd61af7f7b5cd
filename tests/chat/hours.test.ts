/** Prices by the hour: the price at the moment of the hold is held, charged and shown to the operator. */
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { reconcile } from '../../src/chat/index.ts';
import { settableClock } from '../support/clock.ts';
import { dialects } from '../support/databases.ts';
import { exactCost } from '../support/rational.ts';
import { expectBooksHold, micro, sharedWorld, type Sent } from '../support/world.ts';

/** A Sunday. */
const START = Date.UTC(2026, 10, 22);
const HOUR = 3_600_000;

const price = {
  cost_input_tokens_rub: 133.333333,
  cost_output_tokens_rub: 266.666667,
  cost_input_fix_rub: 0.001,
  cost_output_fix_rub: 0.002,
};
const cost_hours = [
  { utc: '01:00-04:00', days: ['mon', 'tue', 'wed', 'thu', 'fri'], percent: 200 },
  { utc: '16:30-00:30', percent: 33 },
];
const cost = { currency: 'RUB', input_tokens: 10, output_tokens: 20 };
const models = [
  { id: 101, ...price, cost_hours, cost },
  { id: 102, model: 'dear', ...price, cost_input_tokens_rub: 5_000, fallbacks: [101] },
];

/** The percentage at a moment, from the schedule above. */
function percentOf(at: number): bigint {
  const day = new Date(at).getUTCDay();
  const hour = (at % (24 * HOUR)) / HOUR;
  if (day >= 1 && day <= 5 && hour >= 1 && hour < 4) return 200n;
  return hour >= 16.5 || hour < 0.5 ? 33n : 100n;
}

const scaled = (amount: number, at: number): number =>
  Number((BigInt(amount) * percentOf(at) + 50n) / 100n);

function expectCharged(sent: Sent, at: number, prompt: number, completion: number): void {
  const [inputFix, outputFix] = [scaled(1_000, at), scaled(2_000, at)];
  const [input, output] = [scaled(133_333_333, at), scaled(266_666_667, at)];
  expect(BigInt(micro(sent.cost_request))).toBe(exactCost(inputFix, prompt, input));
  expect(BigInt(micro(sent.cost_response))).toBe(exactCost(outputFix, completion, output));
}

for (const dialect of dialects) {
  describe(`${dialect}: a price by the hour`, () => {
    const clock = settableClock(START);
    const world = sharedWorld(dialect, { models, clock });

    test('is that of the moment at which the send arrives, and at most the estimate', async () => {
      const { gateway, provider, user } = world();
      clock.at = START;
      const alice = await user({ credit: 1_000_000 });
      // Unlike a token, it does not expire when the clock moves.
      const { key: token } = await gateway.core.keys.create(alice.userId, { name: 'x' });
      const moment = fc.nat(7 * 24 * 60 - 1).map((minute) => START + minute * 60_000);
      await fc.assert(
        fc.asyncProperty(moment, fc.nat(40), fc.nat(40), async (at, prompt, completion) => {
          clock.at = at;
          await provider.script({
            usage: { prompt_tokens: prompt, completion_tokens: completion },
          });
          const body = { max_output_tokens: 40, message: 'x'.repeat(24) };
          const request = { room_id: alice.room, ai: 101, ...body };
          const estimate = await gateway.data<{ cost_max: number }>('/ai/estimate/', request, {
            token,
          });
          const sent = await alice.send(body, { token });
          expectCharged(sent, at, prompt, completion);
          const charged = micro(sent.cost_request) + micro(sent.cost_response);
          expect(charged).toBeLessThanOrEqual(micro(estimate.cost_max));
        }),
        { numRuns: 12 },
      );
      await expectBooksHold(gateway);
    });

    test('does not change while the call runs, and is the price of a fallback', async () => {
      const { provider, user } = world();
      clock.at = START + 25 * HOUR;
      const alice = await user({ credit: 1_000 });
      const usage = { prompt_tokens: 20, completion_tokens: 7 };
      await provider.script((call) => (call.body['model'] === 'dear' ? '503' : { usage }));
      const sent = await alice.send({ ai: 102 });
      // At twice its price it is still cheaper than the requested model.
      expectCharged(sent, clock.at, 20, 7);
      await provider.script('hold');
      const running = alice.send();
      await provider.held(1);
      const sentAt = clock.at;
      clock.at += 3 * HOUR;
      provider.release();
      const late = await running;
      expectCharged(late, sentAt, late.usage.prompt_tokens, late.usage.completion_tokens);
    });

    test('is the price by which an undercharge is found, and the operator’s cost', async () => {
      const { gateway, provider, user } = world();
      clock.at = START + 50 * HOUR;
      const alice = await user({ credit: 1_000 });
      const usage = { prompt_tokens: 20, completion_tokens: 9_000 };
      await provider.script({ id: 'lost', usage });
      const sent = await alice.send({ max_output_tokens: 10 });
      const due =
        exactCost(scaled(1_000, clock.at), 20, scaled(133_333_333, clock.at)) +
        exactCost(scaled(2_000, clock.at), 9_000, scaled(266_666_667, clock.at));
      const charged = micro(sent.cost_request) + micro(sent.cost_response);
      await using result = await reconcile(gateway.core, once(), { providers: [], models: [] });
      const rows = await Array.fromAsync(result.findings('undercharged'));
      const own = rows.filter(({ userId }) => userId === alice.userId);
      expect(own.map(({ lost }) => lost)).toEqual([Number(due) - charged]);
      const [row] = await gateway.core.db.query<{ cost: number }>(
        'SELECT operator_cost AS cost FROM messages WHERE user_id = $1 ORDER BY id DESC LIMIT 1',
        [alice.userId],
      );
      expect(row?.cost).toBe(20 * 20 + 9_000 * 40);
    });
  });
}

async function* once() {
  yield 'id,date,model,input_tokens,output_tokens\nlost,2026-11-24,scripted-text,20,9000\n';
}
