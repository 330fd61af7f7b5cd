/** Prices that change with the hour: `cost_hours` of the catalogue file. */
import { z } from 'zod';
import type { Price } from '../lib/units.ts';
import { HOURS_MAX, PERCENT_MAX } from './limits.ts';
import { scaledPrice } from './scaled-price.ts';

/** In the order of `Date.getUTCDay()`. */
const dayNames = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;

const window = z
  .string({ error: 'must be text such as "06:00-10:00"' })
  .regex(
    /^(?:[01]\d|2[0-3]):[0-5]\d-(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/,
    'must be hours in UTC, such as "06:00-10:00"',
  )
  .refine((text) => text.slice(0, 5) !== text.slice(6), 'must not be empty: use 00:00-24:00');

const daysProblem = `must be a list of different days out of ${dayNames.join(', ')}`;

const days = z
  .array(z.enum(dayNames, { error: daysProblem }), { error: daysProblem })
  .min(1, daysProblem)
  .refine((list) => new Set(list).size === list.length, daysProblem);

const percentProblem = `must be a whole number from 1 to ${PERCENT_MAX}`;

/** Certain hours of the day, and what prices and costs are during them, in percent of the usual ones. */
export const hoursSchema = z
  .array(
    z.strictObject(
      {
        utc: window,
        days: days.exactOptional(),
        percent: z
          .int({ error: percentProblem })
          .min(1, percentProblem)
          .max(PERCENT_MAX, percentProblem),
      },
      { error: 'must be a map of utc, percent and perhaps days' },
    ),
    { error: 'must be a list of hours, each with utc and percent' },
  )
  .min(1, 'must name at least one window')
  .max(HOURS_MAX, `must be at most ${HOURS_MAX} windows`);

export type PriceHours = z.infer<typeof hoursSchema>;

interface Priced {
  /** The usual price. */
  price: Price | null;
  /** Absent: it has one price for all hours. */
  hours?: PriceHours;
}

const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;
/** One percent, in millionths. */
const PERCENT = 10_000;

/**
 * The percentage that applies at a moment: that of the first window that contains it, or else 100. After midnight, a
 * window that passes midnight belongs to the new day.
 */
export function percentAt(hours: PriceHours | undefined, at: number): number {
  if (!hours) return 100;
  const day = dayNames[new Date(at).getUTCDay()];
  const minute = Math.floor(at / MINUTE_MS) % DAY_MINUTES;
  const found = hours.find(({ utc, days: on }) => {
    if (on && !on.some((name) => name === day)) return false;
    const from = minuteOf(utc.slice(0, 5));
    const to = minuteOf(utc.slice(6));
    return from < to ? from <= minute && minute < to : from <= minute || minute < to;
  });
  return found?.percent ?? 100;
}

function minuteOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
}

export function priceAt({ price, hours }: Priced, at: number): Price | null {
  const percent = percentAt(hours, at);
  return price && percent !== 100 ? scaledPrice(price, percent * PERCENT) : price;
}

/** A model with its price and cost at a moment; the same object if it has one price for all hours. */
export function modelAt<Model extends Priced & { operatorPrice: Price | null }>(
  model: Model,
  at: number,
): Model {
  const percent = percentAt(model.hours, at);
  if (percent === 100) return model;
  const { price, operatorPrice } = model;
  return {
    ...model,
    price: price && scaledPrice(price, percent * PERCENT),
    operatorPrice: operatorPrice && scaledPrice(operatorPrice, percent * PERCENT),
  };
}

/** The windows in one line, for the log of changes: `01:00-04:00 mon,tue 200 %; …` */
export function hoursText(hours: PriceHours | undefined): string | undefined {
  return hours
    ?.map(({ utc, days: on, percent }) =>
      [utc, ...(on ? [on.join(',')] : []), `${percent} %`].join(' '),
    )
    .join('; ');
}
