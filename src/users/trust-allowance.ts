import {
  GroupCommit,
  prepareInsert,
  queryIn,
  tables,
  type Database,
  type Tx,
} from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';
import { DAY_MS, dayOf } from '../lib/days.ts';
import { DomainError } from '../lib/errors.ts';

/** Days of usage that are kept. */
const KEPT_DAYS = 7;
/** Checks whose count is written in one transaction, and that may wait for the next one. */
const BATCH_MAX = 128;
const QUEUE_MAX = 10_000;

interface Take {
  userId: number;
  day: number;
  /** Negative: given back. */
  count: number;
}

/** `left`: the allowance does not suffice, and has so many left. */
type Taken = { limit: number; used: number } | { limit: number; left: number };

/** Checks that were taken from an allowance. */
export interface TakenChecks {
  /** Of the day's allowance, after these. */
  remaining: number;
  /** Gives back what came to nothing, to the day that it was taken from. */
  giveBack(count?: number): Promise<void>;
}

/**
 * How many trust checks a user may still make today (UTC). Counted in the database, under the user's row
 * lock, so it is exact whatever is concurrent, on any number of nodes; group-committed, so that a flush to
 * disk is shared by many checks.
 */
export class TrustAllowance {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #dailyDefault: number;
  readonly #group: GroupCommit<Take, Taken>;

  /** @param dailyDefault checks a day for users without an allowance of their own */
  constructor(db: Database, clock: Clock, dailyDefault: number) {
    this.#db = db;
    this.#clock = clock;
    this.#dailyDefault = dailyDefault;
    const run = (tx: Tx, takes: Take[]) => runTakes(tx, takes, dailyDefault);
    this.#group = new GroupCommit(db, run, { batchMax: BATCH_MAX, queueMax: QUEUE_MAX });
  }

  /**
   * Takes `count` checks, all or none.
   * @throws `allowance_used_up`, with the seconds until the next day; `overloaded`
   */
  async take(userId: number, count = 1): Promise<TakenChecks> {
    if (this.#group.full) throw busy();
    const day = this.#today();
    const taken = await this.#group.submit({ userId, day, count });
    if ('left' in taken) throw this.#usedUp(taken);
    return {
      remaining: taken.limit - taken.used,
      giveBack: async (back = 1) => {
        await this.#group.submit({ userId, day, count: -back });
      },
    };
  }

  /** The allowance that holds for a user, and what is left of it today. */
  async today(userId: number): Promise<{ limit: number; remaining: number }> {
    const [row] = await this.#db.query<{ allowance: number | null; used: number | null }>(
      `SELECT trust_allowance AS allowance, used FROM users
       LEFT JOIN trust_usage ON user_id = id AND day = $2 WHERE id = $1`,
      [userId, this.#today()],
    );
    const limit = row?.allowance ?? this.#dailyDefault;
    return { limit, remaining: Math.max(0, limit - (row?.used ?? 0)) };
  }

  /** Forgets the usage of days long gone. */
  async purge(): Promise<void> {
    await this.#db.transaction((tx) =>
      tx.query('DELETE FROM trust_usage WHERE day < $1', [this.#today() - KEPT_DAYS]),
    );
  }

  #usedUp({ limit, left }: { limit: number; left: number }): DomainError {
    return new DomainError(
      'allowance_used_up',
      left > 0
        ? `of your allowance of ${limit} trust checks a day ${left} are left: ask for no more, or wait until midnight UTC`
        : `your allowance of ${limit} trust checks a day is used up: it renews at midnight UTC`,
      { retryAfterSeconds: this.#secondsToMidnight() },
    );
  }

  #today(): number {
    return dayOf(this.#clock.now());
  }

  #secondsToMidnight(): number {
    return Math.ceil((DAY_MS - (this.#clock.now() % DAY_MS)) / 1000);
  }
}

const writeUsage = prepareInsert(tables.trust_usage, {
  onConflict: 'ON CONFLICT (user_id, day) DO UPDATE SET used = excluded.used',
});

async function runTakes(tx: Tx, takes: Take[], dailyDefault: number): Promise<Taken[]> {
  const ids = [...new Set(takes.map(({ userId }) => userId))].sort((a, b) => a - b);
  // The users' rows are locked in order of their ids, so that two nodes take turns and never deadlock.
  const users = await queryIn<{ id: number; allowance: number | null }>(
    tx,
    `SELECT id, trust_allowance AS allowance FROM users WHERE id IN (LIST)
     ORDER BY id${tx.forUpdate}`,
    ids,
  );
  const limits = new Map(users.map(({ id, allowance }) => [id, allowance ?? dailyDefault]));
  const used = await readUsage(tx, ids, new Set(takes.map(({ day }) => day)));
  const results = takes.map(({ userId, day, count }): Taken => {
    const limit = limits.get(userId) ?? 0;
    const name = `${userId} ${day}`;
    const before = used.get(name) ?? 0;
    const after = Math.max(0, before + count);
    if (count > 0 && after > limit) return { limit, left: Math.max(0, limit - before) };
    used.set(name, after);
    return { limit, used: after };
  });
  await writeUsage(
    tx,
    [...used].map(([name, count]) => {
      const [userId = 0, day = 0] = name.split(' ').map(Number);
      return { user_id: userId, day, used: count };
    }),
  );
  return results;
}

async function readUsage(tx: Tx, ids: number[], days: Set<number>): Promise<Map<string, number>> {
  const used = new Map<string, number>();
  for (const day of days) {
    const rows = await queryIn<{ userId: number; day: number; used: number }>(
      tx,
      `SELECT user_id AS "userId", day, used FROM trust_usage
       WHERE day = ${day} AND user_id IN (LIST)`,
      ids,
    );
    for (const row of rows) used.set(`${row.userId} ${row.day}`, row.used);
  }
  return used;
}

function busy(): DomainError {
  return new DomainError('overloaded', 'too many checks wait: try again in a moment', {
    retryAfterSeconds: 1,
  });
}
