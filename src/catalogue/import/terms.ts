import { invalidField } from '../../lib/errors.ts';
import { compare, readDecimal, sum, type Decimal } from '../../lib/decimal.ts';

/** What an operator asks of an import, in words. */
export interface ImportAsk {
  /** Rubles for a dollar, e.g. `92.5`. */
  usdRate: string;
  /** Percent on top of the list's price, e.g. `20`. */
  markup: string;
  /** Codes of our providers; empty: all. */
  providers: readonly string[];
  /** `CODE=NAME`: our provider and what the list calls it. */
  map: readonly string[];
  /** Names of models to add when the catalogue has none, `*` for any text. */
  add: readonly string[];
  /** Take prices of zero, which make a model free for everybody. */
  allowFree: boolean;
  /**
   * What a model costs whose price rises with the length of its input: both prices, each for its lengths, or
   * the highest for all.
   */
  longContext: 'both' | 'refuse' | 'highest';
}

/** What turns dollars into rubles. */
export interface Terms {
  rate: Decimal;
  /** 1.2 for 20 percent. */
  factor: Decimal;
}

/** Rubles for a dollar and percent beyond which a number is a slip of the keyboard. */
export const USD_RATE_MAX = 100_000;
const MARKUP_MAX = 10_000;

const hundred: Decimal = { digits: 100n, exponent: 0 };

/** @throws `invalid_request` naming the number that is none */
export function readTerms({ usdRate, markup }: Pick<ImportAsk, 'usdRate' | 'markup'>): Terms {
  const rate = readDecimal(usdRate);
  if (!rate || rate.digits === 0n || above(rate, USD_RATE_MAX)) {
    throw invalidField(
      'usd-rate',
      `must be rubles for a dollar, above 0 and at most ${USD_RATE_MAX}`,
    );
  }
  const percent = readDecimal(markup);
  if (!percent || above(percent, MARKUP_MAX)) {
    throw invalidField('markup', `must be percent, from 0 to ${MARKUP_MAX}`);
  }
  const { digits, exponent } = sum(hundred, percent);
  return { rate, factor: { digits, exponent: exponent - 2 } };
}

function above(value: Decimal, max: number): boolean {
  return compare(value, { digits: BigInt(max), exponent: 0 }) > 0;
}
