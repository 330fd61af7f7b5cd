import {
  columnList,
  prepareUpdate,
  queryIn,
  tables,
  together,
  type RowOf,
  type Tx,
} from '../db/index.ts';
import type { Micro } from '../lib/money.ts';
import type { Quota } from '../lib/quota.ts';
import { modelsOf } from './limit-bounds.ts';
import {
  tokensOf,
  useAt,
  withinLimits,
  type KeyLimits,
  type LimitRefusal,
  type LimitUse,
  type UserLimits,
} from './limit-rules.ts';
import { quotasOf, tightest } from './quotas.ts';
import { availableOf, type Funds, type HoldBounds } from './rules.ts';

const updateUsers = prepareUpdate(tables.user_limits, {
  key: ['user_id'],
  set: ['minute_start', 'minute_requests', 'minute_tokens', 'day', 'day_charged'],
});
const updateKeys = prepareUpdate(tables.key_limits, {
  key: ['user_id', 'key_id'],
  set: [
    'minute_start',
    'minute_requests',
    'minute_tokens',
    'day',
    'day_charged',
    'month_charged',
    'charged',
    'held',
  ],
});

/** The tokens that were counted for a running call; the count is corrected when the call ends. */
export interface CountedTokens {
  tokens: number;
  /** When the minutes in which they were counted began, for the user's limits and the key's. */
  minutes: Partial<Record<LimitOwner, number>>;
}

export type LimitOwner = 'user' | 'key';

export interface RequestedCall {
  userId: number;
  /** The API key; empty: none. */
  keyId: string;
  bounds: HoldBounds;
  modelId: number;
  at: number;
}

export interface AdmittedCall {
  counted: CountedTokens;
  /** What remains of the limits after this call. */
  quotas: Quota[];
  models: readonly number[] | null;
}

/** Why limits refuse a call, and whose limits. */
export type OwnedRefusal = LimitRefusal & { owner: LimitOwner };

export interface EndedCall {
  userId: number;
  keyId: string;
  /** What was counted when it began; undefined if unknown, or if there were no limits then. */
  counted: CountedTokens | undefined;
  /** The amount that it held, which is no longer held. */
  hold: Micro;
  /** The tokens that it used. */
  tokens: number;
  charge: Micro;
  at: number;
}

interface Limited {
  owner: LimitOwner;
  userId: number;
  limits: KeyLimits;
  use: LimitUse;
  /** The amount that running calls of a key hold; undefined for a user: the account has it. */
  held: Micro | undefined;
}

type UserRow = RowOf<typeof tables.user_limits.columns>;
type LimitColumn = 'requests_per_minute' | 'tokens_per_minute' | 'rubles_per_day' | 'models';
type KeyRow = RowOf<typeof tables.key_limits.columns>;
/** The limits of a list of users. */
export const limitsOf = `SELECT ${columnList(tables.user_limits)} FROM user_limits WHERE user_id IN (LIST)`;
/** The limits of a list of keys. */
export const keyLimitsOf = `SELECT ${columnList(tables.key_limits)} FROM key_limits WHERE key_id IN (LIST)`;

/**
 * The limits of the users and API keys of one transaction. The lock of an account also protects the limits of its user
 * and keys, so they are exact on any number of nodes. Users without limits are not in the book, and cost no query.
 */
export class LimitBook {
  readonly #users: ReadonlyMap<number, Limited>;
  readonly #keys: ReadonlyMap<string, Limited>;

  private constructor(users: UserRow[], keys: KeyRow[]) {
    this.#users = new Map(users.map((row) => [row.user_id, userOf(row)]));
    this.#keys = new Map(keys.map((row) => [row.key_id, keyOf(row)]));
  }

  /** @param userIds users with limits @param keyIds keys with limits; all accounts are already locked */
  static async open(
    tx: Tx,
    userIds: readonly number[],
    keyIds: readonly string[],
  ): Promise<LimitBook> {
    if (userIds.length === 0 && keyIds.length === 0) return new LimitBook([], []);
    const [users, keys] = await together([
      queryIn<UserRow>(tx, limitsOf, userIds),
      queryIn<KeyRow>(tx, keyLimitsOf, keyIds),
    ]);
    return new LimitBook(users, keys);
  }

  /** @returns the call as all limits allow it, or why they refuse it; undefined if neither user nor key has limits */
  check(
    call: RequestedCall,
    funds: Funds,
  ): { fits: HoldBounds } | { refused: OwnedRefusal; quotas: Quota[] } | undefined {
    const all = this.#of(call);
    if (all.length === 0) return undefined;
    const { modelId, at } = call;
    const available = availableOf(funds);
    let fits = call.bounds;
    for (const { owner, limits, use, held = funds.held } of all) {
      const limited = { ...fits, modelId };
      const result = withinLimits(limits, useAt(use, at), { held, available }, limited, at);
      if ('refused' in result) {
        return { refused: { ...result.refused, owner }, quotas: quotasAt(all, funds, at) };
      }
      fits = result.fits;
    }
    return { fits };
  }

  /** Counts a call. @param hold the amount that it holds @param funds after its hold was taken */
  begin(call: RequestedCall, hold: Micro, funds: Funds): AdmittedCall | undefined {
    const all = this.#of(call);
    if (all.length === 0) return undefined;
    const tokens = tokensOf(call.bounds);
    const minutes: CountedTokens['minutes'] = {};
    for (const one of all) {
      one.use = useAt(one.use, call.at);
      one.use.minuteRequests++;
      one.use.minuteTokens += tokens;
      if (one.held !== undefined) one.held += hold;
      minutes[one.owner] = one.use.minuteStart;
    }
    return {
      counted: { tokens, minutes },
      quotas: quotasAt(all, funds, call.at),
      models: allowedBy(all),
    };
  }

  /** Replaces the tokens counted at the beginning of a call with those that it used, and its hold with its charge. */
  end(call: EndedCall): void {
    const { counted, tokens, charge, at } = call;
    for (const one of this.#of(call)) {
      const { use } = one;
      if (counted && counted.minutes[one.owner] === use.minuteStart) {
        use.minuteTokens = Math.max(0, use.minuteTokens - counted.tokens + tokens);
      }
      const { day, dayCharged, monthCharged } = useAt(use, at);
      one.use = {
        ...use,
        day,
        dayCharged: dayCharged + charge,
        monthCharged: monthCharged + charge,
        charged: use.charged + charge,
      };
      if (one.held !== undefined) one.held -= call.hold;
    }
  }

  async flush(tx: Tx): Promise<void> {
    if (this.#users.size === 0 && this.#keys.size === 0) return;
    const users = [...this.#users.values()].map(({ userId, use }) => ({
      user_id: userId,
      ...columnsOf(use),
    }));
    const keys = [...this.#keys].map(([keyId, { userId, use, held = 0 }]) => ({
      user_id: userId,
      key_id: keyId,
      ...columnsOf(use),
      month_charged: use.monthCharged,
      charged: use.charged,
      held,
    }));
    await together([updateUsers(tx, users), updateKeys(tx, keys)]);
  }

  #of({ userId, keyId }: Pick<RequestedCall, 'userId' | 'keyId'>): Limited[] {
    const user = this.#users.get(userId);
    const key = keyId === '' ? undefined : this.#keys.get(keyId);
    if (user) return key ? [user, key] : [user];
    return key ? [key] : [];
  }
}

function quotasAt(all: readonly Limited[], funds: Funds, at: number): Quota[] {
  return tightest(
    all.flatMap(({ limits, use, held = funds.held }) => quotasOf(limits, useAt(use, at), held, at)),
  );
}

/** The models that all limits allow; null: all. */
function allowedBy(all: readonly Limited[]): readonly number[] | null {
  const lists = all.flatMap(({ limits: { models } }) => (models ? [models] : []));
  const [first, ...others] = lists;
  return first?.filter((id) => others.every((list) => list.includes(id))) ?? null;
}

function userOf(row: UserRow): Limited {
  const limits = { ...commonLimits(row), rublesPerMonth: null, rublesTotal: null };
  const use = { ...commonUse(row), monthCharged: 0, charged: 0 };
  return { owner: 'user', userId: row.user_id, limits, use, held: undefined };
}

function keyOf(row: KeyRow): Limited {
  const use = { ...commonUse(row), monthCharged: row.month_charged, charged: row.charged };
  return { owner: 'key', userId: row.user_id, limits: toKeyLimits(row), use, held: row.held };
}

export function toKeyLimits(row: KeyRow): KeyLimits {
  const { rubles_per_month: rublesPerMonth, rubles_total: rublesTotal } = row;
  return { ...commonLimits(row), rublesPerMonth, rublesTotal };
}

/** The limits in a row of any table that has them. */
export function commonLimits(row: Pick<UserRow, LimitColumn>): UserLimits {
  return {
    requestsPerMinute: row.requests_per_minute,
    tokensPerMinute: row.tokens_per_minute,
    rublesPerDay: row.rubles_per_day,
    models: modelsOf(row.models),
  };
}

function commonUse(row: UserRow | KeyRow) {
  return {
    minuteStart: row.minute_start,
    minuteRequests: row.minute_requests,
    minuteTokens: row.minute_tokens,
    day: row.day,
    dayCharged: row.day_charged,
  };
}

function columnsOf(use: LimitUse) {
  return {
    minute_start: use.minuteStart,
    minute_requests: use.minuteRequests,
    minute_tokens: use.minuteTokens,
    day: use.day,
    day_charged: use.dayCharged,
  };
}
