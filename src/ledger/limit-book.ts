import { prepareUpdate, queryIn, tables, type Tx } from '../db/index.ts';
import type { Micro } from '../lib/money.ts';
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

/** A call that a user wants to make. */
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

interface Row {
  userId: number;
  limits: UserLimits;
  use: LimitUse;
}

/** A row of `user_limits`. */
export interface LimitRow {
  userId: number;
  requestsPerMinute: number | null;
  tokensPerMinute: number | null;
  rublesPerDay: number | null;
  models: string | null;
}

/** The columns of a `LimitRow`, for a SELECT from `user_limits`. */
export const limitColumns = `user_id AS "userId", requests_per_minute AS "requestsPerMinute",
  tokens_per_minute AS "tokensPerMinute", rubles_per_day AS "rublesPerDay", models`;

/**
 * The limits of the users of one transaction. The lock of an account also protects the limits of its user, so they are
 * exact on any number of nodes. Users without limits are not in the book, and cost no query.
 */
export class LimitBook {
  readonly #rows: Map<number, Row>;

  private constructor(rows: Map<number, Row>) {
    this.#rows = rows;
  }

  /** @param userIds users with limits, whose accounts are locked */
  static async open(tx: Tx, userIds: readonly number[]): Promise<LimitBook> {
    if (userIds.length === 0) return new LimitBook(new Map());
    const rows = await queryIn<LimitRow & LimitUse>(
      tx,
      `SELECT ${limitColumns}, minute_start AS "minuteStart", minute_requests AS "minuteRequests",
         minute_tokens AS "minuteTokens", day, day_charged AS "dayCharged"
       FROM user_limits WHERE user_id IN (LIST)`,
      userIds,
    );
    return new LimitBook(new Map(rows.map((row) => [row.userId, toRow(row)])));
  }

  /** @returns the call as the limits allow it, or why they refuse it; undefined for a user without limits */
  check(
    { userId, ask, modelId, at }: RequestedCall,
    funds: Funds,
  ): { fits: HoldAsk } | { refused: LimitRefusal; quotas: Quota[] } | undefined {
    const row = this.#rows.get(userId);
    if (!row) return undefined;
    const use = useAt(row.use, at);
    const result = withinLimits(row.limits, use, funds, { ...ask, modelId }, at);
    if ('fits' in result) return result;
    return { ...result, quotas: quotasOf(row.limits, use, funds.held, at) };
  }

  /** Counts a call. @param funds after its hold was taken */
  begin({ userId, ask, at }: RequestedCall, funds: Funds): AdmittedCall | undefined {
    const row = this.#rows.get(userId);
    if (!row) return undefined;
    const tokens = tokensOf(ask);
    row.use = useAt(row.use, at);
    row.use.minuteRequests++;
    row.use.minuteTokens += tokens;
    return {
      counted: { minute: row.use.minuteStart, tokens },
      quotas: quotasOf(row.limits, row.use, funds.held, at),
      models: row.limits.models,
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
    const row = this.#rows.get(userId);
    if (!row) return;
    const { use } = row;
    if (counted?.minute === use.minuteStart) {
      use.minuteTokens = Math.max(0, use.minuteTokens - counted.tokens + tokens);
    }
    const { day, dayCharged } = useAt(use, at);
    row.use = { ...use, day, dayCharged: dayCharged + charge };
  }

  async flush(tx: Tx): Promise<void> {
    await updateUse(
      tx,
      [...this.#rows.values()].map(({ userId, use }) => ({
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

function toRow(row: LimitRow & LimitUse): Row {
  const { minuteStart, minuteRequests, minuteTokens, day, dayCharged } = row;
  return {
    userId: row.userId,
    limits: toLimits(row),
    use: { minuteStart, minuteRequests, minuteTokens, day, dayCharged },
  };
}

/** The limits of a row of `user_limits`. */
export function toLimits(row: LimitRow): UserLimits {
  return {
    requestsPerMinute: row.requestsPerMinute,
    tokensPerMinute: row.tokensPerMinute,
    rublesPerDay: row.rublesPerDay,
    models: row.models === null ? null : row.models.split(' ').map(Number),
  };
}
