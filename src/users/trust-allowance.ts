import type { Database } from '../db/index.ts';
import { DomainError } from '../lib/errors.ts';
import type { Clock } from '../lib/clock.ts';

const DAY_MS = 86_400_000;
/** Days of usage that are kept. */
const KEPT_DAYS = 7;

/**
 * How many trust checks a user may still make today (UTC). Counted in the database by one conditional
 * statement, so it is exact whatever is concurrent, on any number of nodes.
 */
export class TrustAllowance {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #dailyDefault: number;

  /** @param dailyDefault checks a day for users without an allowance of their own */
  constructor(db: Database, clock: Clock, dailyDefault: number) {
    this.#db = db;
    this.#clock = clock;
    this.#dailyDefault = dailyDefault;
  }

  /**
   * Takes `count` checks, all or none.
   * @returns how many remain after them
   * @throws `allowance_used_up`, with the seconds until the next day
   */
  async take(userId: number, count = 1): Promise<number> {
    const day = this.#today();
    return this.#db.transaction(async (tx) => {
      const limit = await this.#limitOf(tx, userId);
      await tx.query(
        `INSERT INTO trust_usage (user_id, day, used) VALUES ($1, $2, 0)
         ON CONFLICT (user_id, day) DO NOTHING`,
        [userId, day],
      );
      const [row] = await tx.query<{ used: number }>(
        `UPDATE trust_usage SET used = used + $1
         WHERE user_id = $2 AND day = $3 AND used + $1 <= $4 RETURNING used`,
        [count, userId, day, limit],
      );
      if (row) return limit - row.used;
      throw new DomainError(
        'allowance_used_up',
        `your allowance of ${limit} trust checks a day is used up: it renews at midnight UTC`,
        { retryAfterSeconds: this.#secondsToMidnight() },
      );
    });
  }

  /** Gives checks back that came to nothing. */
  async giveBack(userId: number, count = 1): Promise<void> {
    await this.#db.transaction((tx) =>
      tx.query(
        `UPDATE trust_usage SET used = CASE WHEN used >= $1 THEN used - $1 ELSE 0 END
         WHERE user_id = $2 AND day = $3`,
        [count, userId, this.#today()],
      ),
    );
  }

  /** Forgets the usage of days long gone. */
  async purge(): Promise<void> {
    await this.#db.transaction((tx) =>
      tx.query('DELETE FROM trust_usage WHERE day < $1', [this.#today() - KEPT_DAYS]),
    );
  }

  async #limitOf(sql: Pick<Database, 'query'>, userId: number): Promise<number> {
    const [row] = await sql.query<{ allowance: number | null }>(
      'SELECT trust_allowance AS allowance FROM users WHERE id = $1',
      [userId],
    );
    return row?.allowance ?? this.#dailyDefault;
  }

  #today(): number {
    return Math.floor(this.#clock.now() / DAY_MS);
  }

  #secondsToMidnight(): number {
    return Math.ceil((DAY_MS - (this.#clock.now() % DAY_MS)) / 1000);
  }
}
