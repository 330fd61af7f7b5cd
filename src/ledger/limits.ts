import { prepareInsert, queryIn, tables, type Database, type Sql, type Tx } from '../db/index.ts';
import { type Clock, dayOf } from '../lib/clock.ts';
import { invalidField } from '../lib/errors.ts';
import { AMOUNT_MAX, AMOUNT_MAX_TEXT } from '../lib/money.ts';
import { limitColumns, toLimits, type LimitRow } from './limit-book.ts';
import type { UserLimits } from './limit-rules.ts';

/** The largest limit of calls per minute. */
export const LIMIT_REQUESTS_MAX = 1_000_000;
/** The largest limit of tokens per minute. */
export const LIMIT_TOKENS_MAX = 1_000_000_000_000;
/** The most models in the list of a user. */
export const LIMIT_MODELS_MAX = 1_000;

/** The limits of a user who has none. */
export const noLimits: UserLimits = {
  requestsPerMinute: null,
  tokensPerMinute: null,
  rublesPerDay: null,
  models: null,
};

/** What was used of limits that exist already stays counted. */
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
    const rows = await queryIn<LimitRow>(
      sql,
      `SELECT ${limitColumns} FROM user_limits WHERE user_id IN (LIST)`,
      userIds,
    );
    return new Map(rows.map((row) => [row.user_id, toLimits(row)]));
  }

  /**
   * Sets the limits in `changes`; null removes one. Running calls continue, and what was used in this minute and on this
   * day still counts. A new limit of rubles also counts what was charged earlier today.
   * @returns the new limits
   * @throws `invalid_request` naming the field
   */
  async set(userId: number, changes: Partial<UserLimits>): Promise<UserLimits> {
    checkLimits(changes);
    return this.#db.transaction(async (tx) => {
      // The lock of the account protects its limits, and what is charged today.
      await tx.query(`SELECT user_id FROM accounts WHERE user_id = $1${tx.forUpdate}`, [userId]);
      const limits = { ...(await this.get(userId, tx)), ...changes };
      limits.models &&= [...new Set(limits.models)].toSorted((a, b) => a - b);
      const isLimited = Object.values(limits).some((limit) => limit !== null);
      await tx.query('UPDATE accounts SET limited = $1 WHERE user_id = $2', [
        isLimited ? 1 : 0,
        userId,
      ]);
      if (isLimited) await this.#write(tx, userId, limits);
      else await tx.query('DELETE FROM user_limits WHERE user_id = $1', [userId]);
      return limits;
    });
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
      models: limits.models && limits.models.join(' '),
      minute_start: 0,
      minute_requests: 0,
      minute_tokens: 0,
      day: today,
      day_charged: spent?.total ?? 0,
    };
    await writeLimits(tx, [row]);
  }
}

function checkLimits(changes: Partial<UserLimits>): void {
  const { requestsPerMinute, tokensPerMinute, rublesPerDay, models } = changes;
  checkRange('requests_per_minute', requestsPerMinute, LIMIT_REQUESTS_MAX);
  checkRange('tokens_per_minute', tokensPerMinute, LIMIT_TOKENS_MAX);
  if (rublesPerDay != null && !(rublesPerDay > 0 && rublesPerDay <= AMOUNT_MAX)) {
    throw invalidField('rubles_per_day', `must be above 0 and at most ${AMOUNT_MAX_TEXT} ₽`);
  }
  if (models && (models.length === 0 || models.length > LIMIT_MODELS_MAX)) {
    throw invalidField('models', `must be 1 to ${LIMIT_MODELS_MAX} ids of models`);
  }
}

function checkRange(field: string, value: number | null | undefined, max: number): void {
  if (value == null || (Number.isSafeInteger(value) && value >= 1 && value <= max)) return;
  throw invalidField(field, `must be a whole number from 1 to ${max}`);
}
