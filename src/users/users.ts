import {
  nextNumber,
  queryIn,
  prepareInsert,
  tables,
  type Database,
  type Sql,
  type Tx,
} from '../db/index.ts';
import type { Act } from '../audit/index.ts';
import type { Clock } from '../lib/clock.ts';
import { DomainError, invalidField } from '../lib/errors.ts';
import type { CallerCache } from './caller-cache.ts';
import { keepAnAdmin } from './last-admin.ts';
import { erasedLogin, foldLogin, parseLogin } from './login-name.ts';
import type { NewUser } from './new-user.ts';
import { unusablePasswordHash, type Passwords } from './passwords.ts';
import { requireRoleOver, roleColumns, roleOf, type Role } from './roles.ts';
import { deleteSecondFactor } from './second-factors.ts';
import { tokenRevoked, userBlocked } from './tokens.ts';
import { toUser, userColumns, type User, type UserRow } from './user.ts';

const insertUser = prepareInsert(tables.users, {
  onConflict: 'ON CONFLICT (login_folded) DO NOTHING',
  returning: ['id'],
});

export interface StoredCredentials {
  user: User;
  passwordHash: string;
  tokenEpoch: number;
  /** The sealed secret of the second factor; null: the user has none. */
  factor: string | null;
}

interface UsersParts {
  db: Database;
  clock: Clock;
  passwords: Passwords;
  callers: CallerCache;
}

/** Users and their rights. On this node, a change that ends tokens takes effect immediately. */
export class Users {
  readonly #parts: UsersParts;

  constructor(parts: UsersParts) {
    this.#parts = parts;
  }

  /**
   * Adds a user.
   * @param onCreate runs in the same transaction, e.g. to open the account
   * @throws `invalid_request` naming `login` (not valid, or taken in upper or lower case), `password` or
   *   `trust_allowance`; `overloaded`
   */
  async add(input: NewUser, onCreate: (tx: Tx, userId: number) => Promise<void>): Promise<User> {
    const login = parseLogin(input.login);
    const { trustAllowance = null } = input;
    if (trustAllowance !== null && !(Number.isSafeInteger(trustAllowance) && trustAllowance >= 0)) {
      throw invalidField('trust_allowance', 'must be a whole number, at least 0, or null');
    }
    const hash = await this.#parts.passwords.hash(input.password, undefined, input.hashLane);
    return this.#parts.db.transaction(async (tx) => {
      const id = await nextNumber(tx, 'users');
      const row = {
        id,
        login,
        login_folded: foldLogin(login),
        password_hash: hash,
        ...roleColumns(input.role ?? 'user'),
        is_blocked: 0,
        token_epoch: 1,
        trust_allowance: trustAllowance,
        created_at: this.#parts.clock.now(),
        erased_at: null,
        must_change_password: input.mustChangePassword ? 1 : 0,
        api_room: null,
      };
      const inserted = await insertUser(tx, [row]);
      if (inserted.length === 0) throw invalidField('login', `"${login}" is taken: choose another`);
      await onCreate(tx, id);
      return toUser(row);
    });
  }

  /** Several users by id, including erased ones. */
  async many(userIds: readonly number[]): Promise<Map<number, User>> {
    const rows = await queryIn<UserRow>(
      this.#parts.db,
      `SELECT ${userColumns} FROM users WHERE id IN (LIST)`,
      userIds,
    );
    return new Map(rows.map((row) => [row.id, toUser(row)]));
  }

  /** @param login in upper or lower case @throws `not_found` */
  async find(login: string, sql: Sql = this.#parts.db): Promise<User> {
    const found = await this.credentials(login, sql);
    if (!found) throw noSuchUser();
    return found.user;
  }

  /** @throws `not_found` */
  async get(userId: number): Promise<User> {
    const [row] = await this.#parts.db.query<UserRow>(
      `SELECT ${userColumns} FROM users WHERE id = $1`,
      [userId],
    );
    if (!row) throw noSuchUser();
    return toUser(row);
  }

  /** Whether there is an admin. @param besides the id of a user who does not count */
  async hasAdmin(besides = 0, sql: Sql = this.#parts.db): Promise<boolean> {
    const rows = await sql.query('SELECT id FROM users WHERE is_admin = 1 AND id <> $1 LIMIT 1', [
      besides,
    ]);
    return rows.length > 0;
  }

  /** For logins only: the user with this login in upper or lower case, with the hash of the password. */
  async credentials(
    login: string,
    sql: Sql = this.#parts.db,
  ): Promise<StoredCredentials | undefined> {
    const folded = foldLogin(login);
    // No login has a U+0000, which PostgreSQL can't store.
    if (folded.includes('\0')) return undefined;
    const [row] = await sql.query<UserRow & { factor: string | null }>(
      `SELECT ${userColumns}, (SELECT secret FROM second_factors f
         WHERE f.user_id = users.id AND confirmed_at IS NOT NULL) AS factor
       FROM users WHERE login_folded = $1`,
      [folded],
    );
    if (!row) return undefined;
    const { password_hash: passwordHash, token_epoch: tokenEpoch, factor } = row;
    return { user: toUser(row), passwordHash, tokenEpoch, factor };
  }

  /**
   * Sets a password and ends all tokens of the user, but not the API keys.
   * @param options `expectedEpoch`: only if the password was not changed and the user not blocked since; `mustChange`:
   * the password is an initial one, and the user must change it at the next login; `act`: of an admin, to be recorded
   * @returns false if the password was changed or the user blocked since
   * @throws `not_found`, `invalid_request` naming `field`, `overloaded`
   */
  async setPassword(
    userId: number,
    password: string,
    options: { field?: string; expectedEpoch?: number; mustChange?: boolean; act?: Act } = {},
  ): Promise<boolean> {
    const hash = await this.#parts.passwords.hash(password, options.field);
    const { expectedEpoch = null, mustChange = false, act } = options;
    const rows = await this.#parts.db.transaction(async (tx) => {
      const changed = await tx.query(
        `UPDATE users SET password_hash = $1, token_epoch = token_epoch + 1,
           must_change_password = $4
         WHERE id = $2 AND erased_at IS NULL
           AND token_epoch = COALESCE(CAST($3 AS INTEGER), token_epoch) RETURNING id`,
        [hash, userId, expectedEpoch, mustChange ? 1 : 0],
      );
      const after = { must_change_password: mustChange };
      if (changed.length > 0) await act?.record(tx, { userId, after });
      return changed;
    });
    if (rows.length === 0 && (await this.get(userId)).erasedAt !== null) throw noSuchUser();
    this.#parts.callers.drop(userId);
    return rows.length > 0;
  }

  /**
   * Blocks or unblocks a user. A block ends all tokens and suspends the API keys.
   * @throws `not_found`; `forbidden` for the last admin
   */
  async setBlocked(userId: number, blocked: boolean, act?: Act): Promise<void> {
    const flag = blocked ? 1 : 0;
    await this.#parts.db.transaction(async (tx) => {
      if (blocked) await keepAnAdmin(tx, userId);
      const [row] = await tx.query<{ before: number }>(
        `SELECT is_blocked AS before FROM users WHERE id = $1${tx.forUpdate}`,
        [userId],
      );
      if (!row) throw noSuchUser();
      await tx.query(
        'UPDATE users SET is_blocked = $1, token_epoch = token_epoch + $2 WHERE id = $3',
        [flag, flag, userId],
      );
      const before = { is_blocked: row.before === 1 };
      await act?.record(tx, { userId, before, after: { is_blocked: blocked } });
    });
    this.#parts.callers.drop(userId);
  }

  /** The users among these who are blocked or erased, each with the error that their requests get. */
  async endedAmong(userIds: readonly number[]): Promise<Map<number, DomainError>> {
    const rows = await queryIn<{ id: number; isBlocked: number }>(
      this.#parts.db,
      `SELECT id, is_blocked AS "isBlocked" FROM users
       WHERE id IN (LIST) AND (is_blocked = 1 OR erased_at IS NOT NULL)`,
      userIds,
    );
    return new Map(
      rows.map(({ id, isBlocked }) => [id, isBlocked ? userBlocked() : tokenRevoked()]),
    );
  }

  /** Always queries the database, so that a removed right ends immediately. */
  async role(userId: number): Promise<Role> {
    const [row] = await this.#parts.db.query<{ is_admin: number; is_operator: number }>(
      'SELECT is_admin, is_operator FROM users WHERE id = $1 AND is_blocked = 0',
      [userId],
    );
    return row ? roleOf(row) : 'user';
  }

  /** Like `role`. */
  async isAdmin(userId: number): Promise<boolean> {
    return (await this.role(userId)) === 'admin';
  }

  /**
   * Gives a user a new role. It applies from the next call on, to all tokens and API keys.
   * @param by the role of the person who gives it
   * @throws `not_found`; `forbidden` for an operator who changes an admin or makes one, and for the last admin
   */
  async setRole(userId: number, role: Role, by: Role, act?: Act): Promise<void> {
    const columns = roleColumns(role);
    await this.#parts.db.transaction(async (tx) => {
      // Both lock the user's row, so that concurrent changes run one after the other.
      if (role !== 'admin') await keepAnAdmin(tx, userId);
      const [row] = await tx.query<{ is_admin: number; is_operator: number }>(
        `SELECT is_admin, is_operator FROM users WHERE id = $1 AND erased_at IS NULL${tx.forUpdate}`,
        [userId],
      );
      if (!row) throw noSuchUser();
      for (const subject of [roleOf(row), role]) requireRoleOver(by, subject);
      await tx.query('UPDATE users SET is_admin = $1, is_operator = $2 WHERE id = $3', [
        columns.is_admin,
        columns.is_operator,
        userId,
      ]);
      await act?.record(tx, { userId, before: { role: roleOf(row) }, after: { role } });
    });
    // A new operator may need a second factor.
    this.#parts.callers.drop(userId);
  }

  /**
   * Erases the data that identify a user: login, password, rights, API keys, tokens and known addresses. The row stays,
   * since the books refer to it. Erasing a user twice is harmless.
   * @param onErase runs first in the same transaction, to erase the data of other modules
   * @throws `not_found`; `forbidden` for the last admin
   */
  async erase(userId: number, onErase: (tx: Tx) => Promise<void>, act?: Act): Promise<void> {
    const now = this.#parts.clock.now();
    const login = erasedLogin(userId);
    await this.#parts.db.transaction(async (tx) => {
      await keepAnAdmin(tx, userId);
      // Before the user's row, in the same order of locks as sends. A change of the login blocks inserts that refer to
      // the user.
      await onErase(tx);
      const rows = await tx.query(
        `UPDATE users SET login = $1, login_folded = $2, password_hash = $3, is_admin = 0,
           is_operator = 0, token_epoch = token_epoch + 1, erased_at = COALESCE(erased_at, $4)
         WHERE id = $5 RETURNING id`,
        [login, foldLogin(login), unusablePasswordHash(), now, userId],
      );
      if (rows.length === 0) throw noSuchUser();
      await tx.query(
        `UPDATE api_keys SET name = '', tags = '', revoked_at = COALESCE(revoked_at, $1) WHERE user_id = $2`,
        [now, userId],
      );
      await tx.query('DELETE FROM known_addresses WHERE user_id = $1', [userId]);
      await tx.query('DELETE FROM sessions WHERE user_id = $1', [userId]);
      await deleteSecondFactor(tx, userId);
      await act?.record(tx, { userId });
    });
    this.#parts.callers.drop(userId);
  }
}

function noSuchUser(): DomainError {
  return new DomainError('not_found', 'this user does not exist');
}
