/** An exact decimal number of at least 0: digits × 10^exponent. */
export interface Decimal {
  digits: bigint;
  exponent: number;
}

/** No price, rate or percentage has more digits or decimal places. */
const DIGITS_MAX = 40;
const EXPONENT_MAX = 400;

const pattern = /^\+?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/;

/**
 * Reads a decimal exactly, e.g. `0.15` or `1.5e-07`. A JSON number is read through its shortest text.
 * @returns undefined if it is not a decimal, is negative, or has too many digits or decimal places
 */
export function readDecimal(value: unknown): Decimal | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const match = pattern.exec(String(value).trim());
  if (!match) return undefined;
  const [, integer = '', fraction = '', power = '0'] = match;
  if (integer.length + fraction.length > DIGITS_MAX) return undefined;
  const digits = BigInt(integer + fraction);
  if (digits === 0n) return { digits, exponent: 0 };
  const exponent = Number(power) - fraction.length;
  return Math.abs(exponent) > EXPONENT_MAX ? undefined : { digits, exponent };
}

/** The exact number × 10^places. */
export function shifted({ digits, exponent }: Decimal, places: number): Decimal {
  return { digits, exponent: exponent + places };
}

export function product(...factors: readonly Decimal[]): Decimal {
  return factors.reduce((all, { digits, exponent }) => ({
    digits: all.digits * digits,
    exponent: all.exponent + exponent,
  }));
}

export function sum(first: Decimal, second: Decimal): Decimal {
  const exponent = Math.min(first.exponent, second.exponent);
  return { digits: digitsAt(first, exponent) + digitsAt(second, exponent), exponent };
}

/** Negative, 0 or positive if the first is smaller than, equal to or larger than the second. */
export function compare(first: Decimal, second: Decimal): number {
  const exponent = Math.min(first.exponent, second.exponent);
  const [one, other] = [digitsAt(first, exponent), digitsAt(second, exponent)];
  return one < other ? -1 : Number(one > other);
}

/** The number if it is whole, else undefined. */
export function wholeNumber({ digits, exponent }: Decimal): bigint | undefined {
  if (exponent >= 0) return digits * 10n ** BigInt(exponent);
  const divisor = 10n ** BigInt(-exponent);
  return digits % divisor === 0n ? digits / divisor : undefined;
}

/** The nearest whole number; a half goes up. */
export function roundedHalfUp({ digits, exponent }: Decimal): bigint {
  if (exponent >= 0) return digits * 10n ** BigInt(exponent);
  const divisor = 10n ** BigInt(-exponent);
  return (2n * digits + divisor) / (2n * divisor);
}

/** The number without an exponent, e.g. `0.15`. */
export function decimalText({ digits, exponent }: Decimal): string {
  if (exponent >= 0) return String(digits * 10n ** BigInt(exponent));
  const text = String(digits).padStart(1 - exponent, '0');
  const fraction = text.slice(exponent).replace(/0+$/, '');
  return fraction === '' ? text.slice(0, exponent) : `${text.slice(0, exponent)}.${fraction}`;
}

function digitsAt({ digits, exponent }: Decimal, smaller: number): bigint {
  return digits * 10n ** BigInt(exponent - smaller);
}
