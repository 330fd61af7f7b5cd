import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { AMOUNT_MAX } from '../../src/lib/money.ts';
import {
  affordableOutputTokens,
  availableOf,
  costOf,
  costWithoutAnswer,
  decideHold,
  lowerOf,
  withinHold,
  worstCase,
} from '../../src/ledger/rules.ts';
import { exactCost } from '../support/rational.ts';

const runs = { numRuns: 2000 };
/** Up to 100,000 ₽, with small values and 0 often. */
const micro = fc.oneof(fc.nat({ max: 3 }), fc.nat({ max: 10_000_000 }), fc.nat({ max: 10 ** 11 }));
const tokens = fc.oneof(fc.nat({ max: 3 }), fc.nat({ max: 5_000 }), fc.nat({ max: 2_000_000 }));
const price = fc.record({
  inputTokens: micro,
  outputTokens: micro,
  inputFix: micro,
  outputFix: micro,
});
const call = fc.record({
  price,
  inputTokensMax: tokens,
  outputTokensMax: tokens,
  reducibleTo: fc.constantFrom(0, 1, 256),
});
const range = fc.oneof(micro, fc.integer({ min: 0, max: AMOUNT_MAX }));
const funds = fc
  .record({ balance: range, debt: micro, held: range, creditLimit: range })
  .map(({ balance, debt, held, creditLimit }) => {
    // As the books allow: the balance with its holds is not below the credit limit.
    const balanceNow = balance - Math.min(debt, balance + creditLimit);
    const room = Math.min(balanceNow + creditLimit, AMOUNT_MAX);
    return { balance: balanceNow, held: Math.min(held, room), creditLimit };
  });
const cost = fc.record({ request: micro, response: micro });

describe('costs', () => {
  test('are fix + tokens × price / 1,000,000, each rounded once, as docs/money.md says', () => {
    fc.assert(
      fc.property(price, tokens, tokens, (prices, prompt, completion) => {
        const used = { promptTokens: prompt, completionTokens: completion };
        const { request, response } = costOf(prices, used);
        expect(BigInt(request)).toBe(exactCost(prices.inputFix, prompt, prices.inputTokens));
        expect(BigInt(response)).toBe(exactCost(prices.outputFix, completion, prices.outputTokens));
      }),
      runs,
    );
  });

  test('without an answer omit the fixed price of the answer, and nothing else', () => {
    fc.assert(
      fc.property(price, tokens, tokens, (prices, prompt, completion) => {
        const used = { promptTokens: prompt, completionTokens: completion };
        const { request, response } = costWithoutAnswer(prices, used);
        expect(BigInt(request)).toBe(exactCost(prices.inputFix, prompt, prices.inputTokens));
        expect(BigInt(response)).toBe(exactCost(0, completion, prices.outputTokens));
      }),
      runs,
    );
  });

  test('match an example worked out by hand', () => {
    const rubles = 1_000_000;
    const prices = {
      inputTokens: 25 * rubles,
      outputTokens: 200 * rubles,
      inputFix: 0,
      outputFix: 5,
    };
    const used = { promptTokens: 1_000, completionTokens: 500 };
    expect(costOf(prices, used)).toEqual({ request: 25_000, response: 100_005 });
  });

  test('the lower of two is the lower in total, the first of equals', () => {
    fc.assert(
      fc.property(cost, cost, (first, second) => {
        const total = (one: typeof first) => one.request + one.response;
        const lower = lowerOf(first, second);
        expect(total(lower)).toBe(Math.min(total(first), total(second)));
        if (total(first) === total(second)) expect(lower).toBe(first);
      }),
      runs,
    );
  });
});

describe('decideHold', () => {
  test('never holds more than is available, and always as much as the granted cap can cost', () => {
    fc.assert(
      fc.property(funds, call, (state, wish) => {
        const available = availableOf(state);
        const decision = decideHold(state, wish);
        if (!decision.granted) return;
        expect(decision.amount).toBeLessThanOrEqual(available);
        expect(decision.amount).toBeGreaterThanOrEqual(0);
        const { inputFix, inputTokens, outputFix, outputTokens } = wish.price;
        expect(BigInt(decision.amount)).toBe(
          exactCost(inputFix, wish.inputTokensMax, inputTokens) +
            exactCost(outputFix, decision.outputTokensMax, outputTokens),
        );
        // After the hold, the balance is still within the credit limit, and in range.
        expect(state.balance - state.held - decision.amount).toBeGreaterThanOrEqual(
          -state.creditLimit,
        );
        expect(state.held + decision.amount).toBeLessThanOrEqual(AMOUNT_MAX);
      }),
      runs,
    );
  });

  test('any usage within the granted cap costs no more than the hold', () => {
    const share = fc.nat({ max: 1000 }).map((thousandths) => thousandths / 1000);
    fc.assert(
      fc.property(funds, call, share, share, (state, wish, promptShare, answerShare) => {
        const decision = decideHold(state, wish);
        if (!decision.granted) return;
        const prompt = Math.floor(wish.inputTokensMax * promptShare);
        const answer = Math.floor(decision.outputTokensMax * answerShare);
        const used = costOf(wish.price, { promptTokens: prompt, completionTokens: answer });
        expect(withinHold(used, decision.amount)).toEqual({ ...used, lost: 0 });
      }),
      runs,
    );
  });

  test('grants the requested cap whenever it is affordable, and reduces it only where allowed', () => {
    fc.assert(
      fc.property(funds, call, (state, wish) => {
        const available = availableOf(state);
        const needed = worstCase(wish);
        const affordable = affordableOutputTokens(available, wish);
        const decision = decideHold(state, wish);
        if (needed <= available) {
          expect(decision).toEqual({
            granted: true,
            amount: needed,
            outputTokensMax: wish.outputTokensMax,
          });
        } else if (wish.reducibleTo > 0 && affordable >= wish.reducibleTo) {
          expect(decision).toMatchObject({ granted: true, outputTokensMax: affordable });
        } else {
          expect(decision).toEqual({
            granted: false,
            needed,
            available,
            affordableOutputTokens: affordable,
          });
        }
      }),
      runs,
    );
  });
});

test('affordableOutputTokens is the largest cap that fits', () => {
  fc.assert(
    fc.property(range, call, (available, wish) => {
      const fits = affordableOutputTokens(available, wish);
      expect(fits).toBeLessThanOrEqual(wish.outputTokensMax);
      if (fits > 0) expect(worstCase(wish, fits)).toBeLessThanOrEqual(available);
      if (fits < wish.outputTokensMax) expect(worstCase(wish, fits + 1)).toBeGreaterThan(available);
    }),
    runs,
  );
});

describe('availableOf', () => {
  test('is balance + credit − holds, exact, never negative, never past the range', () => {
    fc.assert(
      fc.property(funds, ({ balance, held, creditLimit }) => {
        const limit = BigInt(AMOUNT_MAX);
        const reach = BigInt(balance) + BigInt(creditLimit);
        const exact = (reach > limit ? limit : reach) - BigInt(held);
        expect(BigInt(availableOf({ balance, held, creditLimit }))).toBe(exact < 0n ? 0n : exact);
      }),
      runs,
    );
  });

  test('is 0 when a lowered credit limit leaves more spent than allowed', () => {
    expect(availableOf({ balance: -5, held: 0, creditLimit: 2 })).toBe(0);
  });
});

test('withinHold keeps a charge within its hold and cuts the response first', () => {
  fc.assert(
    fc.property(cost, range, (reported, hold) => {
      const kept = withinHold(reported, hold);
      expect(kept.request + kept.response).toBe(
        Math.min(reported.request + reported.response, hold),
      );
      expect(kept.request).toBe(Math.min(reported.request, hold));
      expect(kept.response).toBeGreaterThanOrEqual(0);
      expect(kept.lost).toBe(Math.max(0, reported.request + reported.response - hold));
    }),
    runs,
  );
});
