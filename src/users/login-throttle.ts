import { prepareUpdate, tables, type Database, type Tx } from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';
import { DomainError } from '../lib/errors.ts';
import { foldLogin } from './login-name.ts';
import { networkOf } from './network.ts';
import {
  fullBucket,
  MILLI,
  refilled,
  waitMs,
  type Bucket,
  type BucketRule,
} from './token-bucket.ts';

/** One login from one address: 10 tries, then one per 10 s. */
export const PAIR_RULE: BucketRule = { tries: 10, refillMs: 10_000 };
/** One address, whatever the logins: 60 tries, then one per second. Many people may share an address. */
export const ADDRESS_RULE: BucketRule = { tries: 60, refillMs: 1_000 };
/**
 * One login from all addresses where it never succeeded: 100 tries, then one per second, which slows
 * guessing from many addresses. The owner's usual addresses are not held by it, so that guessing from
 * elsewhere does not lock the owner out.
 */
export const LOGIN_RULE: BucketRule = { tries: 100, refillMs: 1_000 };
/** How long an address stays known after the last login from it: 30 days. */
export const KNOWN_ADDRESS_MS = 30 * 24 * 3_600_000;

interface NamedRule {
  name: string;
  rule: BucketRule;
}

/** A try that was taken from the buckets. It is given back unless the password was wrong. */
export interface LoginTry {
  buckets: readonly NamedRule[];
  /** Keyed digest of the address. */
  place: string;
}

/**
 * Slows the guessing of passwords with token buckets in the database, so that the limits hold over all
 * nodes and are exact under concurrency. Logins and addresses are stored as keyed digests only.
 */
export class LoginThrottle {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #secret: Uint8Array;

  /** @param parts `secret`: the same on all nodes; another one starts all counts afresh */
  constructor(parts: { db: Database; clock: Clock; secret: Uint8Array }) {
    this.#db = parts.db;
    this.#clock = parts.clock;
    this.#secret = parts.secret;
  }

  /**
   * Takes a try from every bucket that holds this login and address, or from none.
   * Call before the password is looked at.
   * @param attempt `userId`: the login's user, if there is one
   * @throws `too_many_attempts` with the seconds until the next try
   */
  async take(attempt: {
    login: string;
    userId: number | undefined;
    address: string;
  }): Promise<LoginTry> {
    const login = foldLogin(attempt.login);
    const network = networkOf(attempt.address);
    const place = this.#digest(`place|${network}`);
    const buckets: NamedRule[] = [
      { name: `pair:${this.#digest(`pair|${network}|${login}`)}`, rule: PAIR_RULE },
      { name: `address:${place}`, rule: ADDRESS_RULE },
    ];
    // Asked for unknown logins too (nobody has id 0), so that both take the same time.
    if (!(await this.#isKnown(attempt.userId ?? 0, place))) {
      buckets.push({ name: `login:${this.#digest(`login|${login}`)}`, rule: LOGIN_RULE });
    }
    const wait = await this.#db.transaction((tx) => takeAll(tx, buckets, this.#clock.now()));
    if (wait > 0) {
      const retryAfterSeconds = Math.ceil(wait / 1_000);
      throw new DomainError(
        'too_many_attempts',
        `too many attempts to log in; try again in ${retryAfterSeconds} s`,
        { retryAfterSeconds },
      );
    }
    return { buckets, place };
  }

  /** Gives back a try that was not a wrong guess: the password was right, or was not checked. */
  async giveBack(attempt: LoginTry): Promise<void> {
    await this.#db.transaction((tx) => giveBackAll(tx, attempt.buckets, this.#clock.now()));
  }

  /** Gives the try back and remembers the address as one of the user's. */
  async succeed(attempt: LoginTry, userId: number): Promise<void> {
    const now = this.#clock.now();
    await this.#db.transaction(async (tx) => {
      await giveBackAll(tx, attempt.buckets, now);
      await tx.query(
        `INSERT INTO known_addresses (user_id, address, seen_at) VALUES ($1, $2, $3)
         ON CONFLICT (user_id, address) DO UPDATE SET seen_at = excluded.seen_at`,
        [userId, attempt.place, now],
      );
    });
  }

  async #isKnown(userId: number, place: string): Promise<boolean> {
    const rows = await this.#db.query(
      'SELECT seen_at FROM known_addresses WHERE user_id = $1 AND address = $2 AND seen_at > $3',
      [userId, place, this.#clock.now() - KNOWN_ADDRESS_MS],
    );
    return rows.length > 0;
  }

  /** Keyed, since the IPv4 addresses are few enough to try them all against a plain digest. */
  #digest(text: string): string {
    return new Bun.CryptoHasher('sha256', this.#secret)
      .update(`login-throttle|${text}`)
      .digest('hex');
  }
}

/** @returns 0 when a try was taken from every bucket, else the milliseconds until all have one */
async function takeAll(tx: Tx, buckets: readonly NamedRule[], now: number): Promise<number> {
  const filled = (await lockBuckets(tx, buckets, now)).map(({ name, rule, bucket }) => ({
    name,
    rule,
    bucket: refilled(bucket, rule, now),
  }));
  const wait = Math.max(...filled.map(({ bucket, rule }) => waitMs(bucket, rule, now)));
  const taken = wait > 0 ? 0 : MILLI;
  // Written on refusal too: a filling time that was cut after the clock jumped back must stay cut.
  await writeBuckets(
    tx,
    filled.map(({ name, bucket }) => ({
      name,
      bucket: { ...bucket, milliTries: bucket.milliTries - taken },
    })),
  );
  return wait;
}

async function giveBackAll(tx: Tx, buckets: readonly NamedRule[], now: number): Promise<void> {
  const locked = await lockBuckets(tx, buckets, now);
  await writeBuckets(
    tx,
    locked.map(({ name, rule, bucket: { milliTries, filledAt } }) => ({
      name,
      bucket: { milliTries: Math.min(milliTries + MILLI, rule.tries * MILLI), filledAt },
    })),
  );
}

/**
 * Makes the buckets that are missing, full, and locks all until the transaction's end, always in the
 * order of their names: transactions that want the same buckets wait for, but never block each other.
 */
async function lockBuckets(tx: Tx, buckets: readonly NamedRule[], now: number) {
  const sorted = buckets.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const values = sorted.map((_, row) => `($${row * 3 + 1}, $${row * 3 + 2}, $${row * 3 + 3})`);
  // The update changes nothing; it is what locks a row that exists, and returns it.
  const rows = await tx.query<{ name: string; milliTries: number; filledAt: number }>(
    `INSERT INTO login_buckets (name, tokens_milli, filled_at) VALUES ${values.join(', ')}
     ON CONFLICT (name) DO UPDATE SET name = excluded.name
     RETURNING name, tokens_milli AS "milliTries", filled_at AS "filledAt"`,
    sorted.flatMap(({ name, rule }) => [name, rule.tries * MILLI, now]),
  );
  const stored = new Map<string, Bucket>(rows.map((row) => [row.name, row]));
  return sorted.map(({ name, rule }) => ({
    name,
    rule,
    bucket: stored.get(name) ?? fullBucket(rule, now),
  }));
}

const updateBuckets = prepareUpdate(tables.login_buckets, {
  key: ['name'],
  set: ['tokens_milli', 'filled_at'],
});

/** Only for buckets that this transaction has locked. */
async function writeBuckets(tx: Tx, buckets: { name: string; bucket: Bucket }[]): Promise<void> {
  await updateBuckets(
    tx,
    buckets.map(({ name, bucket }) => ({
      name,
      tokens_milli: bucket.milliTries,
      filled_at: bucket.filledAt,
    })),
  );
}
