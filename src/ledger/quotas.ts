import { DAY_MS } from '../lib/days.ts';
import { MICRO_PER_RUBLE, type Micro } from '../lib/money.ts';
import type { Quota } from '../lib/quota.ts';
import { MINUTE_MS, rubleLimits, type KeyLimits, type LimitUse } from './limit-rules.ts';

const DAY_SECONDS = DAY_MS / 1000;

/**
 * What remains of each limit of a user or key. @param held the amount that running calls hold of the limits of rubles
 */
export function quotasOf(limits: KeyLimits, use: LimitUse, held: Micro, at: number): Quota[] {
  const quotas: Quota[] = [];
  const minute = {
    windowSeconds: MINUTE_MS / 1000,
    resetSeconds: secondsUntil(use.minuteStart + MINUTE_MS, at),
  };
  const { requestsPerMinute, tokensPerMinute } = limits;
  if (requestsPerMinute !== null) {
    quotas.push({ of: 'requests', ...leftOf(requestsPerMinute, use.minuteRequests), ...minute });
  }
  if (tokensPerMinute !== null) {
    quotas.push({ of: 'tokens', ...leftOf(tokensPerMinute, use.minuteTokens), ...minute });
  }
  for (const one of rubleLimits) {
    const whole = one.whole(limits);
    if (whole === null) continue;
    const { limit, remaining } = leftOf(whole, one.charged(use) + held);
    const days = one.days?.(at);
    const endsAt = one.endsAt?.(at);
    quotas.push({
      of: 'rubles',
      limit: Math.floor(limit / MICRO_PER_RUBLE),
      remaining: Math.floor(remaining / MICRO_PER_RUBLE),
      windowSeconds: days === undefined ? null : days * DAY_SECONDS,
      resetSeconds: endsAt === undefined ? null : secondsUntil(endsAt, at),
    });
  }
  return quotas;
}

/** Picks the quota with the least remaining among those for the same unit. */
export function tightest(quotas: readonly Quota[]): Quota[] {
  const found = new Map<Quota['of'], Quota>();
  for (const quota of quotas) {
    const other = found.get(quota.of);
    if (!other || quota.remaining < other.remaining) found.set(quota.of, quota);
  }
  return [...found.values()];
}

function leftOf(limit: number, used: number): Pick<Quota, 'limit' | 'remaining'> {
  return { limit, remaining: Math.max(0, limit - used) };
}

function secondsUntil(end: number, at: number): number {
  return Math.max(1, Math.ceil((end - at) / 1000));
}
