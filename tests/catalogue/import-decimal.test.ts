/** Conversion of dollars to rubles, compared with integer arithmetic of any size. */
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  compare,
  decimalText,
  product,
  readDecimal,
  roundedHalfUp,
  shifted,
  sum,
  type Decimal,
} from '../../src/lib/decimal.ts';
import { rublePrice } from '../../src/catalogue/import/ruble-price.ts';
import { readTerms } from '../../src/catalogue/import/terms.ts';
import type { ListRow } from '../../src/catalogue/import/price-list.ts';
import { roundHalfUp } from '../support/rational.ts';
import { refusalOf } from './fixtures.ts';
import { importOptions } from './price-lists.ts';

const decimal: fc.Arbitrary<Decimal> = fc.record({
  digits: fc.bigInt({ min: 0n, max: 10n ** 20n }),
  exponent: fc.integer({ min: -30, max: 10 }),
});

/** value × 10^60, as an integer. */
const scaled = ({ digits, exponent }: Decimal) => digits * 10n ** BigInt(exponent + 60);
const ONE = 10n ** 60n;

const today = '2026-11-24';

describe('decimals', () => {
  test.each([
    [1.5e-7, '0.00000015'],
    ['1.5e-07', '0.00000015'],
    ['1.5E-7', '0.00000015'],
    [5.46875e-7, '0.000000546875'],
    [0.1, '0.1'],
    [3, '3'],
    ['2e3', '2000'],
    ['0.0', '0'],
    [0, '0'],
    ['007.50', '7.5'],
    [1e21, '1000000000000000000000'],
  ])('%p is %p', (value, text) => {
    const read = readDecimal(value);
    expect(read && decimalText(read)).toBe(text);
  });

  test.each([
    -1,
    '-0.1',
    'free',
    '',
    ' ',
    '1,5',
    '1.2.3',
    '0x10',
    NaN,
    Infinity,
    null,
    undefined,
    true,
    {},
    '1e9999',
    '9'.repeat(41),
  ])('%p is invalid', (value) => {
    expect(readDecimal(value)).toBeUndefined();
  });

  test('are written as they were read', () => {
    fc.assert(
      fc.property(decimal, (value) => {
        const read = readDecimal(decimalText(value));
        if (decimalText(value).replace('.', '').length > 40) return;
        expect(read && scaled(read)).toBe(scaled(value));
      }),
      { numRuns: 1000 },
    );
  });

  test('are added, multiplied, moved, compared and rounded exactly', () => {
    fc.assert(
      fc.property(decimal, decimal, (first, second) => {
        const [one, other] = [scaled(first), scaled(second)];
        expect(scaled(sum(first, second))).toBe(one + other);
        expect(scaled(product(first, second)) * ONE).toBe(one * other);
        expect(scaled(shifted(first, 3))).toBe(one * 1000n);
        expect(Math.sign(compare(first, second))).toBe(one < other ? -1 : one > other ? 1 : 0);
        expect(roundedHalfUp(first)).toBe(roundHalfUp(one, ONE));
      }),
      { numRuns: 1000 },
    );
  });
});

const rowOf = (prices: ListRow['prices']): ListRow => ({
  source: 'openai',
  key: 'm',
  model: 'm',
  title: 'm',
  prices,
  longContext: undefined,
  limits: undefined,
  takesTemperature: true,
  refusal: undefined,
  notAddable: undefined,
});
const model = { kind: 'openai', type: 'TEXT' as const, maxInputTokens: 1000, price: null };

describe('a price in rubles', () => {
  const amount = (max: bigint, places: number) =>
    fc.bigInt({ min: 1n, max }).map((digits) => ({ digits, exponent: -places }));

  test('is dollars × rate × (1 + markup), rounded half up once', () => {
    // Up to $1,000 per 1,000,000 tokens, 1,000 ₽ a dollar, 100 percent.
    const dollars = amount(10n ** 9n, 6);
    fc.assert(
      fc.property(
        dollars,
        dollars,
        amount(10n ** 7n, 4),
        amount(10n ** 5n, 3),
        (input, output, rate, markup) => {
          const terms = readTerms(
            { usdRate: decimalText(rate), markup: decimalText(markup) },
            today,
          );
          const row = rowOf({ TEXT: { inputTokens: input, outputTokens: output } });
          const priced = rublePrice(row, model, terms, importOptions({ allowFree: true }));
          if ('refusal' in priced) throw new Error(priced.refusal);
          // Micro-rubles: 10^-6 dollars × 10^-4 rubles × (100 + 10^-3 percent) / 100 × 10^6.
          const exact = ({ digits }: Decimal) =>
            roundHalfUp(digits * rate.digits * (100_000n + markup.digits), 10n ** 9n);
          expect(BigInt(priced.price.inputTokens)).toBe(exact(input));
          expect(BigInt(priced.price.outputTokens)).toBe(exact(output));
        },
      ),
      { numRuns: 2000 },
    );
  });

  test('of half a micro-ruble rounds to one, of less to zero', () => {
    const terms = readTerms({ usdRate: '1', markup: '0' }, today);
    const price = (input: string, output: string) =>
      rublePrice(
        rowOf({
          TEXT: { inputTokens: readDecimal(input), outputTokens: readDecimal(output) },
        }),
        model,
        terms,
        importOptions(),
      );
    expect(price('0.0000005', '0.00000049')).toMatchObject({
      price: { inputTokens: 1, outputTokens: 0 },
    });
    expect(price('0.0000004', '0.00000049')).toMatchObject({
      refusal: expect.stringContaining('free'),
    });
  });

  test.each([
    ['0', '0'],
    ['-1', '0'],
    ['', '0'],
    ['1e9', '0'],
    ['90', 'x'],
    ['90', '10001'],
  ])('at a rate of %p and a markup of %p is refused', (usdRate, markup) => {
    expect(refusalOf(() => readTerms({ usdRate, markup }, today)).code).toBe('invalid_request');
  });
});
