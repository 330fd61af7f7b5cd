import { readDecimal, shifted, wholeNumber } from './decimal.ts';

/**
 * Money is whole micro-rubles (0.000001 ₽) in safe integers; prices are whole micro-rubles per
 * 1,000,000 tokens. No float ever takes part in a sum.
 */
export type Micro = number;

export const MICRO_PER_RUBLE = 1_000_000;
/** The price of tokens is for this many. */
export const TOKENS_PER_PRICE = 1_000_000;

/** The largest amount, 8 billion ₽. Below 2^33 ₽ a double is exact to the micro-ruble, and so are JSON numbers. */
export const AMOUNT_MAX: Micro = 8_000_000_000 * MICRO_PER_RUBLE;
/** `AMOUNT_MAX` in rubles, for people. */
export const AMOUNT_MAX_TEXT = '8 000 000 000';

/**
 * tokens × price / 1,000,000, rounded once.
 * @param tokens whole tokens, at least 0
 * @param price micro-rubles per 1,000,000 tokens, at least 0
 */
export function costOfTokens(tokens: number, price: Micro): Micro {
  const product = tokens * price;
  return Number.isSafeInteger(product) ? perMillion(product) : costOfTokenKinds([[tokens, price]]);
}

/**
 * The sum of tokens × price / 1,000,000 over several kinds of token, rounded once.
 * @param parts as in `costOfTokens`
 */
export function costOfTokenKinds(
  parts: readonly (readonly [tokens: number, price: Micro])[],
): Micro {
  const sum = parts.reduce((total, [tokens, price]) => total + tokens * price, 0);
  // Nothing is negative, so a safe sum has only safe terms.
  if (Number.isSafeInteger(sum)) return perMillion(sum);
  const products = parts.map(([tokens, price]) => BigInt(tokens) * BigInt(price));
  const exact = bigPerMillion(products.reduce((total, product) => total + product, 0n));
  return exact > BigInt(AMOUNT_MAX) ? AMOUNT_MAX : Number(exact);
}

// The rounding of charges, half up. `perMillion` is fast; `bigPerMillion` handles sums beyond safe integers. Both must
// follow docs/money.md, as must `roundCharge` in tests/support/rational.ts, with which the tests compare them.

function perMillion(sum: number): number {
  // Divides without a fraction, which could round twice.
  const rest = sum % TOKENS_PER_PRICE;
  return (sum - rest) / TOKENS_PER_PRICE + (rest * 2 >= TOKENS_PER_PRICE ? 1 : 0);
}

function bigPerMillion(sum: bigint): bigint {
  const divisor = BigInt(TOKENS_PER_PRICE);
  return (sum + divisor / 2n) / divisor;
}

/** The JSON number of an amount: rubles with at most six decimals. */
export function toRubles(amount: Micro): number {
  return amount / MICRO_PER_RUBLE;
}

/**
 * Reads a decimal number exactly and scales it to a whole number. JSON numbers are read through their shortest text, so
 * 0.1 is exactly 0.1.
 * @param scale a power of ten, e.g. MICRO_PER_RUBLE
 * @returns undefined if it is not a decimal, is not whole after scaling, or exceeds ±AMOUNT_MAX
 */
export function parseDecimal(value: number | string, scale: number): number | undefined {
  const text = String(value).trim();
  const isNegative = /^-\d/.test(text);
  const decimal = readDecimal(isNegative ? text.slice(1) : text);
  const scaled = decimal && wholeNumber(shifted(decimal, Math.round(Math.log10(scale))));
  if (scaled === undefined || scaled > BigInt(AMOUNT_MAX)) return undefined;
  const amount = Number(scaled);
  return isNegative && amount !== 0 ? -amount : amount;
}

/** Reads rubles that a person typed or that JSON contains; undefined if they are not an exact amount. */
export function parseRubles(value: number | string): Micro | undefined {
  return parseDecimal(value, MICRO_PER_RUBLE);
}

/** For a person, with all digits: `1 000.50 ₽`. */
export function formatRubles(amount: Micro): string {
  const negative = amount < 0;
  const digits = String(Math.abs(amount)).padStart(7, '0');
  const whole = digits.slice(0, -6).replace(/\B(?=(\d{3})+$)/g, ' ');
  const fraction = digits.slice(-6).replace(/0{1,4}$/, '');
  return `${negative ? '-' : ''}${whole}.${fraction} ₽`;
}
