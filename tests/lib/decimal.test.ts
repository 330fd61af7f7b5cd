import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  compare,
  decimalText,
  readDecimal,
  roundedHalfUp,
  sum,
  type Decimal,
} from '../../src/lib/decimal.ts';

const read = (text: string): Decimal => {
  const decimal = readDecimal(text);
  if (!decimal) throw new Error(`${text} is no decimal`);
  return decimal;
};

describe('decimals', () => {
  test('are compared by value, however they are written', () => {
    for (const [first, second, sign] of [
      ['1', '1.0', 0],
      ['100', '1e2', 0],
      ['0', '0.000', 0],
      ['0.1', '0.01', 1],
      ['9e-3', '1e-2', -1],
    ] as const) {
      expect([first, second, compare(read(first), read(second))]).toEqual([first, second, sign]);
    }
  });

  test('are added and printed without losing a digit', () => {
    const digits = fc.bigInt({ min: 0n, max: 10n ** 20n });
    fc.assert(
      fc.property(digits, digits, fc.nat(12), (one, other, places) => {
        const total = sum({ digits: one, exponent: -places }, { digits: other, exponent: 0 });
        const exact = one + other * 10n ** BigInt(places);
        expect(compare(total, { digits: exact, exponent: -places })).toBe(0);
        expect(compare(read(decimalText(total)), total)).toBe(0);
        const scale = 10n ** BigInt(places);
        expect(roundedHalfUp(total)).toBe((2n * exact + scale) / (2n * scale));
      }),
    );
  });

  test('of more digits or places than any price are refused', () => {
    expect(readDecimal('1'.repeat(40))).toBeDefined();
    expect(readDecimal('1'.repeat(41))).toBeUndefined();
    expect(readDecimal('1e400')).toBeDefined();
    expect(readDecimal('1e401')).toBeUndefined();
    expect(readDecimal('1e-401')).toBeUndefined();
  });
});
