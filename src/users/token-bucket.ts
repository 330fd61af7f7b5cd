/** A token bucket in whole numbers, as pure functions. It holds thousandths of an attempt, so that it fills smoothly. */

export interface BucketRule {
  attempts: number;
  /** Milliseconds until one attempt is refilled; a multiple of 1,000, so that sums are whole. */
  refillMs: number;
}

/** As `login_buckets` stores it. */
export interface Bucket {
  /** Thousandths of an attempt. */
  tokens_milli: number;
  /** The moment up to which its refill was counted: milliseconds since 1970. */
  filled_at: number;
}

export const MILLI = 1_000;

export function fillTimeMs(rule: BucketRule): number {
  return rule.attempts * rule.refillMs;
}

/** A full bucket. @param now milliseconds since 1970 */
export function fullBucket(rule: BucketRule, now: number): Bucket {
  return { tokens_milli: rule.attempts * MILLI, filled_at: now };
}

/**
 * The bucket at `now`. The clocks of nodes differ a little, so a `filled_at` in the future means that nothing is added
 * yet: moving it back would let two nodes refill the same seconds twice. If it is so far ahead that the wait would exceed
 * the fill time, a clock has jumped, and `filled_at` is reduced to that.
 */
export function refilled(bucket: Bucket, rule: BucketRule, now: number): Bucket {
  const full = rule.attempts * MILLI;
  const from = Math.min(bucket.filled_at, now + fillTimeMs(rule) - rule.refillMs);
  const gained = Math.floor((Math.max(0, now - from) * MILLI) / rule.refillMs);
  const filled = bucket.tokens_milli + gained;
  if (filled >= full) return { tokens_milli: full, filled_at: Math.max(from, now) };
  return { tokens_milli: filled, filled_at: from + (gained * rule.refillMs) / MILLI };
}

/** Milliseconds from `now` until the refilled bucket has a whole attempt; 0 if it has one. */
export function waitMs(bucket: Bucket, rule: BucketRule, now: number): number {
  const missing = MILLI - bucket.tokens_milli;
  if (missing <= 0) return 0;
  return Math.max(1, bucket.filled_at + (missing * rule.refillMs) / MILLI - now);
}
