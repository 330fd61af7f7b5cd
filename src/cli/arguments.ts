import { InvalidArgumentError } from 'commander';
import { parseRubles, type Micro } from '../lib/money.ts';

/** Reads an amount of rubles exactly. @throws InvalidArgumentError */
export function rublesArgument(text: string): Micro {
  const amount = parseRubles(text);
  if (amount === undefined) {
    throw new InvalidArgumentError('Give rubles with at most six decimals, such as 500 or 12.50.');
  }
  return amount;
}

/** @throws InvalidArgumentError */
export function wholeNumberArgument(text: string): number {
  const value = Number(text);
  if (!/^\d{1,15}$/.test(text)) {
    throw new InvalidArgumentError('Give a whole number, at least 0.');
  }
  return value;
}

/**
 * Reads a day, which means its end in UTC, or a moment with its time zone.
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

/** Reads a day as it is written. @throws InvalidArgumentError */
export function dayArgument(text: string): string {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text) && isRealDay(text)) return text;
  throw new InvalidArgumentError('Give a day such as 2030-12-31.');
}

/** February has no 30th, although a parser may take it for the 2nd of March. */
function isRealDay(day: string): boolean {
  const midnight = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
}
