import { InvalidArgumentError } from 'commander';
import { AMOUNT_MAX, parseRubles, toRubles, type Micro } from '../lib/money.ts';

/** Reads an amount of rubles exactly; it may be negative. @throws InvalidArgumentError */
export const rublesArgument = rublesFrom(-AMOUNT_MAX);

/** @returns a reader of exact amounts of at least `min`, which throws an InvalidArgumentError */
export function rublesFrom(min: Micro): (text: string) => Micro {
  return (text) => {
    // A person who types 1e3 may mean something else.
    const isDecimal = /^[+-]?\d+(\.\d+)?$/.test(text.trim());
    const amount = isDecimal ? parseRubles(text) : undefined;
    if (amount !== undefined && amount >= min) return amount;
    const isExact = isDecimal && /^[^.]*(\.\d{1,6}0*)?$/.test(text.trim());
    throw new InvalidArgumentError(
      isExact
        ? `Give rubles from ${toRubles(min)} to ${toRubles(AMOUNT_MAX)}.`
        : 'Give rubles with at most six decimals, such as 500 or 12.50.',
    );
  };
}

/** @throws InvalidArgumentError */
export const wholeNumberArgument = wholeNumberFrom(0);

/** @returns a reader of whole numbers of at least `min`, which throws an InvalidArgumentError */
export function wholeNumberFrom(min: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d{1,15}$/.test(text) && value >= min) return value;
    throw new InvalidArgumentError(`Give a whole number, at least ${min}.`);
  };
}

/**
 * Reads a moment with its time zone, or a day, which stands for its end in UTC.
 * @returns milliseconds since 1970
 * @throws InvalidArgumentError
 */
export function expiryArgument(text: string): number {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text);
  const isMoment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})$/.test(
    text,
  );
  const moment = Date.parse(isDay ? `${text}T23:59:59.999Z` : text);
  if (!(isDay || isMoment) || Number.isNaN(moment) || !isRealDay(text.slice(0, 10))) {
    throw new InvalidArgumentError(
      'Give a day such as 2030-12-31, which lasts until its end in UTC, or a moment such as 2030-12-31T18:00:00Z.',
    );
  }
  return moment;
}

/** Checks a day, `YYYY-MM-DD`. @throws InvalidArgumentError */
export function dayArgument(text: string): string {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text) && isRealDay(text)) return text;
  throw new InvalidArgumentError('Give a day such as 2030-12-31.');
}

/** `Date` may read the 30th of February as the 2nd of March. */
function isRealDay(day: string): boolean {
  const midnight = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
}
