/** A token bucket as one number: the moment when it will be full (milliseconds since 1970). Pure functions. */

export interface BucketRule {
  /** The attempts of a full bucket. */
  attempts: number;
  /** Milliseconds until one attempt is refilled. */
  refillMs: number;
}

/**
 * When the bucket will be full, as seen at `now`; a full one is full now. The clocks of nodes differ a little, so the
 * stored time may be later than an empty bucket would need: moving it back would let two nodes refill the same seconds
 * twice. If it is so late that the wait would exceed the time that the bucket takes to fill, a clock has jumped: then
 * the bucket counts as empty now.
 */
export function fullAt(stored: number, { attempts, refillMs }: BucketRule, now: number): number {
  const fillMs = attempts * refillMs;
  return stored > now + 2 * fillMs - refillMs ? now + fillMs : Math.max(stored, now);
}

/** Milliseconds from `now` until the bucket has an attempt; 0 if it has one. Taking it adds `refillMs` to `full`. */
export function waitMs(full: number, { attempts, refillMs }: BucketRule, now: number): number {
  return Math.max(0, full + refillMs - now - attempts * refillMs);
}
