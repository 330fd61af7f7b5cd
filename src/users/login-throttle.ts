import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Database } from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';
import { foldLogin } from './login-name.ts';
import {
  giveBackAll,
  keyedDigest,
  takeAll,
  tooManyAttempts,
  type NamedRule,
} from './stored-buckets.ts';
import type { BucketRule } from './token-bucket.ts';

/** One login from one address: 10 attempts, then one per 10 s. */
export const PAIR_RULE: BucketRule = { attempts: 10, refillMs: 10_000 };
/**
 * One network with any logins: 60 attempts, then one per second. Many people may share an address, and even more a
 * wider network of IPv6. At an address from which a user has logged in before, the user's attempts are neither counted
 * nor refused here.
 */
export const NETWORK_RULES: readonly [BucketRule, ...BucketRule[]] = [
  { attempts: 60, refillMs: 1_000 },
  { attempts: 120, refillMs: 1_000 },
  { attempts: 240, refillMs: 1_000 },
];
/**
 * One login from all addresses where it has not succeeded before: 100 attempts, then one per second, which slows
 * guessing from many addresses. It does not apply to the owner's usual addresses, so guessing from elsewhere does not
 * lock the owner out.
 */
export const LOGIN_RULE: BucketRule = { attempts: 100, refillMs: 1_000 };
/** How long an address stays known after the last login from it: 30 days. */
export const KNOWN_ADDRESS_MS = 30 * 24 * 3_600_000;

/** An attempt that was taken from the buckets. It is returned unless the password was wrong. */
export interface LoginAttempt {
  buckets: readonly NamedRule[];
  /** A keyed digest of the address. */
  place: string;
}

export interface ThrottleParts {
  db: Database;
  clock: Clock;
  /** The same on all nodes; a new one resets all counts. */
  secret: Uint8Array;
}

/**
 * Slows the guessing of passwords with token buckets in the database, so that the limits are exact on all nodes. Logins
 * and addresses are stored only as keyed digests.
 */
export class LoginThrottle {
  readonly #parts: ThrottleParts;

  constructor(parts: ThrottleParts) {
    this.#parts = parts;
  }

  /**
   * Whether a user has logged in from an address within the last 30 days.
   * @param userId undefined for an unknown login, which takes the same time
   */
  async isKnown(userId: number | undefined, address: string): Promise<boolean> {
    const [network] = networksOf(address);
    const rows = await this.#parts.db.query(
      'SELECT seen_at FROM known_addresses WHERE user_id = $1 AND address = $2 AND seen_at > $3',
      // No user has the id 0.
      [userId ?? 0, this.#placeOf(network), this.#parts.clock.now() - KNOWN_ADDRESS_MS],
    );
    return rows.length > 0;
  }

  /**
   * Takes an attempt from every bucket of this login and address, or from none. Call it before checking the password.
   * @param attempt `isKnown`: see the method of that name
   * @throws `too_many_attempts` with the seconds until the next attempt
   */
  async take(attempt: { login: string; address: string; isKnown: boolean }): Promise<LoginAttempt> {
    const login = foldLogin(attempt.login);
    const networks = networksOf(attempt.address);
    const place = this.#placeOf(networks[0]);
    const buckets: NamedRule[] = [
      { name: `pair:${this.#digest(`pair|${networks[0]}|${login}`)}`, rule: PAIR_RULE },
    ];
    // Neither neighbours nor guesses from elsewhere may lock a user out at a usual address.
    if (!attempt.isKnown) {
      networks.forEach((network, index) => {
        const rule = NETWORK_RULES[index] ?? NETWORK_RULES[0];
        buckets.push({ name: `address:${this.#placeOf(network)}`, rule });
      });
      buckets.push({ name: `login:${this.#digest(`login|${login}`)}`, rule: LOGIN_RULE });
    }
    const wait = await this.#parts.db.transaction((tx) =>
      takeAll(tx, buckets, this.#parts.clock.now()),
    );
    if (wait > 0) throw tooManyAttempts('to log in', wait);
    return { buckets, place };
  }

  /** Returns an attempt that was not a wrong guess: the password was right, or was not checked. */
  async giveBack(attempt: LoginAttempt): Promise<void> {
    await this.#parts.db.transaction((tx) =>
      giveBackAll(tx, attempt.buckets, this.#parts.clock.now()),
    );
  }

  /** Returns the attempt, and records the address as one of the user's. */
  async succeed(attempt: LoginAttempt, userId: number): Promise<void> {
    const now = this.#parts.clock.now();
    await this.#parts.db.transaction(async (tx) => {
      await giveBackAll(tx, attempt.buckets, now);
      await tx.query(
        `INSERT INTO known_addresses (user_id, address, seen_at) VALUES ($1, $2, $3)
         ON CONFLICT (user_id, address) DO UPDATE SET seen_at = excluded.seen_at`,
        [userId, attempt.place, now],
      );
    });
  }

  #placeOf(network: string): string {
    return this.#digest(`place|${network}`);
  }

  #digest(text: string): string {
    return keyedDigest(this.#parts.secret, `login-throttle|${text}`);
  }
}

/** The number of 16-bit groups in a /64; shorter prefixes end within or before the fourth. */
const GROUPS = 4;
/** The last group of a /56, without the 8 bits of the subnet. */
const MASK_56 = 0xff00;

/**
 * The networks of an address by which logins are throttled, narrowest first: an IPv4 address itself; for an IPv6
 * address its /64, /56 and /48, since one subscriber has any of these. An IPv4 address in IPv6 (`::ffff:192.0.2.1`)
 * counts as IPv4. Any other text is returned unchanged.
 */
export function networksOf(address: string): [narrowest: string, ...wider: string[]] {
  const bare = address.replace(/%.*$/, '');
  if (isIP(bare) !== 6) return [bare];
  const parsed = ipaddr.process(bare);
  if (parsed instanceof ipaddr.IPv4) return [parsed.toString()];
  const groups = parsed.parts.slice(0, GROUPS);
  const last = groups.pop() ?? 0;
  const network = (subnet: number, bits: number) =>
    `${[...groups, subnet].map((group) => group.toString(16)).join(':')}::/${bits}`;
  return [network(last, 64), network(last & MASK_56, 56), network(0, 48)];
}
