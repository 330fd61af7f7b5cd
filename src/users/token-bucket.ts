/** A token bucket as one number, the moment at which it is full (milliseconds since 1970), as pure functions. */

export interface BucketRule {
  /** The attempts of a full bucket. */
  attempts: number;
  /** Milliseconds until one attempt is refilled. */
  refillMs: number;
}

/**
 * When the bucket is full, as counted at `now`; a full one is full now. The clocks of nodes differ a little, so it may
 * be later than an empty bucket would be full: an earlier moment would let two nodes refill the same seconds twice. If
 * it is so late that the wait would exceed the time that the bucket takes to fill, a clock has jumped: then the bucket
 * is empty now.
 */
export function fullAt(stored: number, { attempts, refillMs }: BucketRule, now: number): number {
  const fillMs = attempts * refillMs;
  return stored > now + 2 * fillMs - refillMs ? now + fillMs : Math.max(stored, now);
}

/** Milliseconds from `now` until the bucket has an attempt; 0 if it has one. Taking it adds `refillMs` to `full`. */
export function waitMs(full: number, { attempts, refillMs }: BucketRule, now: number): number {
  return Math.max(0, full + refillMs - now - attempts * refillMs);
}
