import { formatRubles, type Micro } from '../lib/money.ts';

/** Texts for people. Amounts are exact, times are ISO 8601 in UTC. */
export const rubles = (amount: Micro): string => formatRubles(amount);

export const yesNo = (value: boolean): string => (value ? 'yes' : 'no');

/** @param milliseconds since 1970; null for never */
export function time(milliseconds: number | null): string {
  if (milliseconds === null) return '-';
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
}

/** A size, e.g. `356.4 kB`. */
export function bytes(size: number): string {
  return size < 1_000_000
    ? `${(size / 1000).toFixed(1)} kB`
    : `${(size / 1_000_000).toFixed(1)} MB`;
}

/** A number with its noun: `1 domain`, `2,000 domains`. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}

/** A text as one word of a POSIX shell. */
export function shellWord(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
