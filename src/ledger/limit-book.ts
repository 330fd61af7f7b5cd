import { columnList, prepareUpdate, queryIn, tables, type RowOf, type Tx } from '../db/index.ts';
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

interface LimitedUser {
  userId: number;
  limits: UserLimits;
  use: LimitUse;
}

/** A row of `user_limits`. */
export type LimitRow = RowOf<typeof tables.user_limits.columns>;
export const limitColumns = columnList(tables.user_limits);

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
    const rows = await queryIn<LimitRow>(
      tx,
      `SELECT ${limitColumns} FROM user_limits WHERE user_id IN (LIST)`,
      userIds,
    );
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
      [...this.#users.values()].map(({ userId, use }) => ({
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
  return { userId: row.user_id, limits: toLimits(row), use };
}

/** The limits of a row of `user_limits`. */
export function toLimits(row: LimitRow): UserLimits {
  return {
    requestsPerMinute: row.requests_per_minute,
    tokensPerMinute: row.tokens_per_minute,
    rublesPerDay: row.rubles_per_day,
    models: row.models === null ? null : row.models.split(' ').map(Number),
  };
}
