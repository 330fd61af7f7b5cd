import { prepareInsert, queryIn, tables, type Database, type RowOf, type Tx } from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';
import { dayOf, firstOfMonth } from '../lib/days.ts';
import { invalidField } from '../lib/errors.ts';
import { toRubles, type Micro } from '../lib/money.ts';
import { keyLimitsOf, toKeyLimits } from './limit-book.ts';
import { checkLimits, modelsText, sortedModels } from './limit-bounds.ts';
import type { KeyLimits } from './limit-rules.ts';
import { valuesOf } from './limits.ts';

/** The most keys of a user that have limits, including those revoked within the last hour. */
const LIMITED_KEYS_MAX = 200;
/** By then no node accepts a revoked key any more, and its sends have ended. */
const REVOKED_KEPT_MS = 3_600_000;

export const noKeyLimits: KeyLimits = {
  requestsPerMinute: null,
  tokensPerMinute: null,
  rublesPerDay: null,
  rublesPerMonth: null,
  rublesTotal: null,
  models: null,
};

/** The limits of an API key, and how much of its budgets was used. */
export interface KeyBudget {
  limits: KeyLimits;
  /** Charged today, in this month and in total, and held by running calls. */
  used: { day: Micro; month: Micro; total: Micro; held: Micro };
}

type KeyRow = RowOf<typeof tables.key_limits.columns>;

/** What was used of the minute stays counted. The other sums are recomputed. */
const writeLimits = prepareInsert(tables.key_limits, {
  onConflict: `ON CONFLICT (user_id, key_id) DO UPDATE SET
    requests_per_minute = excluded.requests_per_minute,
    tokens_per_minute = excluded.tokens_per_minute, rubles_per_day = excluded.rubles_per_day,
    rubles_per_month = excluded.rubles_per_month, rubles_total = excluded.rubles_total,
    models = excluded.models, day = excluded.day, day_charged = excluded.day_charged,
    month_charged = excluded.month_charged, charged = excluded.charged, held = excluded.held`,
});

/** Reads and sets the limits of API keys. Sends check and count them with a `LimitBook`. */
export class KeyBudgets {
  readonly #db: Database;
  readonly #clock: Clock;

  constructor(db: Database, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  /** By key id, without keys that have no limits. */
  async many(keyIds: readonly string[]): Promise<Map<string, KeyBudget>> {
    const rows = await queryIn<KeyRow>(this.#db, keyLimitsOf, keyIds);
    const now = this.#clock.now();
    return new Map(rows.map((row) => [row.key_id, budgetOf(row, now)]));
  }

  async get(keyId: string): Promise<KeyBudget | undefined> {
    return (await this.many([keyId])).get(keyId);
  }

  /**
   * Prepares the change of a key's limits; null removes a limit. Running calls continue, and usage of this minute and
   * of the budgets still counts, including usage from before the limit existed.
   * @returns undefined if nothing changes
   * @throws `invalid_request` naming the field
   */
  change(userId: number, changes: Partial<KeyLimits>) {
    if (Object.keys(changes).length === 0) return undefined;
    checkLimits(changes);
    return {
      lock: async (tx: Tx) => {
        await tx.query(`SELECT user_id FROM accounts WHERE user_id = $1${tx.forUpdate}`, [userId]);
      },
      write: (tx: Tx, keyId: string) => this.#write(tx, userId, keyId, changes),
    };
  }

  async #write(tx: Tx, userId: number, keyId: string, changes: Partial<KeyLimits>) {
    const [row] = await queryIn<KeyRow>(tx, keyLimitsOf, [keyId]);
    const before = row ? toKeyLimits(row) : noKeyLimits;
    const limits = { ...before, ...changes };
    if (Object.values(limits).every((limit) => limit === null)) {
      await tx.query('DELETE FROM key_limits WHERE user_id = $1 AND key_id = $2', [userId, keyId]);
    } else {
      const use = await this.#usedBy(tx, userId, keyId);
      const models = modelsText(sortedModels(limits.models));
      await writeLimits(tx, [{ ...rowOf(userId, keyId, limits), models, ...use }]);
    }
    await this.#list(tx, userId);
    return { before: keyValuesOf(before), after: keyValuesOf(limits) };
  }

  /**
   * Each charge updates its sum in the transaction that has the account's lock, and each hold is stored with its
   * message.
   */
  async #usedBy(tx: Tx, userId: number, keyId: string) {
    const day = dayOf(this.#clock.now());
    const [spent] = await tx.query<{ day: Micro; month: Micro; total: Micro }>(
      `SELECT CAST(COALESCE(SUM(CASE WHEN day = $3 THEN spend END), 0) AS BIGINT) AS day,
         CAST(COALESCE(SUM(CASE WHEN day >= $4 THEN spend END), 0) AS BIGINT) AS month,
         CAST(COALESCE(SUM(spend), 0) AS BIGINT) AS total
       FROM usage_daily WHERE user_id = $1 AND key_id = $2`,
      [userId, keyId, day, firstOfMonth(day)],
    );
    // Read by the index of open messages: a user may have millions of others.
    const [open] = await tx.query<{ held: Micro }>(
      `SELECT CAST(COALESCE(SUM(hold), 0) AS BIGINT) AS held FROM messages
       WHERE state = 'pending' AND node_id >= 0 AND user_id + 0 = $1 AND key_id = $2`,
      [userId, keyId],
    );
    return {
      day,
      day_charged: spent?.day ?? 0,
      month_charged: spent?.month ?? 0,
      charged: spent?.total ?? 0,
      held: open?.held ?? 0,
    };
  }

  /** Records in the account which keys have limits, so that sends with other keys cost no query. */
  async #list(tx: Tx, userId: number): Promise<void> {
    const rows = await tx.query<{ id: string }>(
      `SELECT l.key_id AS id FROM key_limits l JOIN api_keys k ON k.id = l.key_id
       WHERE l.user_id = $1 AND (k.revoked_at IS NULL OR k.revoked_at > $2) ORDER BY l.key_id`,
      [userId, this.#clock.now() - REVOKED_KEPT_MS],
    );
    if (rows.length > LIMITED_KEYS_MAX) {
      throw invalidField(
        'id',
        `${LIMITED_KEYS_MAX} keys of the user have limits already, some of them revoked within the last hour: wait`,
      );
    }
    const list = rows.map(({ id }) => id).join(' ');
    await tx.query('UPDATE accounts SET limited_keys = $1 WHERE user_id = $2', [list, userId]);
  }
}

/** Limits for the audit. */
function keyValuesOf(limits: KeyLimits) {
  const { rublesPerMonth, rublesTotal } = limits;
  return {
    ...valuesOf(limits),
    rubles_per_month: rublesPerMonth === null ? null : toRubles(rublesPerMonth),
    rubles_total: rublesTotal === null ? null : toRubles(rublesTotal),
  };
}

function rowOf(userId: number, keyId: string, limits: KeyLimits) {
  return {
    user_id: userId,
    key_id: keyId,
    requests_per_minute: limits.requestsPerMinute,
    tokens_per_minute: limits.tokensPerMinute,
    rubles_per_day: limits.rublesPerDay,
    rubles_per_month: limits.rublesPerMonth,
    rubles_total: limits.rublesTotal,
    minute_start: 0,
    minute_requests: 0,
    minute_tokens: 0,
  };
}

function budgetOf(row: KeyRow, now: number): KeyBudget {
  const isToday = dayOf(now) === row.day;
  const isThisMonth = firstOfMonth(dayOf(now)) === firstOfMonth(row.day);
  return {
    limits: toKeyLimits(row),
    used: {
      day: isToday ? row.day_charged : 0,
      month: isThisMonth ? row.month_charged : 0,
      total: row.charged,
      held: row.held,
    },
  };
}
