/** Separate prices for cached, cache-written and reasoning tokens, compared with integer arithmetic. */
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { AMOUNT_MAX, costOfTokenKinds, costOfTokens } from '../../src/lib/money.ts';
import {
  costOf,
  costWithoutAnswer,
  decideHold,
  withinHold,
  worstCase,
} from '../../src/ledger/rules.ts';
import type { Price, UsedTokens } from '../../src/lib/units.ts';
import { roundCharge } from '../support/rational.ts';

const runs = { numRuns: 3000 };
const micro = fc.oneof(fc.nat({ max: 3 }), fc.nat({ max: 10_000_000 }), fc.nat({ max: 10 ** 11 }));
const count = fc.oneof(fc.nat({ max: 3 }), fc.nat({ max: 5_000 }), fc.nat({ max: 2_000_000 }));
const part = fc.option(count, { nil: null });

const prices: fc.Arbitrary<Price> = fc.record(
  {
    inputTokens: micro,
    outputTokens: micro,
    inputFix: micro,
    outputFix: micro,
    cachedInputTokens: micro,
    cacheWriteTokens: micro,
    reasoningTokens: micro,
  },
  { requiredKeys: ['inputTokens', 'outputTokens', 'inputFix', 'outputFix'] },
);
const usage: fc.Arbitrary<UsedTokens> = fc.record({
  promptTokens: count,
  completionTokens: count,
  cachedTokens: part,
  cacheWriteTokens: part,
  reasoningTokens: part,
});

const least = (first: bigint, second: bigint) => (first < second ? first : second);
const big = (value: number | null | undefined) => BigInt(value ?? 0);

/** The cost as the documents define it, on rationals of any size. */
function exact(price: Price, used: UsedTokens): { request: bigint; response: bigint } {
  const prompt = big(used.promptTokens);
  const completion = big(used.completionTokens);
  const cached = least(big(used.cachedTokens), prompt);
  const written = least(big(used.cacheWriteTokens), prompt - cached);
  const reasoning = least(big(used.reasoningTokens), completion);
  const input =
    (prompt - cached - written) * big(price.inputTokens) +
    cached * big(price.cachedInputTokens ?? price.inputTokens) +
    written * big(price.cacheWriteTokens ?? price.inputTokens);
  const output =
    (completion - reasoning) * big(price.outputTokens) +
    reasoning * big(price.reasoningTokens ?? price.outputTokens);
  return {
    request: big(price.inputFix) + roundCharge(input),
    response: big(price.outputFix) + roundCharge(output),
  };
}

describe('costs of several kinds of token', () => {
  test('are each kind by its price, request and response each rounded once, as docs/money.md says', () => {
    fc.assert(
      fc.property(prices, usage, (price, used) => {
        const cost = costOf(price, used);
        const expected = exact(price, used);
        expect(BigInt(cost.request)).toBe(expected.request);
        expect(BigInt(cost.response)).toBe(expected.response);
        const unanswered = costWithoutAnswer(price, used);
        expect(BigInt(unanswered.response)).toBe(expected.response - big(price.outputFix));
      }),
      runs,
    );
  });

  test('match an example worked out by hand', () => {
    const price = {
      inputTokens: 1_500_000,
      outputTokens: 4_000_000,
      inputFix: 0,
      outputFix: 0,
      cachedInputTokens: 500_000,
      reasoningTokens: 1_000_000,
    };
    // 1 × 1.5 + 1 × 0.5 = 2 and 1 × 4 + 2 × 1 = 6; rounded one by one the first would be 3.
    const used = {
      promptTokens: 2,
      cachedTokens: 1,
      completionTokens: 3,
      reasoningTokens: 2,
    };
    expect(costOf(price, used)).toEqual({ request: 2, response: 6 });
  });

  test('equal those of one kind if no kind has its own price', () => {
    fc.assert(
      fc.property(prices, usage, (price, used) => {
        const { inputTokens, outputTokens, inputFix, outputFix } = price;
        const { promptTokens, completionTokens } = used;
        expect(costOf({ inputTokens, outputTokens, inputFix, outputFix }, used)).toEqual({
          request: inputFix + costOfTokens(promptTokens, inputTokens),
          response: outputFix + costOfTokens(completionTokens, outputTokens),
        });
      }),
      runs,
    );
  });

  test('of any size are exact, and limited to the largest amount', () => {
    const any = fc.tuple(fc.nat({ max: 10 ** 10 }), fc.integer({ min: 0, max: 10 ** 14 }));
    fc.assert(
      fc.property(fc.array(any, { maxLength: 4 }), (parts) => {
        const sum = parts.reduce((total, [tokens, price]) => total + big(tokens) * big(price), 0n);
        const expected = least(roundCharge(sum), big(AMOUNT_MAX));
        expect(BigInt(costOfTokenKinds(parts))).toBe(expected);
      }),
      runs,
    );
  });
});

describe('a hold', () => {
  test('covers any usage within its bounds, whichever kinds the tokens are of', () => {
    fc.assert(
      fc.property(prices, count, count, usage, (price, input, output, reported) => {
        const call = { price, inputTokensMax: input, outputTokensMax: output, reducibleTo: 0 };
        const used = {
          ...reported,
          promptTokens: Math.min(reported.promptTokens, input),
          completionTokens: Math.min(reported.completionTokens, output),
        };
        const hold = worstCase(call);
        const cost = costOf(price, used);
        expect(withinHold(cost, hold)).toEqual({ ...cost, lost: 0 });
      }),
      runs,
    );
  });

  test('is reached by tokens of the most expensive kind, so it is as low as possible', () => {
    fc.assert(
      fc.property(prices, count, count, (price, input, output) => {
        const call = { price, inputTokensMax: input, outputTokensMax: output, reducibleTo: 0 };
        const kinds = [
          {},
          { cachedTokens: input, reasoningTokens: output },
          { cacheWriteTokens: input, reasoningTokens: output },
          { cachedTokens: input },
          { cacheWriteTokens: input },
          { reasoningTokens: output },
        ].map((kind) => costOf(price, { promptTokens: input, completionTokens: output, ...kind }));
        const dearest = Math.max(...kinds.map(({ request, response }) => request + response));
        expect(worstCase(call)).toBe(dearest);
      }),
      runs,
    );
  });

  test('is reduced to a cap that is affordable even if the whole answer is reasoning', () => {
    const funds = { balance: 1_000_000, held: 0, creditLimit: 0 };
    const price = {
      inputTokens: 0,
      outputTokens: 1_000_000,
      inputFix: 0,
      outputFix: 0,
      reasoningTokens: 4_000_000,
    };
    const call = { price, inputTokensMax: 0, outputTokensMax: 1_000_000, reducibleTo: 256 };
    expect(decideHold(funds, call)).toEqual({
      granted: true,
      amount: 1_000_000,
      outputTokensMax: 250_000,
    });
  });
});
