/**
 * A token bucket in whole numbers, pure. A bucket holds thousandths of a try, so that it fills smoothly;
 * `filledAt` is the moment up to which its filling was counted.
 */

export interface BucketRule {
  /** Tries that a full bucket allows at once. */
  tries: number;
  /** Milliseconds until one try is filled in again; a multiple of 1,000, so that sums stay whole. */
  refillMs: number;
}

export interface Bucket {
  milliTries: number;
  /** Milliseconds since 1970. */
  filledAt: number;
}

/** Thousandths of a try in one try. */
export const MILLI = 1_000;

/** How long an empty bucket takes to fill. */
export function fillTimeMs(rule: BucketRule): number {
  return rule.tries * rule.refillMs;
}

/** A bucket with all its tries. @param now milliseconds since 1970 */
export function fullBucket(rule: BucketRule, now: number): Bucket {
  return { milliTries: rule.tries * MILLI, filledAt: now };
}

/**
 * The bucket as it is at `now`. Nodes' clocks differ a little, so a `filledAt` in the future only
 * means that nothing is added yet: taking it back would let two nodes fill the same seconds twice.
 * One that lies so far ahead that the wait would exceed the fill time comes from a clock that jumped,
 * and is cut to that.
 */
export function refilled(bucket: Bucket, rule: BucketRule, now: number): Bucket {
  const full = rule.tries * MILLI;
  const from = Math.min(bucket.filledAt, now + fillTimeMs(rule) - rule.refillMs);
  const gained = Math.floor((Math.max(0, now - from) * MILLI) / rule.refillMs);
  if (bucket.milliTries + gained >= full) {
    return { milliTries: full, filledAt: Math.max(from, now) };
  }
  return {
    milliTries: bucket.milliTries + gained,
    filledAt: from + (gained * rule.refillMs) / MILLI,
  };
}

/** Milliseconds from `now` until the refilled bucket has a whole try; 0 when it has one. */
export function waitMs(bucket: Bucket, rule: BucketRule, now: number): number {
  const missing = MILLI - bucket.milliTries;
  if (missing <= 0) return 0;
  return Math.max(1, bucket.filledAt + (missing * rule.refillMs) / MILLI - now);
}
