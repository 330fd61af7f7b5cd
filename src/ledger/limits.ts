import {
  prepareInsert,
  queryIn,
  tables,
  type Database,
  type RowOf,
  type Sql,
  type Tx,
} from '../db/index.ts';
import type { Act } from '../audit/index.ts';
import type { Clock } from '../lib/clock.ts';
import { dayOf } from '../lib/days.ts';
import { toRubles } from '../lib/money.ts';
import { commonLimits, limitsOf } from './limit-book.ts';
import { checkLimits, modelsText, noLimits, sortedModels } from './limit-bounds.ts';
import type { UserLimits } from './limit-rules.ts';

type LimitRow = RowOf<typeof tables.user_limits.columns>;

/** Usage of existing limits stays counted. */
const writeLimits = prepareInsert(tables.user_limits, {
  onConflict: `ON CONFLICT (user_id) DO UPDATE SET requests_per_minute = excluded.requests_per_minute,
    tokens_per_minute = excluded.tokens_per_minute, rubles_per_day = excluded.rubles_per_day,
    models = excluded.models`,
});

/** Reads and sets the limits of users. Sends check and count them with a `LimitBook`. */
export class Limits {
  readonly #db: Database;
  readonly #clock: Clock;

  constructor(db: Database, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  async get(userId: number, sql: Sql = this.#db): Promise<UserLimits> {
    return (await this.many([userId], sql)).get(userId) ?? noLimits;
  }

  /** The limits by user id, without users who have none. */
  async many(userIds: readonly number[], sql: Sql = this.#db): Promise<Map<number, UserLimits>> {
    const rows = await queryIn<LimitRow>(sql, limitsOf, userIds);
    return new Map(rows.map((row) => [row.user_id, commonLimits(row)]));
  }

  /**
   * Sets the limits in `changes`; null removes a limit. Running calls continue, and usage of this minute and of this
   * day still counts. A new limit of rubles also counts what was charged earlier today.
   * @returns the new limits
   * @throws `invalid_request` naming the field
   */
  set(userId: number, changes: Partial<UserLimits>, act?: Act): Promise<UserLimits> {
    return this.#db.transaction((tx) => this.setIn(tx, userId, changes, act));
  }

  /** Like `set`, in the caller's transaction. */
  async setIn(
    tx: Tx,
    userId: number,
    changes: Partial<UserLimits>,
    act?: Act,
  ): Promise<UserLimits> {
    checkLimits(changes);
    // The lock of the account protects its limits, and today's charges.
    await tx.query(`SELECT user_id FROM accounts WHERE user_id = $1${tx.forUpdate}`, [userId]);
    const before = await this.get(userId, tx);
    const limits = { ...before, ...changes };
    limits.models = sortedModels(limits.models);
    const isLimited = Object.values(limits).some((limit) => limit !== null);
    await tx.query('UPDATE accounts SET limited = $1 WHERE user_id = $2', [
      isLimited ? 1 : 0,
      userId,
    ]);
    if (isLimited) await this.#write(tx, userId, limits);
    else await tx.query('DELETE FROM user_limits WHERE user_id = $1', [userId]);
    await act?.record(tx, { userId, before: valuesOf(before), after: valuesOf(limits) });
    return limits;
  }

  async #write(tx: Tx, userId: number, limits: UserLimits): Promise<void> {
    const today = dayOf(this.#clock.now());
    // Each charge updates this sum in its own transaction.
    const [spent] = await tx.query<{ total: number }>(
      `SELECT CAST(COALESCE(SUM(spend), 0) AS BIGINT) AS total FROM usage_daily
       WHERE user_id = $1 AND day = $2`,
      [userId, today],
    );
    const row = {
      user_id: userId,
      requests_per_minute: limits.requestsPerMinute,
      tokens_per_minute: limits.tokensPerMinute,
      rubles_per_day: limits.rublesPerDay,
      models: modelsText(limits.models),
      minute_start: 0,
      minute_requests: 0,
      minute_tokens: 0,
      day: today,
      day_charged: spent?.total ?? 0,
    };
    await writeLimits(tx, [row]);
  }
}

/** Limits for the audit. */
export function valuesOf({ requestsPerMinute, tokensPerMinute, rublesPerDay, models }: UserLimits) {
  return {
    requests_per_minute: requestsPerMinute,
    tokens_per_minute: tokensPerMinute,
    rubles_per_day: rublesPerDay === null ? null : toRubles(rublesPerDay),
    models: models && models.join(', '),
  };
}
