/** Amounts are whole micro-rubles here, so that sums are exact. */

const MICRO_PER_RUBLE = 1_000_000;

/** Reads an amount of the API: rubles with at most six decimals. */
export function micro(rubles: number): number {
  return Math.round(rubles * MICRO_PER_RUBLE);
}

/** The exact sum of amounts of the API, in micro-rubles. */
export function sumOf(amounts: readonly number[]): number {
  return amounts.reduce((sum, rubles) => sum + micro(rubles), 0);
}

const DECIMALS = 6;

/** An amount in rubles with all its decimals and a decimal point, for files. */
export function decimalOf(amount: number): string {
  const digits = String(Math.abs(amount)).padStart(DECIMALS + 1, '0');
  const decimals = digits.slice(-DECIMALS).replace(/0+$/, '');
  const whole = digits.slice(0, -DECIMALS);
  return `${amount < 0 ? '-' : ''}${whole}${decimals === '' ? '' : `.${decimals}`}`;
}
