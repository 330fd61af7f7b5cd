/** A token bucket in whole numbers, as pure functions. It holds thousandths of an attempt, so that it fills smoothly. */

export interface BucketRule {
  /** The attempts of a full bucket. */
  attempts: number;
  /** Milliseconds until one attempt is refilled; a multiple of 1,000, so that sums are whole. */
  refillMs: number;
}

export interface Bucket {
  milliAttempts: number;
  /** The moment up to which its refill was counted: milliseconds since 1970. */
  filledAt: number;
}

/** Thousandths of an attempt in one attempt. */
export const MILLI = 1_000;

/** How long an empty bucket takes to fill. */
export function fillTimeMs(rule: BucketRule): number {
  return rule.attempts * rule.refillMs;
}

/** A full bucket. @param now milliseconds since 1970 */
export function fullBucket(rule: BucketRule, now: number): Bucket {
  return { milliAttempts: rule.attempts * MILLI, filledAt: now };
}

/**
 * The bucket at `now`. The clocks of nodes differ a little, so a `filledAt` in the future means that nothing is added
 * yet: moving it back would let two nodes refill the same seconds twice. If it is so far ahead that the wait would exceed
 * the fill time, a clock has jumped, and `filledAt` is reduced to that.
 */
export function refilled(bucket: Bucket, rule: BucketRule, now: number): Bucket {
  const full = rule.attempts * MILLI;
  const from = Math.min(bucket.filledAt, now + fillTimeMs(rule) - rule.refillMs);
  const gained = Math.floor((Math.max(0, now - from) * MILLI) / rule.refillMs);
  if (bucket.milliAttempts + gained >= full) {
    return { milliAttempts: full, filledAt: Math.max(from, now) };
  }
  return {
    milliAttempts: bucket.milliAttempts + gained,
    filledAt: from + (gained * rule.refillMs) / MILLI,
  };
}

/** Milliseconds from `now` until the refilled bucket has a whole attempt; 0 if it has one. */
export function waitMs(bucket: Bucket, rule: BucketRule, now: number): number {
  const missing = MILLI - bucket.milliAttempts;
  if (missing <= 0) return 0;
  return Math.max(1, bucket.filledAt + (missing * rule.refillMs) / MILLI - now);
}
