import { DomainError } from '../lib/errors.ts';
import type { Caller, KeyScope } from './caller.ts';

/**
 * What users may do beyond their own account. Each role includes those before it.
 *
 *   user      nothing
 *   operator  users, money, reports and reconciliation
 *   admin     everything: also the catalogue, jobs on the link graph, and other admins
 */
export const roles = ['user', 'operator', 'admin'] as const;

export type Role = (typeof roles)[number];

/** True if the first role may do everything that the second may. */
export function includes(role: Role, other: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(other);
}

/** The role of a user by the columns of `users`. */
export function roleOf(row: { is_admin: number; is_operator: number }): Role {
  if (row.is_admin === 1) return 'admin';
  return row.is_operator === 1 ? 'operator' : 'user';
}

/** The same in SQL. @param table the name or alias of `users` */
export function roleIn(table: string): string {
  return `CASE WHEN ${table}.is_admin = 1 THEN 'admin' WHEN ${table}.is_operator = 1 THEN 'operator' ELSE 'user' END`;
}

export function roleColumns(role: Role): { is_admin: number; is_operator: number } {
  return { is_admin: role === 'admin' ? 1 : 0, is_operator: role === 'operator' ? 1 : 0 };
}

/** The role that a scope is meant for; users with a lower role can't have such keys. */
const roleOfScope: Readonly<Record<KeyScope, Role>> = {
  chat: 'user',
  trust: 'user',
  credit: 'operator',
  full: 'user',
  operator: 'operator',
  admin: 'admin',
};

/** True if a user with this role may have keys with this scope. */
export function mayHaveScope(role: Role, scope: KeyScope): boolean {
  return includes(role, roleOfScope[scope]);
}

/** The widest scope of the keys of a user with this role. */
export function widestScope(role: Role): KeyScope {
  return role === 'user' ? 'full' : role;
}

/**
 * The role in which a caller acts: an admin's key with the scope `operator` is an operator.
 * @param role of the user, from the database
 */
export function actingRole({ credential }: Caller, role: Role): Role {
  if (credential.kind === 'token') return role;
  const most = roleOfScope[credential.scope];
  return includes(role, most) ? most : role;
}

/**
 * Prevents operators from changing or exporting an admin, and from granting rights above their own.
 * @param acting the role of the caller @param subject the role of the user, or the role to be granted
 * @throws `forbidden`
 */
export function requireRoleOver(acting: Role, subject: Role): void {
  if (includes(acting, subject)) return;
  throw new DomainError(
    'forbidden',
    'an operator can neither change nor export an admin, nor give the rights of one: ask an admin',
  );
}
