import {
  columnList,
  prepareInsert,
  prepareUpdate,
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
import { toRubles, type Micro } from '../lib/money.ts';
import type { Quota } from '../lib/quota.ts';
import {
  quotasOf,
  tokensOf,
  useAt,
  withinLimits,
  type LimitRefusal,
  type LimitUse,
  type UserLimits,
} from './limit-rules.ts';
import { checkLimits, modelsOf, modelsText, noLimits } from './limit-bounds.ts';
import type { Funds, HoldAsk } from './rules.ts';

const updateUse = prepareUpdate(tables.user_limits, {
  key: ['user_id'],
  set: ['minute_start', 'minute_requests', 'minute_tokens', 'day', 'day_charged'],
});

/** The tokens that were counted for a running call; the count is corrected when the call ends. */
export interface CountedTokens {
  /** The start of the minute. */
  minute: number;
  tokens: number;
}

export interface RequestedCall {
  userId: number;
  ask: HoldAsk;
  modelId: number;
  at: number;
}

/** A call that the user's limits admitted. */
export interface AdmittedCall {
  counted: CountedTokens;
  /** What remains of the limits after this call. */
  quotas: Quota[];
  models: readonly number[] | null;
}

interface LimitedUser {
  limits: UserLimits;
  use: LimitUse;
}

type LimitRow = RowOf<typeof tables.user_limits.columns>;
const limitsOf = `SELECT ${columnList(tables.user_limits)} FROM user_limits WHERE user_id IN (LIST)`;

/**
 * The limits of the users of one transaction. The lock of an account also protects the limits of its user, so they are
 * exact on any number of nodes. Users without limits are not in the book, and cost no query.
 */
export class LimitBook {
  readonly #users: Map<number, LimitedUser>;

  private constructor(users: Map<number, LimitedUser>) {
    this.#users = users;
  }

  /** @param userIds users with limits, whose accounts are locked */
  static async open(tx: Tx, userIds: readonly number[]): Promise<LimitBook> {
    if (userIds.length === 0) return new LimitBook(new Map());
    const rows = await queryIn<LimitRow>(tx, limitsOf, userIds);
    return new LimitBook(new Map(rows.map((row) => [row.user_id, toUser(row)])));
  }

  /** @returns the call as the limits allow it, or why they refuse it; undefined for a user without limits */
  check(
    { userId, ask, modelId, at }: RequestedCall,
    funds: Funds,
  ): { fits: HoldAsk } | { refused: LimitRefusal; quotas: Quota[] } | undefined {
    const user = this.#users.get(userId);
    if (!user) return undefined;
    const use = useAt(user.use, at);
    const result = withinLimits(user.limits, use, funds, { ...ask, modelId }, at);
    if ('fits' in result) return result;
    return { ...result, quotas: quotasOf(user.limits, use, funds.held, at) };
  }

  /** Counts a call. @param funds after its hold was taken */
  begin({ userId, ask, at }: RequestedCall, funds: Funds): AdmittedCall | undefined {
    const user = this.#users.get(userId);
    if (!user) return undefined;
    const tokens = tokensOf(ask);
    user.use = useAt(user.use, at);
    user.use.minuteRequests++;
    user.use.minuteTokens += tokens;
    return {
      counted: { minute: user.use.minuteStart, tokens },
      quotas: quotasOf(user.limits, user.use, funds.held, at),
      models: user.limits.models,
    };
  }

  /**
   * Replaces the tokens that were counted when a call began by those that it used.
   * @param counted undefined if unknown, or if the user had no limits when the call began: the minute is not corrected
   * @param end the tokens that the call used, its charge, and when it ended
   */
  end(
    userId: number,
    counted: CountedTokens | undefined,
    { tokens, charge, at }: { tokens: number; charge: Micro; at: number },
  ): void {
    const user = this.#users.get(userId);
    if (!user) return;
    const { use } = user;
    if (counted?.minute === use.minuteStart) {
      use.minuteTokens = Math.max(0, use.minuteTokens - counted.tokens + tokens);
    }
    const { day, dayCharged } = useAt(use, at);
    user.use = { ...use, day, dayCharged: dayCharged + charge };
  }

  async flush(tx: Tx): Promise<void> {
    await updateUse(
      tx,
      [...this.#users].map(([userId, { use }]) => ({
        user_id: userId,
        minute_start: use.minuteStart,
        minute_requests: use.minuteRequests,
        minute_tokens: use.minuteTokens,
        day: use.day,
        day_charged: use.dayCharged,
      })),
    );
  }
}

function toUser(row: LimitRow): LimitedUser {
  const use = {
    minuteStart: row.minute_start,
    minuteRequests: row.minute_requests,
    minuteTokens: row.minute_tokens,
    day: row.day,
    dayCharged: row.day_charged,
  };
  return { limits: toLimits(row), use };
}

function toLimits(row: LimitRow): UserLimits {
  return {
    requestsPerMinute: row.requests_per_minute,
    tokensPerMinute: row.tokens_per_minute,
    rublesPerDay: row.rubles_per_day,
    models: modelsOf(row.models),
  };
}

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
    const rows = await queryIn<LimitRow>(sql, limitsOf, userIds);
    return new Map(rows.map((row) => [row.user_id, toLimits(row)]));
  }

  /**
   * Sets the limits in `changes`; null removes one. Running calls continue, and what was used in this minute and on this
   * day still counts. A new limit of rubles also counts what was charged earlier today.
   * @param act of an admin, to be recorded
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
    // The lock of the account protects its limits, and what is charged today.
    await tx.query(`SELECT user_id FROM accounts WHERE user_id = $1${tx.forUpdate}`, [userId]);
    const before = await this.get(userId, tx);
    const limits = { ...before, ...changes };
    limits.models &&= [...new Set(limits.models)].toSorted((a, b) => a - b);
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
function valuesOf({ requestsPerMinute, tokensPerMinute, rublesPerDay, models }: UserLimits) {
  return {
    requests_per_minute: requestsPerMinute,
    tokens_per_minute: tokensPerMinute,
    rubles_per_day: rublesPerDay === null ? null : toRubles(rublesPerDay),
    models: models && models.join(', '),
  };
}
