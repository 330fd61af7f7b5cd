export interface User {
  id: number;
  /** In Unicode NFC. */
  login: string;
  isAdmin: boolean;
  isBlocked: boolean;
  /** Trust checks per day; null: the server's default. */
  trustAllowance: number | null;
  /** The password is an initial one: a login with it is only for changing it. */
  mustChangePassword: boolean;
  /** Milliseconds since 1970. */
  createdAt: number;
  /** Milliseconds since 1970; null if the user was not erased. */
  erasedAt: number | null;
}

/** A row of `users`, as `userColumns` selects it. */
export interface UserRow {
  id: number;
  login: string;
  isAdmin: number;
  isBlocked: number;
  trustAllowance: number | null;
  createdAt: number;
  erasedAt: number | null;
  mustChange: number;
  passwordHash: string;
  tokenEpoch: number;
}

/** The columns of a `UserRow`, for a SELECT from `users`. */
export const userColumns = `id, login, is_admin AS "isAdmin", is_blocked AS "isBlocked",
  trust_allowance AS "trustAllowance", created_at AS "createdAt", erased_at AS "erasedAt",
  must_change_password AS "mustChange", password_hash AS "passwordHash", token_epoch AS "tokenEpoch"`;

/** The user of a row, without the password. */
export function toUser(row: UserRow): User {
  return {
    id: row.id,
    login: row.login,
    isAdmin: row.isAdmin === 1,
    isBlocked: row.isBlocked === 1,
    trustAllowance: row.trustAllowance,
    mustChangePassword: row.mustChange === 1,
    createdAt: row.createdAt,
    erasedAt: row.erasedAt,
  };
}
