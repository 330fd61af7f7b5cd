import { NETWORK_RULES, networksOf, type ThrottleParts } from './login-throttle.ts';
import {
  giveBackAll,
  keyedDigest,
  takeAll,
  tooManyAttempts,
  type NamedRule,
} from './stored-buckets.ts';
import type { BucketRule } from './token-bucket.ts';

/** An action that strangers may only attempt so often. */
export interface Attempted {
  /** Distinguishes its counts from those of other actions. */
  name: string;
  /** For the error: `too many attempts to …`. */
  what: string;
  /** The limit for one user from all addresses; absent: only addresses count. */
  user?: BucketRule;
  /** The limits for one address, and for the wider networks of IPv6. Absent: the limits of logins. */
  networks?: readonly [BucketRule, ...BucketRule[]];
}

export interface Attempter {
  /** Absent: nobody is logged in. */
  userId?: number;
  /** The client's IP address, as reported by trusted proxies. */
  address: string;
}

/**
 * Slows the guessing of codes and the creation of users, with exact limits across all nodes. It keeps only keyed
 * digests of addresses.
 */
export class AttemptThrottle {
  readonly #parts: ThrottleParts;

  constructor(parts: ThrottleParts) {
    this.#parts = parts;
  }

  /**
   * Takes an attempt, does the work, and returns the attempt unless it counts.
   * @param counts decides by the error, if any, whether the attempt is used up
   * @throws `too_many_attempts` with the seconds until the next attempt, and what the work throws
   */
  async run<T>(
    attempted: Attempted,
    attempter: Attempter,
    work: () => Promise<T>,
    counts: (error?: unknown) => boolean,
  ): Promise<T> {
    const buckets = this.#bucketsOf(attempted, attempter);
    const wait = await this.#parts.db.transaction((tx) =>
      takeAll(tx, buckets, this.#parts.clock.now()),
    );
    if (wait > 0) throw tooManyAttempts(attempted.what, wait);
    const giveBack = () =>
      this.#parts.db.transaction((tx) => giveBackAll(tx, buckets, this.#parts.clock.now()));
    try {
      const result = await work();
      if (!counts()) await giveBack();
      return result;
    } catch (error) {
      if (!counts(error)) await giveBack();
      throw error;
    }
  }

  #bucketsOf(
    { name, user, networks: rules = NETWORK_RULES }: Attempted,
    { userId, address }: Attempter,
  ): NamedRule[] {
    const buckets = networksOf(address).map((network, index) => ({
      name: `${name}:${keyedDigest(this.#parts.secret, `${name}|${network}`)}`,
      rule: rules[index] ?? rules[0],
    }));
    if (user && userId !== undefined) buckets.push({ name: `${name}:user:${userId}`, rule: user });
    return buckets;
  }
}
