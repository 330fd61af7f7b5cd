/**
 * The rules of a user's limits, as pure functions. A minute is a window of 60 seconds that begins with the first call
 * after the previous window; a day is one of the zone of days. Amounts are micro-rubles, times milliseconds since 1970.
 */
import { DAY_MS, dayOf, endOfDay } from '../lib/days.ts';
import { MICRO_PER_RUBLE, type Micro } from '../lib/money.ts';
import type { Quota } from '../lib/quota.ts';
import {
  affordableOutputTokens,
  availableOf,
  worstCase,
  type Funds,
  type HoldAsk,
} from './rules.ts';

const MINUTE_MS = 60_000;
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
  /** The ids of the models that the user may use. */
  models: readonly number[] | null;
}

/** How much of the limits was used. */
export interface LimitUse {
  minuteStart: number;
  minuteRequests: number;
  /** The tokens that finished calls used, plus the most that running calls may use. */
  minuteTokens: number;
  /** Days since 1970. */
  day: number;
  dayCharged: Micro;
}

export interface LimitedCall extends HoldAsk {
  modelId: number;
}

/** Why a limit refuses a call. */
export type LimitRefusal =
  | { limit: 'models' }
  | {
      limit: LimitName;
      /** When the call would fit; null if never, since it exceeds the whole limit. */
      retryAfterMs: number | null;
      /** What the call needs: calls, tokens or micro-rubles. */
      asked: number;
      left: number;
      /** The whole limit. */
      whole: number;
      /** The largest output cap that fits now, or else after the wait; 0 if none ever fits. */
      cap: number;
    };

export type LimitName = 'requests_per_minute' | 'tokens_per_minute' | 'rubles_per_day';

/** The use at a moment. Windows that are over count as empty. */
export function useAt(use: LimitUse, at: number): LimitUse {
  const age = at - use.minuteStart;
  const isOver = age >= MINUTE_MS || age < -CLOCK_BACK_MAX_MS;
  const day = dayOf(at);
  const isOtherDay = day > use.day || day < use.day - 1;
  return {
    ...use,
    ...(isOver && { minuteStart: at, minuteRequests: 0, minuteTokens: 0 }),
    ...(isOtherDay && { day, dayCharged: 0 }),
  };
}

/**
 * Decides whether a call may begin. A call without a cap of its own may begin with a smaller cap.
 * @param use from `useAt`
 * @param funds of the account; held money counts as spent today
 * @returns the call that fits (whether the funds cover it is checked later), or the refusal
 */
export function withinLimits(
  limits: UserLimits,
  use: LimitUse,
  funds: Funds,
  ask: LimitedCall,
  at: number,
): { fits: HoldAsk } | { refused: LimitRefusal } {
  if (limits.models && !limits.models.includes(ask.modelId))
    return { refused: { limit: 'models' } };
  const { requestsPerMinute, tokensPerMinute, rublesPerDay } = limits;
  const minuteLeftMs = Math.max(1, use.minuteStart + MINUTE_MS - at);
  if (requestsPerMinute !== null && use.minuteRequests >= requestsPerMinute) {
    const counts = { asked: 1, left: 0, whole: requestsPerMinute, cap: 0 };
    return { refused: { limit: 'requests_per_minute', retryAfterMs: minuteLeftMs, ...counts } };
  }
  let fits: HoldAsk = ask;
  if (tokensPerMinute !== null) {
    const left = Math.max(0, tokensPerMinute - use.minuteTokens);
    const reduced = withinTokens(fits, left);
    if (!reduced) return { refused: overTokens(fits, tokensPerMinute, left, minuteLeftMs) };
    fits = reduced;
  }
  if (rublesPerDay === null) return { fits };
  const left = Math.max(0, rublesPerDay - use.dayCharged - funds.held);
  const reduced = withinRubles(fits, left);
  if (reduced) return { fits: reduced };
  // If the money does not suffice either, that is reported instead, when the hold is taken.
  if (!withinRubles(fits, availableOf(funds))) return { fits };
  return { refused: overRubles(fits, rublesPerDay, use, funds, at) };
}

/** The most tokens that a call can use. */
export function tokensOf({ inputTokensMax, outputTokensMax, answers = 1 }: HoldAsk): number {
  return inputTokensMax + outputTokensMax * answers;
}

function withinTokens(ask: HoldAsk, left: number): HoldAsk | undefined {
  return capped(ask, Math.floor((left - ask.inputTokensMax) / (ask.answers ?? 1)));
}

function withinRubles(ask: HoldAsk, left: Micro): HoldAsk | undefined {
  if (worstCase(ask) <= left) return ask;
  // If not even one output token is affordable, no cap helps; not even a cap of 0, which embeddings have.
  const cap = affordableOutputTokens(left, ask);
  return cap > 0 ? capped(ask, cap) : undefined;
}

/** The call with an output cap of at most `cap`; undefined if the caller set a higher one. */
function capped(ask: HoldAsk, cap: number): HoldAsk | undefined {
  if (ask.outputTokensMax <= cap) return ask;
  if (ask.reducibleTo === 0 || cap < ask.reducibleTo) return undefined;
  return { ...ask, outputTokensMax: cap };
}

function overTokens(ask: HoldAsk, limit: number, left: number, minuteLeftMs: number): LimitRefusal {
  const fitsEmpty = withinTokens(ask, limit) !== undefined;
  return {
    limit: 'tokens_per_minute',
    retryAfterMs: fitsEmpty ? minuteLeftMs : null,
    asked: tokensOf(ask),
    left,
    whole: limit,
    cap: ask.isUncapped ? 0 : Math.max(0, (fitsEmpty ? left : limit) - ask.inputTokensMax),
  };
}

function overRubles(
  ask: HoldAsk,
  limit: Micro,
  { dayCharged }: LimitUse,
  { held }: Funds,
  at: number,
): LimitRefusal {
  const left = Math.max(0, limit - dayCharged - held);
  const fitsEmpty = withinRubles(ask, limit) !== undefined;
  const fitsLater = withinRubles(ask, limit - dayCharged) !== undefined;
  const untilMidnight = endOfDay(at) - at;
  return {
    limit: 'rubles_per_day',
    retryAfterMs: !fitsEmpty ? null : fitsLater ? SOON_MS : untilMidnight,
    asked: worstCase(ask),
    left,
    whole: limit,
    cap: affordableOutputTokens(fitsEmpty ? left : limit, ask),
  };
}

function leftOf(limit: number, used: number): Pick<Quota, 'limit' | 'remaining'> {
  return { limit, remaining: Math.max(0, limit - used) };
}

/** What remains of each limit that the user has. @param held money of the account */
export function quotasOf(limits: UserLimits, use: LimitUse, held: Micro, at: number): Quota[] {
  const quotas: Quota[] = [];
  const minute = {
    windowSeconds: MINUTE_MS / 1000,
    resetSeconds: Math.max(1, Math.ceil((use.minuteStart + MINUTE_MS - at) / 1000)),
  };
  const { requestsPerMinute, tokensPerMinute, rublesPerDay } = limits;
  if (requestsPerMinute !== null) {
    quotas.push({ of: 'requests', ...leftOf(requestsPerMinute, use.minuteRequests), ...minute });
  }
  if (tokensPerMinute !== null) {
    quotas.push({ of: 'tokens', ...leftOf(tokensPerMinute, use.minuteTokens), ...minute });
  }
  if (rublesPerDay !== null) {
    const { limit, remaining } = leftOf(rublesPerDay, use.dayCharged + held);
    quotas.push({
      of: 'rubles',
      limit: Math.floor(limit / MICRO_PER_RUBLE),
      remaining: Math.floor(remaining / MICRO_PER_RUBLE),
      windowSeconds: DAY_MS / 1000,
      resetSeconds: Math.max(1, Math.ceil((endOfDay(at) - at) / 1000)),
    });
  }
  return quotas;
}
