import { timingSafeEqual } from 'node:crypto';
import type { Act } from '../audit/index.ts';
import { prepareInsert, tables, type Database, type Tx } from '../db/index.ts';
import { toUnixSeconds, toUnixSecondsOrNull, type Clock } from '../lib/clock.ts';
import { DomainError, invalidField } from '../lib/errors.ts';
import { randomHex, sha256Hex } from '../lib/ids.ts';
import type { Caller, KeyScope, Session } from './caller.ts';
import type { CallerCache } from './caller-cache.ts';
import { mayHaveScope, requireRoleOver, roleOf, widestScope, type Role } from './roles.ts';
import type { SecurityLog } from './security-log.ts';
import { tokenRevoked, userBlocked } from './tokens.ts';

/** The most keys of a user that are not revoked. */
export const API_KEYS_MAX = 100;
/** The most characters (code points) of a key's name. */
export const API_KEY_NAME_CHARACTERS_MAX = 100;

export const API_KEY_PREFIX = 'zk_';
const ID_BYTES = 8;
const SECRET_BYTES = 32;
const HINT_CHARACTERS = 4;
/** The latest time that a `Date` can represent. */
const TIME_MAX_MS = 8_640_000_000_000_000;
const keyPattern = /^zk_([0-9a-f]{16})_[0-9a-f]{64}$/;

const insertKey = prepareInsert(tables.api_keys);

/** An API key without its secret. Times are milliseconds since 1970. */
export interface ApiKey {
  id: string;
  name: string;
  /** The last characters, by which people recognise the key. */
  hint: string;
  createdAt: number;
  /** Null: never. */
  expiresAt: number | null;
  revokedAt: number | null;
  scope: KeyScope;
}

export interface NewApiKey extends Omit<ApiKey, 'hint' | 'revokedAt'> {
  /** The key itself. Only its digest is stored, so it is shown only once. */
  key: string;
}

export interface WantedApiKey {
  name: string;
  /** Milliseconds since 1970, in the future; null or absent: never. */
  expiresAt?: number | null | undefined;
  /** By default, everything that its user may do. */
  scope?: KeyScope | undefined;
  /** The credential of the user who creates the key; absent if somebody else does, e.g. an operator. */
  createdWith?: Caller['credential'] | undefined;
  /** The role of whoever creates the key of another user; absent: it is not checked. */
  by?: Role | undefined;
  /** The act of an operator, to be recorded. */
  act?: Act | undefined;
}

interface KeyOwner {
  is_admin: number;
  is_operator: number;
  isBlocked: number;
  epoch: number;
}

/** Long-lived credentials for programs: `zk_<id>_<secret>`. */
export class ApiKeys {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #callers: CallerCache;
  readonly #security: SecurityLog;

  constructor(parts: { db: Database; clock: Clock; callers: CallerCache; security: SecurityLog }) {
    this.#db = parts.db;
    this.#clock = parts.clock;
    this.#callers = parts.callers;
    this.#security = parts.security;
  }

  /**
   * @throws `not_found` if the user does not exist, `invalid_request` naming `name`, `expires_at` or `scope`;
   *   `token_revoked` or `user_blocked` if the credential in `createdWith` has ended; `forbidden` if an operator in `by`
   *   creates a key of an admin
   */
  async create(userId: number, input: WantedApiKey): Promise<NewApiKey> {
    const { name } = input;
    const now = this.#clock.now();
    const expiresAt = input.expiresAt ?? null;
    checkName(name);
    checkExpiry(expiresAt, now);
    const id = randomHex(ID_BYTES);
    const key = `${API_KEY_PREFIX}${id}_${randomHex(SECRET_BYTES)}`;
    const scope = await this.#db.transaction(async (tx) => {
      // The lock makes the count of keys exact.
      const [user] = await tx.query<KeyOwner>(
        `SELECT is_admin, is_operator, is_blocked AS "isBlocked", token_epoch AS epoch
         FROM users WHERE id = $1 AND erased_at IS NULL${tx.forUpdate}`,
        [userId],
      );
      if (!user) throw new DomainError('not_found', 'this user does not exist');
      if (input.createdWith) await requireLive(tx, input.createdWith, user);
      const role = roleOf(user);
      if (input.by) requireRoleOver(input.by, role);
      const allowed = input.scope ?? widestScope(role);
      if (!mayHaveScope(role, allowed)) {
        const owners = allowed === 'admin' ? 'admins' : 'operators and admins';
        throw invalidField('scope', `${allowed} is only for keys of ${owners}; use full`);
      }
      const [counted] = await tx.query<{ n: number }>(
        'SELECT COUNT(*) AS n FROM api_keys WHERE user_id = $1 AND revoked_at IS NULL',
        [userId],
      );
      if ((counted?.n ?? 0) >= API_KEYS_MAX) {
        throw invalidField('name', `the user has ${API_KEYS_MAX} keys already; revoke one first`);
      }
      const row = {
        user_id: userId,
        id,
        name,
        digest: sha256Hex(key),
        hint: key.slice(-HINT_CHARACTERS),
        created_at: now,
        expires_at: expiresAt,
        revoked_at: null,
        scope: allowed,
      };
      await insertKey(tx, [row]);
      const after = { scope: allowed, expires_at: toUnixSecondsOrNull(expiresAt) };
      await input.act?.record(tx, { userId, subject: id, after });
      return allowed;
    });
    this.#security.done('key_made', { user: userId, key: id, scope, expires_at: expiresAt });
    return { id, key, name, createdAt: now, expiresAt, scope };
  }

  /** All keys of a user, including revoked and expired ones, oldest first. */
  async list(userId: number): Promise<ApiKey[]> {
    return this.#db.query<ApiKey>(
      `SELECT id, name, hint, created_at AS "createdAt", expires_at AS "expiresAt",
         revoked_at AS "revokedAt", scope
       FROM api_keys WHERE user_id = $1 ORDER BY created_at, id`,
      [userId],
    );
  }

  /**
   * Revokes a key. Revoking it twice is harmless.
   * @param userId the user who must own the key; absent: any user
   * @param act of an operator, to be recorded
   * @throws `not_found`, also for a key of another user
   */
  async revoke(id: string, userId?: number, act?: Act): Promise<void> {
    const row = await this.#db.transaction(async (tx) => {
      const [revoked] = await tx.query<{ userId: number }>(
        `UPDATE api_keys SET revoked_at = COALESCE(revoked_at, $1)
         WHERE id = $2 AND user_id = COALESCE(CAST($3 AS BIGINT), user_id)
         RETURNING user_id AS "userId"`,
        [this.#clock.now(), id, userId ?? null],
      );
      if (revoked) await act?.record(tx, { userId: revoked.userId, subject: id });
      return revoked;
    });
    if (!row) throw noSuchKey();
    this.#callers.drop(row.userId);
    this.#security.done('key_revoked', { user: row.userId, key: id });
  }

  /** The user of a key. @throws `not_found` */
  async ownerOf(id: string): Promise<number> {
    const [row] = await this.#db.query<{ userId: number }>(
      'SELECT user_id AS "userId" FROM api_keys WHERE id = $1',
      [id],
    );
    if (!row) throw noSuchKey();
    return row.userId;
  }

  /** @throws `invalid_token`, `token_revoked`, `token_expired`, `user_blocked` */
  async authenticate(key: string): Promise<Session> {
    const keyId = keyPattern.exec(key)?.[1];
    if (keyId === undefined) throw invalidKey();
    const [row] = await this.#db.query<{
      userId: number;
      login: string;
      isBlocked: number;
      digest: string;
      expiresAt: number | null;
      revokedAt: number | null;
      scope: KeyScope;
    }>(
      `SELECT k.user_id AS "userId", u.login, u.is_blocked AS "isBlocked", k.digest,
         k.expires_at AS "expiresAt", k.revoked_at AS "revokedAt", k.scope
       FROM api_keys k JOIN users u ON u.id = k.user_id WHERE k.id = $1`,
      [keyId],
    );
    const digest = Buffer.from(sha256Hex(key));
    if (!row || !timingSafeEqual(Buffer.from(row.digest), digest)) throw invalidKey();
    if (row.revokedAt !== null) throw keyRevoked();
    if (row.expiresAt !== null && this.#clock.now() >= row.expiresAt) throw keyExpired();
    if (row.isBlocked === 1) throw userBlocked();
    const { userId, login, scope, expiresAt } = row;
    return { caller: { userId, login, credential: { kind: 'key', keyId, scope } }, expiresAt };
  }
}

function noSuchKey(): DomainError {
  return new DomainError('not_found', 'this API key does not exist');
}

const ANOTHER_KEY = 'use another one, or create one with /account/keys/ or `zastava key create`';

function invalidKey(): DomainError {
  return new DomainError('invalid_token', 'this API key is not valid; check that it is complete');
}

function keyRevoked(): DomainError {
  return new DomainError('token_revoked', `this API key was revoked; ${ANOTHER_KEY}`);
}

function keyExpired(): DomainError {
  return new DomainError('token_expired', `this API key has expired; ${ANOTHER_KEY}`);
}

/** Visible characters: letters, digits, signs and emoji, but no spaces, fillers or joiners. */
const visible = /[[\p{L}\p{N}\p{P}\p{S}]--\p{Default_Ignorable_Code_Point}]/v;

/**
 * Checks in the database that a credential is still valid. The cache may be some seconds old, and a credential that has
 * ended on another node (by a password change, a logout, a revocation) must not create a key that outlives it.
 */
async function requireLive(
  tx: Tx,
  credential: Caller['credential'],
  user: { isBlocked: number; epoch: number },
): Promise<void> {
  if (user.isBlocked === 1) throw userBlocked();
  if (credential.kind === 'token' && credential.epoch !== user.epoch) throw tokenRevoked();
  const [ended] =
    credential.kind === 'token'
      ? await tx.query('SELECT jti FROM revoked_tokens WHERE jti = $1', [credential.jti])
      : await tx.query('SELECT id FROM api_keys WHERE id = $1 AND revoked_at IS NOT NULL', [
          credential.keyId,
        ]);
  if (ended) throw credential.kind === 'token' ? tokenRevoked() : keyRevoked();
}

function checkName(name: string): void {
  const length = Array.from(name).length;
  if (length === 0 || length > API_KEY_NAME_CHARACTERS_MAX || /[\p{Cc}\p{Cs}]/u.test(name)) {
    throw invalidField(
      'name',
      `must be 1 to ${API_KEY_NAME_CHARACTERS_MAX} characters without control characters`,
    );
  }
  if (!visible.test(name)) throw invalidField('name', 'must have a visible character');
}

function checkExpiry(expiresAt: number | null, now: number): void {
  if (expiresAt === null) return;
  if (!(Number.isInteger(expiresAt) && expiresAt > now)) {
    throw invalidField('expires_at', 'must be in the future');
  }
  if (expiresAt > TIME_MAX_MS) {
    throw invalidField(
      'expires_at',
      `must be at most ${toUnixSeconds(TIME_MAX_MS)}, in the year 275760`,
    );
  }
}
