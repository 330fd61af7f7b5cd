/** A request with a long input costs the long-context prices as a whole, and the hold covers either price. */
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { affordableOutputTokens, costOf, worstCase } from '../../src/ledger/rules.ts';
import type { Price, UsedTokens } from '../../src/lib/units.ts';

const runs = { numRuns: 3000 };
const micro = fc.oneof(fc.nat({ max: 3 }), fc.nat({ max: 10_000_000 }), fc.nat({ max: 10 ** 11 }));
const count = fc.oneof(fc.nat({ max: 3 }), fc.nat({ max: 5_000 }), fc.nat({ max: 2_000_000 }));
const part = fc.option(count, { nil: null });

const usual = {
  inputTokens: micro,
  outputTokens: micro,
  inputFix: micro,
  outputFix: micro,
  cachedInputTokens: micro,
  cacheWriteTokens: micro,
  reasoningTokens: micro,
};
const long = {
  longAbove: fc.integer({ min: 1, max: 2_000_000 }),
  longInputTokens: micro,
  longOutputTokens: micro,
  longCachedInputTokens: micro,
  longCacheWriteTokens: micro,
  longReasoningTokens: micro,
};
const needed = ['inputTokens', 'outputTokens', 'inputFix', 'outputFix'] as const;
const prices = fc.record(
  { ...usual, ...long },
  { requiredKeys: [...needed, 'longAbove', 'longInputTokens', 'longOutputTokens'] },
);
const usage: fc.Arbitrary<UsedTokens> = fc.record({
  promptTokens: count,
  completionTokens: count,
  cachedTokens: part,
  cacheWriteTokens: part,
  reasoningTokens: part,
});

/** The price that a model would have if all its requests were long. */
function onlyLong(price: Price): Price {
  const { inputFix, outputFix, longInputTokens = 0, longOutputTokens = 0 } = price;
  return {
    inputFix,
    outputFix,
    inputTokens: longInputTokens,
    outputTokens: longOutputTokens,
    ...(price.longCachedInputTokens !== undefined && {
      cachedInputTokens: price.longCachedInputTokens,
    }),
    ...(price.longCacheWriteTokens !== undefined && {
      cacheWriteTokens: price.longCacheWriteTokens,
    }),
    ...(price.longReasoningTokens !== undefined && { reasoningTokens: price.longReasoningTokens }),
  };
}

function withoutLong(price: Price): Price {
  const { longAbove, ...rest } = price;
  return longAbove === undefined ? price : rest;
}

describe('the price of a long request', () => {
  test('is the long-context price above the length, and the usual one up to it', () => {
    fc.assert(
      fc.property(prices, usage, (price, used) => {
        const isLong = used.promptTokens > price.longAbove;
        expect(costOf(price, used)).toEqual(
          costOf(isLong ? onlyLong(price) : withoutLong(price), used),
        );
      }),
      runs,
    );
  });

  test('matches an example worked out by hand', () => {
    const price: Price = {
      inputTokens: 2_000_000,
      outputTokens: 10_000_000,
      inputFix: 0,
      outputFix: 0,
      cachedInputTokens: 200_000,
      longAbove: 200_000,
      longInputTokens: 4_000_000,
      longOutputTokens: 15_000_000,
      longCachedInputTokens: 400_000,
    };
    const of = (promptTokens: number, cachedTokens: number | null) =>
      costOf(price, { promptTokens, cachedTokens, completionTokens: 1_000 });
    expect(of(200_000, null)).toEqual({ request: 400_000, response: 10_000 });
    expect(of(200_001, null)).toEqual({ request: 800_004, response: 15_000 });
    expect(of(200_001, 200_001)).toEqual({ request: 80_000, response: 15_000 });
  });

  test('never exceeds the hold, whatever the length of the input', () => {
    fc.assert(
      fc.property(prices, usage, count, count, (price, used, moreIn, moreOut) => {
        const inputTokensMax = used.promptTokens + moreIn;
        const outputTokensMax = used.completionTokens + moreOut;
        const call = { price, inputTokensMax, outputTokensMax, reducibleTo: 0 };
        const { request, response } = costOf(price, used);
        expect(request + response).toBeLessThanOrEqual(worstCase(call));
      }),
      runs,
    );
  });

  test('is not part of a hold whose input cannot be that long', () => {
    fc.assert(
      fc.property(prices, count, (price, outputTokensMax) => {
        const call = { inputTokensMax: price.longAbove, outputTokensMax, reducibleTo: 0 };
        expect(worstCase({ price, ...call })).toBe(
          worstCase({ price: withoutLong(price), ...call }),
        );
      }),
      runs,
    );
  });

  test('keeps the largest affordable cap exact', () => {
    fc.assert(
      fc.property(prices, count, fc.nat({ max: 10 ** 12 }), (price, inputTokensMax, available) => {
        const call = { price, inputTokensMax, outputTokensMax: 100_000, reducibleTo: 1 };
        const fits = affordableOutputTokens(available, call);
        if (fits > 0) expect(worstCase(call, fits)).toBeLessThanOrEqual(available);
        if (fits < call.outputTokensMax)
          expect(worstCase(call, fits + 1)).toBeGreaterThan(available);
      }),
      runs,
    );
  });
});
