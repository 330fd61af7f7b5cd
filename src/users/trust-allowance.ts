import {
  GroupCommit,
  prepareInsert,
  queryIn,
  tables,
  type Database,
  type RowFor,
  type Tx,
} from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';
import { dayOf, dayZone, endOfDay } from '../lib/days.ts';
import { DomainError } from '../lib/errors.ts';

const KEPT_DAYS = 7;
/** The most commands in one transaction, and in the queue. */
const BATCH_MAX = 128;
const QUEUE_MAX = 10_000;

interface Take {
  userId: number;
  day: number;
  /** Negative to return checks. */
  count: number;
}

/** With `left`, the allowance was not enough: this many checks are left. */
type Taken = { limit: number; used: number } | { limit: number; left: number };

export interface TakenChecks {
  /** How many checks of the day's allowance are left. */
  remaining: number;
  /** Returns failed checks to the day from which they were taken. */
  giveBack(count?: number): Promise<void>;
}

/**
 * The trust checks that a user may still make today. They are counted in the database under the lock of the user's row,
 * so the count is exact on any number of nodes. Group commit lets many checks share a flush to disk.
 */
export class TrustAllowance {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #dailyDefault: number;
  readonly #group: GroupCommit<Take, Taken>;

  /** @param dailyDefault checks per day for users without an individual allowance */
  constructor(db: Database, clock: Clock, dailyDefault: number) {
    this.#db = db;
    this.#clock = clock;
    this.#dailyDefault = dailyDefault;
    const run = (tx: Tx, takes: Take[]) => runTakes(tx, takes, dailyDefault);
    this.#group = new GroupCommit(db, run, { batchMax: BATCH_MAX, queueMax: QUEUE_MAX });
  }

  /**
   * Takes `count` checks, all or none.
   * @throws `allowance_used_up` with the seconds until the next day; `overloaded`
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

  /** The allowance of a user, and how much of it is left today. */
  async today(userId: number): Promise<{ limit: number; remaining: number }> {
    const [row] = await this.#db.query<{ allowance: number | null; used: number | null }>(
      `SELECT trust_allowance AS allowance, used FROM users
       LEFT JOIN trust_usage ON user_id = id AND day = $2 WHERE id = $1`,
      [userId, this.#today()],
    );
    const limit = row?.allowance ?? this.#dailyDefault;
    return { limit, remaining: Math.max(0, limit - (row?.used ?? 0)) };
  }

  /** Deletes the usage of days before the last `KEPT_DAYS`. */
  async purge(): Promise<void> {
    await this.#db.transaction((tx) =>
      tx.query('DELETE FROM trust_usage WHERE day < $1', [this.#today() - KEPT_DAYS]),
    );
  }

  #usedUp({ limit, left }: { limit: number; left: number }): DomainError {
    const now = this.#clock.now();
    return new DomainError(
      'allowance_used_up',
      left > 0
        ? `${left} of your ${limit} trust checks a day are left: request no more, or wait until midnight ${dayZone()}`
        : `your ${limit} trust checks a day are used up: wait until midnight ${dayZone()}`,
      { retryAfterSeconds: Math.ceil((endOfDay(now) - now) / 1000) },
    );
  }

  #today(): number {
    return dayOf(this.#clock.now());
  }
}

const writeUsage = prepareInsert(tables.trust_usage, {
  onConflict: 'ON CONFLICT (user_id, day) DO UPDATE SET used = excluded.used',
});

async function runTakes(tx: Tx, takes: Take[], dailyDefault: number): Promise<Taken[]> {
  const ids = [...new Set(takes.map(({ userId }) => userId))].sort((a, b) => a - b);
  // Locked in the order of ids, so that nodes do not deadlock.
  const users = await queryIn<{ id: number; allowance: number | null }>(
    tx,
    `SELECT id, trust_allowance AS allowance FROM users WHERE id IN (LIST)
     ORDER BY id${tx.forUpdate}`,
    ids,
  );
  const limits = new Map(users.map(({ id, allowance }) => [id, allowance ?? dailyDefault]));
  // Checks may be returned to an earlier day.
  const firstDay = Math.min(...takes.map(({ day }) => day));
  const rows = await queryIn<RowFor<typeof writeUsage>>(
    tx,
    `SELECT user_id, day, used FROM trust_usage WHERE day >= ${firstDay} AND user_id IN (LIST)`,
    ids,
  );
  const usage = new Map(rows.map((row) => [`${row.user_id} ${row.day}`, row]));
  const results = takes.map(({ userId, day, count }): Taken => {
    const limit = limits.get(userId) ?? 0;
    const name = `${userId} ${day}`;
    const row = usage.get(name) ?? { user_id: userId, day, used: 0 };
    const after = Math.max(0, row.used + count);
    if (count > 0 && after > limit) return { limit, left: Math.max(0, limit - row.used) };
    usage.set(name, { ...row, used: after });
    return { limit, used: after };
  });
  await writeUsage(tx, [...usage.values()]);
  return results;
}

function busy(): DomainError {
  return new DomainError('overloaded', 'too many trust checks are waiting: try again in a moment', {
    retryAfterSeconds: 1,
  });
}
