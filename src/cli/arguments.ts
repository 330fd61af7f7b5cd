import { InvalidArgumentError } from 'commander';
import { z } from 'zod';
import { DomainError } from '../lib/errors.ts';
import { AMOUNT_MAX, parseRubles, toRubles, type Micro } from '../lib/money.ts';

const day = z.iso.date();
const moment = z.iso.datetime({ offset: true }).or(z.iso.datetime({ offset: true, precision: -1 }));

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

/** Reads a moment with its time zone, or a day, which stands for its end in UTC. @throws InvalidArgumentError */
export function expiryArgument(text: string): number {
  if (day.safeParse(text).success) return Date.parse(`${text}T23:59:59.999Z`);
  if (moment.safeParse(text).success) return Date.parse(text);
  throw new InvalidArgumentError(
    'Give a day such as 2030-12-31, which lasts until its end in UTC, or a moment such as 2030-12-31T18:00:00Z.',
  );
}

/** Reads a moment with its time zone. @returns milliseconds since 1970 @throws InvalidArgumentError */
export function momentArgument(text: string): number {
  if (moment.safeParse(text).success) return Date.parse(text);
  throw new InvalidArgumentError('Give a moment with its zone, such as 2030-12-31T18:00:00+03:00.');
}

/** Checks a day, `YYYY-MM-DD`. @throws InvalidArgumentError */
export function dayArgument(text: string): string {
  if (day.safeParse(text).success) return text;
  throw new InvalidArgumentError('Give a day such as 2030-12-31.');
}

/** Reads some of these words, separated by commas, and returns them in order. @throws `invalid_request` */
export function partsArgument<Part extends string>(text: string, parts: readonly Part[]): Part[] {
  const words = text.split(',').map((word) => word.trim());
  const unknown = words.filter((word) => !parts.some((part) => part === word));
  if (unknown.length === 0) return parts.filter((part) => words.includes(part));
  throw new DomainError('invalid_request', `--by takes some of ${parts.join(',')}`);
}
