import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  tokensOf,
  useAt,
  withinLimits,
  type LimitedCall,
  type LimitUse,
  type KeyLimits,
} from '../../src/ledger/limit-rules.ts';
import { noKeyLimits } from '../../src/ledger/key-budgets.ts';
import { quotasOf, tightest } from '../../src/ledger/quotas.ts';
import {
  availableOf,
  decideHold,
  REDUCED_CAP_MIN,
  worstCase,
  type Funds,
} from '../../src/ledger/rules.ts';

const DAY = 86_400_000;
/** Noon of some day. */
const NOON = 20_000 * DAY + DAY / 2;
const unused: LimitUse = {
  minuteStart: 0,
  minuteRequests: 0,
  minuteTokens: 0,
  day: 20_000,
  dayCharged: 0,
  monthCharged: 0,
  charged: 0,
};
const rich = { balance: 1e12, held: 0, creditLimit: 0 };
/** A micro-ruble per token. */
const price = { inputTokens: 1_000_000, outputTokens: 1_000_000, inputFix: 0, outputFix: 0 };
const callOf = (more: Partial<LimitedCall> = {}): LimitedCall => ({
  price,
  inputTokensMax: 100,
  outputTokensMax: 1_000,
  reducibleTo: 0,
  modelId: 1,
  ...more,
});

function limitFunds(funds: Funds) {
  return { held: funds.held, available: availableOf(funds) };
}

function decide(
  limits: Partial<KeyLimits>,
  { use = unused, funds = rich, call = callOf(), at = NOON } = {},
) {
  return withinLimits({ ...noKeyLimits, ...limits }, useAt(use, at), limitFunds(funds), call, at);
}

const fits = (outputTokensMax: number) => ({ fits: expect.objectContaining({ outputTokensMax }) });
const refused = (facts: object) => ({ refused: expect.objectContaining(facts) });

describe('the window', () => {
  const used = { ...unused, minuteStart: NOON, minuteRequests: 7, minuteTokens: 70 };

  test.each([
    ['lasts a minute', NOON + 59_999, NOON, 7],
    ['is over after it', NOON + 60_000, NOON + 60_000, 0],
    ['is the same on a node whose clock is behind', NOON - 60_000, NOON, 7],
    ['begins anew when a clock was set back', NOON - 3_600_000, NOON - 3_600_000, 0],
  ])('%s', (_, at, minuteStart, minuteRequests) => {
    expect(useAt(used, at)).toMatchObject({ minuteStart, minuteRequests });
  });

  const charged = { ...unused, day: 20_000, dayCharged: 5 };
  test.each([
    ['is one of UTC', 20_001 * DAY - 1, 20_000, 5],
    ['begins at midnight', 20_001 * DAY, 20_001, 0],
    ['has begun although a node is behind', 20_000 * DAY - 1, 20_000, 5],
    ['follows a clock that was set back', 19_998 * DAY, 19_998, 0],
  ])('a day %s', (_, at, day, dayCharged) => {
    expect(useAt(charged, at)).toMatchObject({ day, dayCharged });
  });
});

describe('a call begins', () => {
  test('when it reaches no limit', () => {
    expect(decide({})).toEqual(fits(1_000));
    const limits = { requestsPerMinute: 1, tokensPerMinute: 1_100, rublesPerDay: 1_100 };
    expect(decide({ ...limits, models: [2, 1] })).toEqual(fits(1_000));
  });

  test('only with a model that the user may use', () => {
    expect(decide({ models: [2, 3] })).toEqual({ refused: { limit: 'models' } });
  });

  test('unless the calls of the minute are used up, and the refusal says when the minute ends', () => {
    const use = { ...unused, minuteStart: NOON - 20_000, minuteRequests: 3 };
    expect(decide({ requestsPerMinute: 3 }, { use })).toEqual(
      refused({ limit: 'requests_per_minute', retryAfterMs: 40_000 }),
    );
    expect(decide({ requestsPerMinute: 4 }, { use })).toEqual(fits(1_000));
    expect(decide({ requestsPerMinute: 3 }, { use, at: NOON + 40_000 })).toEqual(fits(1_000));
  });

  test('unless the tokens of the minute are used up', () => {
    const use = { ...unused, minuteStart: NOON - 20_000, minuteTokens: 901 };
    const limits = { tokensPerMinute: 2_000 };
    expect(decide(limits, { use })).toEqual(
      refused({
        limit: 'tokens_per_minute',
        retryAfterMs: 40_000,
        needs: 1_100,
        left: 1_099,
        cap: 999,
      }),
    );
    const reducible = callOf({ reducibleTo: REDUCED_CAP_MIN });
    expect(decide(limits, { use, call: reducible })).toEqual(fits(999));
    const justEnough = { ...use, minuteTokens: 2_000 - 100 - REDUCED_CAP_MIN };
    expect(decide(limits, { use: justEnough, call: reducible })).toEqual(fits(REDUCED_CAP_MIN));
    const nearlyAll = { ...use, minuteTokens: 2_000 - 100 - REDUCED_CAP_MIN + 1 };
    expect(decide(limits, { use: nearlyAll, call: reducible })).toEqual(
      refused({ retryAfterMs: 40_000, cap: REDUCED_CAP_MIN - 1 }),
    );
  });

  test('never when it is larger than the whole limit, and the refusal names the cap that fits', () => {
    expect(decide({ tokensPerMinute: 1_000 })).toEqual(refused({ retryAfterMs: null, cap: 900 }));
    expect(decide({ tokensPerMinute: 50 })).toEqual(refused({ retryAfterMs: null, cap: 0 }));
    expect(decide({ rublesPerDay: 1_000 })).toEqual(
      refused({ limit: 'rubles_per_day', retryAfterMs: null, needs: 1_100, cap: 900 }),
    );
    // The cap fits an empty minute and day, however much of the limit is already used.
    const use = { ...unused, minuteStart: NOON - 1, minuteTokens: 700, dayCharged: 700 };
    const most = { left: 300, whole: 1_000, cap: 900 };
    expect(decide({ tokensPerMinute: 1_000 }, { use })).toEqual(refused(most));
    expect(decide({ rublesPerDay: 1_000 }, { use })).toEqual(refused(most));
  });

  test('unless the rubles of the day are charged or held: until midnight, or until a call ends', () => {
    const limits = { rublesPerDay: 2_000 };
    const use = { ...unused, dayCharged: 901 };
    expect(decide(limits, { use })).toEqual(
      refused({
        limit: 'rubles_per_day',
        retryAfterMs: DAY / 2,
        needs: 1_100,
        left: 1_099,
        cap: 999,
      }),
    );
    const funds = { ...rich, held: 901 };
    expect(decide(limits, { funds })).toEqual(refused({ retryAfterMs: 1_000, left: 1_099 }));
    const call = callOf({ reducibleTo: REDUCED_CAP_MIN });
    expect(decide(limits, { use, call })).toEqual(fits(999));
    expect(decide(limits, { use, at: NOON + DAY })).toEqual(fits(1_000));
  });

  test('without output tokens only if its input fits', () => {
    const call = callOf({ outputTokensMax: 0, reducibleTo: REDUCED_CAP_MIN });
    const limits = { rublesPerDay: 150 };
    expect(decide(limits, { call })).toEqual(fits(0));
    const use = { ...unused, dayCharged: 50 };
    expect(decide(limits, { use, call })).toEqual(fits(0));
    expect(decide(limits, { use: { ...use, dayCharged: 51 }, call })).toEqual(
      refused({ limit: 'rubles_per_day', retryAfterMs: DAY / 2, needs: 100, left: 99, cap: 0 }),
    );
    const funds = { ...rich, held: 51 };
    expect(decide(limits, { funds, call })).toEqual(refused({ retryAfterMs: 1_000, left: 99 }));
    expect(decide({ rublesPerDay: 99 }, { call })).toEqual(
      refused({ retryAfterMs: null, needs: 100, cap: 0 }),
    );
    // A user who also lacks the money is asked to top up.
    const poor = { balance: 99, held: 0, creditLimit: 0 };
    expect(decide({ rublesPerDay: 99 }, { funds: poor, call })).toEqual(fits(0));
  });

  test('unless the balance is too low as well: then the refusal asks for a top-up', () => {
    const poor = { balance: 10, held: 0, creditLimit: 0 };
    const result = decide({ rublesPerDay: 1_000 }, { funds: poor, call: callOf() });
    expect(result).toEqual(fits(1_000));
    expect(decideHold(poor, callOf()).granted).toBe(false);
  });
});

test('without ever passing a limit, whatever the calls and their ends', () => {
  const event = fc.record({
    pause: fc.nat(30_000),
    input: fc.nat(400),
    output: fc.integer({ min: 1, max: 600 }),
    reducible: fc.boolean(),
    ends: fc.nat(3),
  });
  const budget = fc.option(fc.integer({ min: 2_000, max: 6_000 }));
  const budgets = fc.record({ rublesPerDay: budget, rublesPerMonth: budget, rublesTotal: budget });
  fc.assert(
    fc.property(fc.array(event, { maxLength: 80 }), budgets, (events, rubles) => {
      const limits = { requestsPerMinute: 4, tokensPerMinute: 2_000, models: null, ...rubles };
      let at = NOON;
      let use = unused;
      const funds = { ...rich };
      const running: { hold: number; tokens: number; minute: number }[] = [];
      const windows = new Map<number, { requests: number }>();
      for (const { pause, input, output, reducible, ends } of events) {
        at += pause;
        use = useAt(use, at);
        for (const { hold, tokens, minute } of running.splice(0, ends)) {
          funds.held -= hold;
          const part = Math.floor(hold / 2);
          use = {
            ...use,
            dayCharged: use.dayCharged + part,
            monthCharged: use.monthCharged + part,
            charged: use.charged + part,
          };
          if (minute === use.minuteStart) use.minuteTokens -= Math.floor(tokens / 2);
        }
        const call = callOf({
          inputTokensMax: input,
          outputTokensMax: output,
          reducibleTo: reducible ? 50 : 0,
        });
        const result = withinLimits(limits, use, limitFunds(funds), call, at);
        if ('fits' in result) {
          const hold = worstCase(result.fits);
          funds.held += hold;
          const tokens = tokensOf(result.fits);
          use = {
            ...use,
            minuteRequests: use.minuteRequests + 1,
            minuteTokens: use.minuteTokens + tokens,
          };
          running.push({ hold, tokens, minute: use.minuteStart });
          const window = windows.get(use.minuteStart) ?? { requests: 0 };
          windows.set(use.minuteStart, { requests: window.requests + 1 });
          expect(result.fits.outputTokensMax).toBeLessThanOrEqual(output);
        } else if (result.refused.limit !== 'models' && result.refused.cap > 0) {
          // The cap that it names would fit.
          const { limit, retryAfterMs, cap } = result.refused;
          const smaller = { ...call, outputTokensMax: cap };
          // A request above the whole limit gets the cap of the limit; a request above a budget gets the rest of the
          // budget.
          const isWhole = retryAfterMs === null && limit !== 'rubles_total';
          const whole = isWhole ? useAt(unused, at) : use;
          const free = isWhole ? { ...funds, held: 0 } : funds;
          const again = withinLimits(limits, whole, limitFunds(free), smaller, at);
          if ('refused' in again) expect(again.refused.limit).not.toBe(limit);
        }
        expect(use.minuteTokens).toBeLessThanOrEqual(2_000);
        expect(use.dayCharged + funds.held).toBeLessThanOrEqual(rubles.rublesPerDay ?? Infinity);
        expect(use.monthCharged + funds.held).toBeLessThanOrEqual(
          rubles.rublesPerMonth ?? Infinity,
        );
        expect(use.charged + funds.held).toBeLessThanOrEqual(rubles.rublesTotal ?? Infinity);
        for (const { requests } of windows.values()) expect(requests).toBeLessThanOrEqual(4);
      }
    }),
  );
});

test('with the remaining amount in whole units, and the time of its renewal', () => {
  const limits = {
    requestsPerMinute: 5,
    tokensPerMinute: 100,
    rublesPerDay: 12_500_000,
    rublesPerMonth: 100_000_000,
    rublesTotal: 7_000_000,
    models: null,
  };
  const use = {
    minuteStart: NOON - 30_500,
    minuteRequests: 2,
    minuteTokens: 150,
    day: 20_000,
    dayCharged: 1_000_001,
    monthCharged: 40_000_000,
    charged: 2_000_000,
  };
  expect(quotasOf(limits, use, 500_000, NOON)).toEqual([
    { of: 'requests', limit: 5, remaining: 3, windowSeconds: 60, resetSeconds: 30 },
    { of: 'tokens', limit: 100, remaining: 0, windowSeconds: 60, resetSeconds: 30 },
    { of: 'rubles', limit: 12, remaining: 10, windowSeconds: 86_400, resetSeconds: 43_200 },
    // An October; noon of the fourth.
    { of: 'rubles', limit: 100, remaining: 59, windowSeconds: 2_678_400, resetSeconds: 2_376_000 },
    { of: 'rubles', limit: 7, remaining: 4, windowSeconds: null, resetSeconds: null },
  ]);
  const ofUser = quotasOf({ ...noKeyLimits, requestsPerMinute: 3 }, use, 0, NOON);
  const ofKey = quotasOf(limits, use, 500_000, NOON);
  expect(tightest([...ofUser, ...ofKey]).map(({ of, remaining }) => [of, remaining])).toEqual([
    ['requests', 1],
    ['tokens', 0],
    ['rubles', 4],
  ]);
  expect(quotasOf(noKeyLimits, use, 0, NOON)).toEqual([]);
});
