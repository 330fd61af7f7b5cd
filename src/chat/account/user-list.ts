import type { Database, Param } from '../../db/index.ts';
import type { AccountState, Ledger, Limits, UserLimits } from '../../ledger/index.ts';
import { toUnixSecondsOrNull } from '../../lib/clock.ts';
import { foldLogin, roleIn, type Role, type User, type Users } from '../../users/index.ts';
import { userView } from './views.ts';

export const userOrders = ['id', 'login', 'balance', 'created', 'last_use'] as const;
export type UserOrder = (typeof userOrders)[number];

export interface UserListQuery {
  limit: number;
  /** How many users to skip at the beginning of the list. */
  offset?: number | undefined;
  /** Only users with a greater id. */
  after?: number | undefined;
  /** A part of the login; case does not matter. */
  search?: string | undefined;
  isBlocked?: boolean | undefined;
  isAdmin?: boolean | undefined;
  role?: Role | undefined;
  /** Whether the balance is below zero. */
  isNegative?: boolean | undefined;
  order?: UserOrder | undefined;
  descending?: boolean | undefined;
}

export interface ListedUser {
  user: User;
  account: AccountState;
  limits: UserLimits | undefined;
  /** Null: no room has been used yet. */
  lastUsedAt: number | null;
}

interface Found {
  id: number;
  lastUsedAt: number | null;
}

const lastUse = '(SELECT MAX(r.last_used_at) FROM rooms r WHERE r.user_id = u.id)';

const orders: Readonly<Record<UserOrder, string>> = {
  id: 'u.id',
  login: 'u.login_folded',
  balance: 'a.balance',
  created: 'u.created_at',
  last_use: `COALESCE(${lastUse}, 0)`,
};

const isBelowZero = 'CASE WHEN a.balance < 0 THEN 1 ELSE 0 END';

/** A filter that is null selects everyone. One text serves all filters, since each distinct text stays prepared. */
const selected = `FROM users u JOIN accounts a ON a.user_id = u.id
  WHERE u.id > $1 AND u.login_folded LIKE $2 ESCAPE '\\'
    AND u.is_blocked = COALESCE(CAST($3 AS INTEGER), u.is_blocked)
    AND u.is_admin = COALESCE(CAST($4 AS INTEGER), u.is_admin)
    AND ${isBelowZero} = COALESCE(CAST($5 AS INTEGER), ${isBelowZero})
    AND ${roleIn('u')} = COALESCE(CAST($6 AS TEXT), ${roleIn('u')})`;

/** Lists of users for admins: searched, filtered, sorted and in pages. */
export class UserList {
  readonly #parts: UserListParts;

  constructor(parts: UserListParts) {
    this.#parts = parts;
  }

  /** @returns a page, and how many users the filters select in all */
  async read(query: UserListQuery): Promise<{ users: ListedUser[]; total: number }> {
    const { db, users, ledger, limits } = this.#parts;
    const params = paramsOf(query);
    const [counted] = await db.query<{ n: number }>(`SELECT COUNT(*) AS n ${selected}`, params);
    const direction = query.descending ? 'DESC' : 'ASC';
    const { order = 'id' } = query;
    // Byte by byte, so that both databases sort alike.
    const collation = order === 'login' && db.dialect === 'postgres' ? ' COLLATE "C"' : '';
    const found = await db.query<Found>(
      `SELECT u.id, ${lastUse} AS "lastUsedAt" ${selected}
       ORDER BY ${orders[order]}${collation} ${direction}, u.id ${direction} LIMIT $7 OFFSET $8`,
      [...params, query.limit, query.offset ?? 0],
    );
    const ids = found.map(({ id }) => id);
    const byId = await users.many(ids);
    const accounts = await ledger.accounts(ids);
    const limited = await limits.many(ids);
    const listed = found.flatMap(({ id, lastUsedAt }) => {
      const user = byId.get(id);
      const account = accounts.get(id);
      return user && account ? [{ user, account, limits: limited.get(id), lastUsedAt }] : [];
    });
    return { users: listed, total: counted?.n ?? 0 };
  }
}

interface UserListParts {
  db: Database;
  users: Users;
  ledger: Ledger;
  limits: Limits;
}

function paramsOf(query: UserListQuery): Param[] {
  const { after, search = '', isBlocked, isAdmin, isNegative, role } = query;
  const part = foldLogin(search).replace(/[\\%_]/g, '\\$&');
  const flags = [isBlocked, isAdmin, isNegative].map(flagOf);
  return [after ?? 0, `%${part}%`, ...flags, role ?? null];
}

function flagOf(value: boolean | undefined): number | null {
  return value === undefined ? null : Number(value);
}

export function listedUserView({ user, account, limits, lastUsedAt }: ListedUser) {
  return { ...userView(user, account, limits), last_used_at: toUnixSecondsOrNull(lastUsedAt) };
}
