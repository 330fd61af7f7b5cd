import { signal } from '@preact/signals';
import { language } from './index.ts';

/** Numbers, amounts and dates in the language of the page. Days and times are in the time zone of the server's days. */

/** From the caller's account. */
export const dayZone = signal('UTC');

const formats = new Map<string, Intl.NumberFormat | Intl.DateTimeFormat>();

function format<T extends Intl.NumberFormat | Intl.DateTimeFormat>(
  name: string,
  create: (locale: string) => T,
): T {
  const locale = language.value;
  const key = `${locale} ${name}`;
  let made = formats.get(key);
  if (!made) formats.set(key, (made = create(locale)));
  return made as T;
}

/** @param decimals the least number of them */
export function number(value: number, decimals = 0): string {
  const options = { minimumFractionDigits: decimals };
  const made = format(`number ${decimals}`, (locale) => new Intl.NumberFormat(locale, options));
  return made.format(value);
}

/** A share of 1 as percent, with up to one decimal. @param decimals the least number of them */
export function percent(share: number, decimals = 0): string {
  const options = {
    style: 'percent',
    minimumFractionDigits: decimals,
    maximumFractionDigits: 1,
  } as const;
  const made = format(`percent ${decimals}`, (locale) => new Intl.NumberFormat(locale, options));
  return made.format(share);
}

/** @param tag such as `ru` or `en-gb` */
export function languageName(tag: string): string {
  return new Intl.DisplayNames(language.value, { type: 'language' }).of(tag) ?? tag;
}

const MICRO_PER_RUBLE = 1_000_000;

/** An amount in rubles with all its decimals, at least two: 0.0042 ₽ is never written as 0.00 ₽. */
export function rubles(micro: number): string {
  const options = {
    style: 'currency',
    currency: 'RUB',
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: 2,
    maximumFractionDigits: 6,
  } as const;
  return format('rubles', (locale) => new Intl.NumberFormat(locale, options)).format(
    micro / MICRO_PER_RUBLE,
  );
}

/** An amount that was added or subtracted. */
export function signedRubles(micro: number): string {
  return micro > 0 ? `+${rubles(micro)}` : rubles(micro);
}

/** @param seconds Unix time */
export function dateTime(seconds: number): string {
  const timeZone = dayZone.value;
  const options = { dateStyle: 'medium', timeStyle: 'short', timeZone } as const;
  const made = format(`dateTime ${timeZone}`, (locale) => new Intl.DateTimeFormat(locale, options));
  return `${made.format(seconds * 1000)} ${timeZone}`;
}

/** A time in ISO 8601, in UTC, for spreadsheets. @param seconds Unix time */
export function isoTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('.000', '');
}

/** The current day, `YYYY-MM-DD`. */
export function today(): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: dayZone.value }).format();
}

const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;

/** A day of the week, short. */
export function weekday(name: (typeof weekdays)[number]): string {
  const options = { weekday: 'short', timeZone: 'UTC' } as const;
  const made = format('weekday', (locale) => new Intl.DateTimeFormat(locale, options));
  // The 4th of January 1970 was a Sunday.
  return made.format(new Date(Date.UTC(1970, 0, 4 + weekdays.indexOf(name))));
}

/** @param date `YYYY-MM-DD` */
export function day(date: string): string {
  const options = { dateStyle: 'medium', timeZone: 'UTC' } as const;
  const made = format('day', (locale) => new Intl.DateTimeFormat(locale, options));
  return made.format(new Date(`${date}T00:00:00Z`));
}
