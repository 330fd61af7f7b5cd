import { invalidField } from '../../lib/errors.ts';
import { compare, readDecimal, sum, type Decimal } from '../../lib/decimal.ts';

export interface ImportOptions {
  /** Rubles per dollar, e.g. `92.5`. */
  usdRate: string;
  /** The percentage that is added to the listed prices, e.g. `20`. */
  markup: string;
  /** Codes of our providers; empty: all. */
  providers: readonly string[];
  /** `CODE=NAME`: the provider's code and its name in the list. */
  map: readonly string[];
  /** Names of models to add if the catalogue lacks them; `*` stands for any text. */
  add: readonly string[];
  /** Accept prices of zero, which make a model free for everybody. */
  allowFree: boolean;
  /**
   * For a model whose price rises with the length of its input: use both prices, refuse the model, or use the highest
   * price for all lengths.
   */
  longContext: 'both' | 'refuse' | 'highest';
  /** The most models that it may change and add; by default as many as a catalogue holds. */
  most?: number;
}

export interface Terms {
  /** Rubles per dollar. */
  rate: Decimal;
  /** The day of the rate, `YYYY-MM-DD`. */
  date: string;
  /** 1.2 for 20 percent. */
  factor: Decimal;
}

/** A higher number is assumed to be a typing error. */
export const USD_RATE_MAX = 100_000;
const MARKUP_MAX = 10_000;

const hundred: Decimal = { digits: 100n, exponent: 0 };

/** @param date the day of the import, `YYYY-MM-DD` @throws `invalid_request` naming the wrong number */
export function readTerms(
  { usdRate, markup }: Pick<ImportOptions, 'usdRate' | 'markup'>,
  date: string,
): Terms {
  const rate = readDecimal(usdRate);
  if (!rate || rate.digits === 0n || above(rate, USD_RATE_MAX)) {
    throw invalidField(
      'usd-rate',
      `must be rubles per dollar, above 0 and at most ${USD_RATE_MAX}`,
    );
  }
  const percent = readDecimal(markup);
  if (!percent || above(percent, MARKUP_MAX)) {
    throw invalidField('markup', `must be a percentage from 0 to ${MARKUP_MAX}`);
  }
  const { digits, exponent } = sum(hundred, percent);
  return { rate, date, factor: { digits, exponent: exponent - 2 } };
}

function above(value: Decimal, max: number): boolean {
  return compare(value, { digits: BigInt(max), exponent: 0 }) > 0;
}
