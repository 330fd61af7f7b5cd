/**
 * The rules of a user's limits, as pure functions: may this call begin, and what is left. A minute is a window of 60
 * seconds that begins with the first call after the last window was over; a day is a day of UTC. Amounts are
 * micro-rubles, times milliseconds since 1970.
 */
import { DAY_MS, dayOf } from '../lib/days.ts';
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
/** A clock that was set back further begins a new window; nodes differ by far less. */
const CLOCK_BACK_MAX_MS = 5 * MINUTE_MS;
/** The wait that is told when only running calls use up the limit: they may end at any moment. */
const SOON_MS = 1_000;

/** What a user may use; null: no limit. */
export interface UserLimits {
  requestsPerMinute: number | null;
  /** Input and output together. */
  tokensPerMinute: number | null;
  rublesPerDay: Micro | null;
  /** Ids of the models that may be used. */
  models: readonly number[] | null;
}

/** What was used of the limits. */
export interface LimitUse {
  minuteStart: number;
  minuteRequests: number;
  /** What finished calls used, plus the most that running ones may use. */
  minuteTokens: number;
  /** Days since 1970. */
  day: number;
  dayCharged: Micro;
}

export interface LimitAsk extends HoldAsk {
  modelId: number;
}

/** Why a limit does not let a call begin. */
export type LimitRefusal =
  | { limit: 'models' }
  | {
      limit: LimitName;
      /** When the call would fit; null: never, since it is larger than the whole limit. */
      retryAfterMs: number | null;
      /** Calls, tokens or micro-rubles. */
      asked: number;
      left: number;
      /** The whole limit. */
      whole: number;
      /** The largest output cap that fits now, or, if none does, after the wait; 0 if none ever does. */
      cap: number;
    };

export type LimitName = 'requests_per_minute' | 'tokens_per_minute' | 'rubles_per_day';

/** The use at a moment: windows that are over count as empty. */
export function useAt(use: LimitUse, at: number): LimitUse {
  const age = at - use.minuteStart;
  const isOver = age >= MINUTE_MS || age < -CLOCK_BACK_MAX_MS;
  const day = dayOf(at);
  const isOtherDay = day > use.day || day < use.day - 1;
  return {
    ...(isOver
      ? { minuteStart: at, minuteRequests: 0, minuteTokens: 0 }
      : {
          minuteStart: use.minuteStart,
          minuteRequests: use.minuteRequests,
          minuteTokens: use.minuteTokens,
        }),
    day: isOtherDay ? day : use.day,
    dayCharged: isOtherDay ? 0 : use.dayCharged,
  };
}

/**
 * May this call begin? If the caller set no cap, it may begin with a smaller one.
 * @param use as `useAt` gives it
 * @param funds of the account; what it holds counts as spent today
 * @returns the ask that fits (its funds are still to be checked), or why there is none
 */
export function withinLimits(
  limits: UserLimits,
  use: LimitUse,
  funds: Funds,
  ask: LimitAsk,
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
  // The user also lacks the money: the caller is told that first.
  const broke = !withinRubles(fits, availableOf(funds));
  if (broke) return { fits };
  return { refused: overRubles(fits, rublesPerDay, use, funds, at) };
}

/** The most tokens that a call can take of a minute. */
export function tokensOf({ inputTokensMax, outputTokensMax }: HoldAsk): number {
  return inputTokensMax + outputTokensMax;
}

function withinTokens(ask: HoldAsk, left: number): HoldAsk | undefined {
  return capped(ask, left - ask.inputTokensMax);
}

function withinRubles(ask: HoldAsk, left: Micro): HoldAsk | undefined {
  if (worstCase(ask) <= left) return ask;
  // Without an affordable token of output no cap helps: also not one of 0, which embeddings have.
  const cap = affordableOutputTokens(left, ask);
  return cap > 0 ? capped(ask, cap) : undefined;
}

/** The request with an output cap of at most `cap`, if the caller set none; undefined if the caller did. */
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
  const untilMidnight = (dayOf(at) + 1) * DAY_MS - at;
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

/** What is left of each limit there is. @param held of the account, micro-rubles */
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
      resetSeconds: Math.max(1, Math.ceil(((dayOf(at) + 1) * DAY_MS - at) / 1000)),
    });
  }
  return quotas;
}
