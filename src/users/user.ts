import { columnList, tables, type RowOf } from '../db/index.ts';
import { roleOf, type Role } from './roles.ts';

export interface User {
  id: number;
  /** In Unicode NFC. */
  login: string;
  role: Role;
  isBlocked: boolean;
  /** Trust checks per day; null: the server's default. */
  trustAllowance: number | null;
  /** The password is an initial one: a login with it only allows changing it. */
  mustChangePassword: boolean;
  createdAt: number;
  erasedAt: number | null;
}

export type UserRow = RowOf<typeof tables.users.columns>;
export const userColumns = columnList(tables.users);

export function toUser(row: UserRow): User {
  return {
    id: row.id,
    login: row.login,
    role: roleOf(row),
    isBlocked: row.is_blocked === 1,
    trustAllowance: row.trust_allowance,
    mustChangePassword: row.must_change_password === 1,
    createdAt: row.created_at,
    erasedAt: row.erased_at,
  };
}
