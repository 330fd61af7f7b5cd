import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  AMOUNT_MAX,
  costOfTokenKinds,
  costOfTokens,
  formatRubles,
  MICRO_PER_RUBLE,
  parseDecimal,
  parseRubles,
  toRubles,
} from '../../src/lib/money.ts';
import { roundCharge } from '../support/rational.ts';

const amount = fc.oneof(
  fc.integer({ min: -AMOUNT_MAX, max: AMOUNT_MAX }),
  fc.integer({ min: AMOUNT_MAX - 2_000_000, max: AMOUNT_MAX }),
  fc.integer({ min: -2_000_000, max: 2_000_000 }),
);
const runs = { numRuns: 2000 };

describe('costOfTokens', () => {
  test('is tokens × price / 1,000,000, rounded once, as docs/money.md says', () => {
    const tokens = fc.oneof(fc.nat({ max: 3_000_000 }), fc.maxSafeNat());
    // With an odd number of tokens, every second of these prices makes a cost that ends in a half.
    const halves = fc.oneof(fc.nat({ max: 4_000 }), fc.nat({ max: AMOUNT_MAX / 500_000 }));
    const price = fc.oneof(
      fc.nat({ max: 2_000_000_000 }),
      fc.integer({ min: 0, max: AMOUNT_MAX }),
      halves.map((half) => half * 500_000),
    );
    fc.assert(
      fc.property(tokens, price, (count, perMillion) => {
        const exact = roundCharge(BigInt(count) * BigInt(perMillion));
        const highest = BigInt(AMOUNT_MAX);
        expect(BigInt(costOfTokens(count, perMillion))).toBe(exact > highest ? highest : exact);
      }),
      runs,
    );
  });

  test('is exact beyond safe integers', () => {
    // As doubles these products end in half a million, which would be rounded up.
    expect(costOfTokens(1_499_999, 9_100_000_001)).toBe(13_649_990_901);
    expect(costOfTokens(1_500_003, 33_333_333_333)).toBe(50_000_099_999);
    const parts = [
      [1_499_999, 9_100_000_001],
      [1_500_003, 33_333_333_333],
    ] as const;
    for (const [tokens, price] of parts) {
      expect(costOfTokenKinds([[tokens, price]])).toBe(costOfTokens(tokens, price));
    }
  });

  test('rounds at the half', () => {
    expect(costOfTokens(1, 499_999)).toBe(0);
    expect(costOfTokens(1, 500_000)).toBe(1);
    expect(costOfTokens(3, 500_000)).toBe(2);
    expect(costOfTokens(1, 1_499_999)).toBe(1);
    expect(costOfTokens(0, AMOUNT_MAX)).toBe(0);
  });
});

describe('rubles in JSON', () => {
  test('have at most six decimals and are read back exactly', () => {
    fc.assert(
      fc.property(amount, (micro) => {
        const json = JSON.stringify(toRubles(micro));
        expect(json).toMatch(/^-?\d{1,10}(\.\d{1,6})?$/);
        expect(parseRubles(JSON.parse(json))).toBe(micro);
        expect(parseRubles(json)).toBe(micro);
        const digits = String(Math.abs(micro)).padStart(7, '0');
        const sign = micro < 0 ? '-' : '';
        expect(parseRubles(`${sign}${digits.slice(0, -6)}.${digits.slice(-6)}`)).toBe(micro);
      }),
      runs,
    );
  });

  test('are read to the last digit, and refused beyond the range', () => {
    expect(parseRubles('0.1')).toBe(100_000);
    expect(parseRubles(0.1)).toBe(100_000);
    expect(parseRubles(1e-6)).toBe(1);
    expect(parseRubles('0.0000001')).toBeUndefined();
    expect(parseRubles('0.0000010')).toBe(1);
    expect(parseRubles('8000000000')).toBe(AMOUNT_MAX);
    expect(parseRubles('8000000000.000001')).toBeUndefined();
    expect(parseRubles('-8000000000')).toBe(-AMOUNT_MAX);
    expect(Object.is(parseRubles('-0'), 0)).toBe(true);
  });

  test.each([
    '',
    ' ',
    '.',
    '1.',
    '.5',
    '1,5',
    '1 000',
    '0x10',
    '1e',
    'NaN',
    '∞',
    '--1',
    '1_000',
    '١',
  ])('are not read from %p', (text) => {
    expect(parseRubles(text)).toBeUndefined();
  });

  test('are not read from NaN or infinity', () => {
    for (const value of [NaN, Infinity, -Infinity]) expect(parseRubles(value)).toBeUndefined();
  });
});

describe('parseDecimal', () => {
  const decimal = fc.record({
    sign: fc.constantFrom('', '+', '-'),
    whole: fc.stringMatching(/^\d{1,18}$/),
    fraction: fc.option(fc.stringMatching(/^\d{1,12}0{0,4}$/), { nil: '' }),
    exponent: fc.option(fc.integer({ min: -30, max: 30 }), { nil: 0 }),
    scale: fc.constantFrom(1, 1000, MICRO_PER_RUBLE, 1_000_000_000),
  });

  test('gives the exact integer, or nothing if it is out of range', () => {
    fc.assert(
      fc.property(decimal, ({ sign, whole, fraction, exponent, scale }) => {
        const text = `${sign}${whole}${fraction && '.'}${fraction}${exponent ? `e${exponent}` : ''}`;
        const numerator =
          BigInt(whole + fraction) * BigInt(scale) * 10n ** BigInt(Math.max(0, exponent));
        const denominator = 10n ** BigInt(fraction.length + Math.max(0, -exponent));
        const fits =
          numerator % denominator === 0n && numerator / denominator <= BigInt(AMOUNT_MAX);
        const magnitude = fits ? Number(numerator / denominator) : undefined;
        const expected = magnitude && sign === '-' ? -magnitude : magnitude;
        expect(parseDecimal(text, scale)).toBe(expected);
      }),
      runs,
    );
  });

  test('reads a JSON number as its decimal text', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 8 * 10 ** 9 }),
        fc.integer({ min: 0, max: 6 }),
        (n, d) => {
          const text = (BigInt(n) * 10n ** BigInt(6 - d)).toString();
          expect(parseDecimal(n / 10 ** d, MICRO_PER_RUBLE)).toBe(Number(text));
        },
      ),
      runs,
    );
  });

  test('is fast for long input', () => {
    expect(parseDecimal('9'.repeat(100_000), 1)).toBeUndefined();
    expect(parseDecimal('1e999', 1)).toBeUndefined();
    expect(parseDecimal('1e-999', 1)).toBeUndefined();
    expect(parseDecimal('0e999', 1)).toBe(0);
    expect(parseDecimal('0e-999', 1)).toBe(0);
  });
});

test('formatRubles loses no digit', () => {
  fc.assert(
    fc.property(amount, (micro) => {
      const text = formatRubles(micro);
      expect(text).toMatch(/^-?\d{1,3}( \d{3})*\.\d{2,6} ₽$/);
      expect(parseRubles(text.replaceAll(/[ ₽]/g, ''))).toBe(micro);
    }),
    runs,
  );
  expect(formatRubles(1_000_500_000)).toBe('1 000.50 ₽');
  expect(formatRubles(-1)).toBe('-0.000001 ₽');
});
