/**
 * The rules of the limits of users and API keys, as pure functions. A minute is a window of 60 seconds that begins with
 * the first call after the previous window; days and months are those of lib/days.ts. Amounts are micro-rubles, times
 * milliseconds since 1970.
 */
import { dayOf, endOfDay, endOfMonth, firstOfMonth } from '../lib/days.ts';
import type { Micro } from '../lib/money.ts';
import { affordableOutputTokens, worstCase, type HoldBounds } from './rules.ts';

export const MINUTE_MS = 60_000;
/** If the clock went back by more than this, a new window begins; the clocks of nodes differ by far less. */
const CLOCK_BACK_MAX_MS = 5 * MINUTE_MS;
/** The wait if running calls use up the limit: they may end at any moment. */
const SOON_MS = 1_000;

/** The limits of a user; null means no limit. */
export interface UserLimits {
  requestsPerMinute: number | null;
  /** Input and output together. */
  tokensPerMinute: number | null;
  rublesPerDay: Micro | null;
  /** The ids of the models that may be used. */
  models: readonly number[] | null;
}

/** The limits of an API key: the same as for users, and budgets. */
export interface KeyLimits extends UserLimits {
  /** Within a calendar month. */
  rublesPerMonth: Micro | null;
  /** In all. */
  rublesTotal: Micro | null;
}

export interface LimitUse {
  minuteStart: number;
  minuteRequests: number;
  /** The tokens that finished calls used, plus the most that running calls may use. */
  minuteTokens: number;
  /** Days since 1970. */
  day: number;
  dayCharged: Micro;
  /** In the calendar month of the day. Only keys have this field and `charged`. */
  monthCharged: Micro;
  /** In all. */
  charged: Micro;
}

/** The money that a call may use. */
export interface LimitFunds {
  /** The amount that running calls hold, which counts against limits of rubles. */
  held: Micro;
  /** The amount that the account has available. */
  available: Micro;
}

export interface LimitedCall extends HoldBounds {
  modelId: number;
}

export type LimitRefusal =
  | { limit: 'models' }
  | {
      limit: LimitName;
      /** When the call would fit; null if never, because it exceeds the whole limit, or the budget does not renew. */
      retryAfterMs: number | null;
      /** What the call needs: calls, tokens or micro-rubles. */
      needs: number;
      left: number;
      /** The whole limit. */
      whole: number;
      /** The largest output cap that fits now, or else after the wait; 0 if none will ever fit. */
      cap: number;
    };

export const limitNames = [
  'requests_per_minute',
  'tokens_per_minute',
  'rubles_per_day',
  'rubles_per_month',
  'rubles_total',
] as const;

export type LimitName = (typeof limitNames)[number];

/** A limit of rubles: its amount, what was charged in its window, and when the window ends. */
interface RubleLimit {
  limit: LimitName;
  whole: (limits: KeyLimits) => Micro | null;
  charged: (use: LimitUse) => Micro;
  /** Absent: never. */
  endsAt?: (at: number) => number;
  /** The length of the window in days; absent if the limit counts no days. */
  days?: (at: number) => number;
}

export const rubleLimits: readonly RubleLimit[] = [
  {
    limit: 'rubles_per_day',
    whole: ({ rublesPerDay }) => rublesPerDay,
    charged: ({ dayCharged }) => dayCharged,
    endsAt: endOfDay,
    days: () => 1,
  },
  {
    limit: 'rubles_per_month',
    whole: ({ rublesPerMonth }) => rublesPerMonth,
    charged: ({ monthCharged }) => monthCharged,
    endsAt: endOfMonth,
    days: (at) => dayOf(endOfMonth(at)) - firstOfMonth(dayOf(at)),
  },
  {
    limit: 'rubles_total',
    whole: ({ rublesTotal }) => rublesTotal,
    charged: ({ charged }) => charged,
  },
];

/** The use at a moment. Windows that are over count as empty. */
export function useAt(use: LimitUse, at: number): LimitUse {
  const age = at - use.minuteStart;
  const isOver = age >= MINUTE_MS || age < -CLOCK_BACK_MAX_MS;
  const day = dayOf(at);
  const isOtherDay = day > use.day || day < use.day - 1;
  const isOtherMonth = isOtherDay && firstOfMonth(day) !== firstOfMonth(use.day);
  return {
    ...use,
    ...(isOver && { minuteStart: at, minuteRequests: 0, minuteTokens: 0 }),
    ...(isOtherDay && { day, dayCharged: 0 }),
    ...(isOtherMonth && { monthCharged: 0 }),
  };
}

/**
 * Decides whether a call may begin. A call without its own cap may begin with a smaller cap.
 * @param use from `useAt`
 * @param funds held money counts as spent
 * @returns the call that fits (whether the funds cover it is checked later), or the refusal
 */
export function withinLimits(
  limits: KeyLimits,
  use: LimitUse,
  { held, available }: LimitFunds,
  bounds: LimitedCall,
  at: number,
): { fits: HoldBounds } | { refused: LimitRefusal } {
  if (limits.models && !limits.models.includes(bounds.modelId))
    return { refused: { limit: 'models' } };
  const { requestsPerMinute, tokensPerMinute } = limits;
  const minuteLeftMs = Math.max(1, use.minuteStart + MINUTE_MS - at);
  if (requestsPerMinute !== null && use.minuteRequests >= requestsPerMinute) {
    const counts = { needs: 1, left: 0, whole: requestsPerMinute, cap: 0 };
    return { refused: { limit: 'requests_per_minute', retryAfterMs: minuteLeftMs, ...counts } };
  }
  let fits: HoldBounds = bounds;
  if (tokensPerMinute !== null) {
    const left = Math.max(0, tokensPerMinute - use.minuteTokens);
    const reduced = withinTokens(fits, left);
    if (!reduced) return { refused: overTokens(fits, tokensPerMinute, left, minuteLeftMs) };
    fits = reduced;
  }
  for (const one of rubleLimits) {
    const whole = one.whole(limits);
    if (whole === null) continue;
    const charged = one.charged(use);
    const reduced = withinRubles(fits, Math.max(0, whole - charged - held));
    if (reduced) fits = reduced;
    // If the money is not enough either, that is reported instead, when the hold is taken.
    else if (!withinRubles(fits, available)) return { fits };
    else return { refused: overRubles(fits, one, { whole, charged, held, at }) };
  }
  return { fits };
}

/** The most tokens that a call can use. */
export function tokensOf({ inputTokensMax, outputTokensMax, answers = 1 }: HoldBounds): number {
  return inputTokensMax + outputTokensMax * answers;
}

function withinTokens(bounds: HoldBounds, left: number): HoldBounds | undefined {
  return capped(bounds, Math.floor((left - bounds.inputTokensMax) / (bounds.answers ?? 1)));
}

function withinRubles(bounds: HoldBounds, left: Micro): HoldBounds | undefined {
  if (worstCase(bounds) <= left) return bounds;
  // If not even one output token is affordable, no cap helps; not even a cap of 0, which embeddings have.
  const cap = affordableOutputTokens(left, bounds);
  return cap > 0 ? capped(bounds, cap) : undefined;
}

/** The call with an output cap of at most `cap`; undefined if the caller set a higher cap. */
function capped(bounds: HoldBounds, cap: number): HoldBounds | undefined {
  if (bounds.outputTokensMax <= cap) return bounds;
  if (bounds.reducibleTo === 0 || cap < bounds.reducibleTo) return undefined;
  return { ...bounds, outputTokensMax: cap };
}

function overTokens(
  bounds: HoldBounds,
  limit: number,
  left: number,
  minuteLeftMs: number,
): LimitRefusal {
  const fitsEmpty = withinTokens(bounds, limit) !== undefined;
  return {
    limit: 'tokens_per_minute',
    retryAfterMs: fitsEmpty ? minuteLeftMs : null,
    needs: tokensOf(bounds),
    left,
    whole: limit,
    cap: bounds.isUncapped ? 0 : Math.max(0, (fitsEmpty ? left : limit) - bounds.inputTokensMax),
  };
}

function overRubles(
  bounds: HoldBounds,
  { limit, endsAt }: RubleLimit,
  { whole, charged, held, at }: { whole: Micro; charged: Micro; held: Micro; at: number },
): LimitRefusal {
  const left = Math.max(0, whole - charged - held);
  const facts = { limit, needs: worstCase(bounds), left, whole };
  const cap = (rubles: Micro) => affordableOutputTokens(rubles, bounds);
  if (!endsAt) return { ...facts, retryAfterMs: null, cap: cap(left) };
  const fitsEmpty = withinRubles(bounds, whole) !== undefined;
  const fitsLater = withinRubles(bounds, whole - charged) !== undefined;
  return {
    ...facts,
    retryAfterMs: !fitsEmpty ? null : fitsLater ? SOON_MS : endsAt(at) - at,
    cap: cap(fitsEmpty ? left : whole),
  };
}
