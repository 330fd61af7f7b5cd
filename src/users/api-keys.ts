import type { Act, ActFacts } from '../audit/index.ts';
import { prepareInsert, tables, type Database, type Tx } from '../db/index.ts';
import { toUnixSecondsOrNull, type Clock } from '../lib/clock.ts';
import { DomainError, invalidField } from '../lib/errors.ts';
import { randomHex } from '../lib/ids.ts';
import type { Caller, KeyScope, Session } from './caller.ts';
import type { CallerCache } from './caller-cache.ts';
import { mayHaveScope, requireRoleOver, roleOf, widestScope, type Role } from './roles.ts';
import { idOfKey, isDigest, newSecret } from './key-secret.ts';
import type { SecurityLog } from './security-log.ts';
import {
  checkExpiry,
  checkName,
  checkTags,
  invalidKey,
  keyExpired,
  keyRevoked,
  noSuchKey,
  oldSecretEnded,
  requireLive,
} from './key-checks.ts';
import { userBlocked } from './tokens.ts';

/** The most keys of a user that are not revoked. */
export const API_KEYS_MAX = 100;

const ID_BYTES = 8;

const insertKey = prepareInsert(tables.api_keys);

/** An API key without its secret. */
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
  /** Words with which people group keys. */
  tags: string[];
  /** The last characters of the secret before the last rotation, and when it expires; null if there is none. */
  oldHint: string | null;
  oldUntil: number | null;
}

export interface NewApiKey extends Pick<
  ApiKey,
  'id' | 'name' | 'createdAt' | 'expiresAt' | 'scope' | 'tags'
> {
  /** The key itself. Only its digest is stored, so it is shown only once. */
  key: string;
}

export interface WantedApiKey {
  name: string;
  /** In the future; null or absent: never. */
  expiresAt?: number | null | undefined;
  /** By default, everything that its user may do. */
  scope?: KeyScope | undefined;
  /** The credential of the user who creates the key; absent if somebody else does, e.g. an operator. */
  createdWith?: Caller['credential'] | undefined;
  tags?: readonly string[] | undefined;
  /** Limits that are written together with the key. */
  budget?: KeyWrite | undefined;
  /** The role of the person who creates a key for another user; absent: it is not checked. */
  by?: Role | undefined;
  act?: Act | undefined;
}

/** What is written together with a key, in one transaction. */
export interface KeyWrite {
  /** Runs first, to take locks that come before those of other rows of the user. */
  lock: (tx: Tx) => Promise<void>;
  /** @returns the changes, for the audit */
  write: (tx: Tx, keyId: string) => Promise<Pick<ActFacts, 'before' | 'after'>>;
}

interface KeyOwner {
  is_admin: number;
  is_operator: number;
  isBlocked: number;
  epoch: number;
}

export interface KeyParts {
  db: Database;
  clock: Clock;
  callers: CallerCache;
  security: SecurityLog;
}

/** Long-lived credentials for programs: `zk_<id>_<secret>`. */
export class ApiKeys {
  readonly #parts: KeyParts;

  constructor(parts: KeyParts) {
    this.#parts = parts;
  }

  /**
   * @throws `not_found` if the user does not exist, `invalid_request` naming `name`, `expires_at` or `scope`;
   * `token_revoked` or `user_blocked` if the credential in `createdWith` is no longer valid; `forbidden` if an operator
   * in `by` creates a key for an admin
   */
  async create(userId: number, input: WantedApiKey): Promise<NewApiKey> {
    const { name } = input;
    const now = this.#parts.clock.now();
    const expiresAt = input.expiresAt ?? null;
    checkName(name);
    checkExpiry(expiresAt, now);
    const tags = checkTags(input.tags ?? []);
    const id = randomHex(ID_BYTES);
    const { key, digest, hint } = newSecret(id);
    const scope = await this.#parts.db.transaction(async (tx) => {
      await input.budget?.lock(tx);
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
        digest,
        hint,
        created_at: now,
        expires_at: expiresAt,
        revoked_at: null,
        scope: allowed,
        tags: tags.join(' '),
        old_digest: null,
        old_hint: null,
        old_until: null,
      };
      await insertKey(tx, [row]);
      const limits = await input.budget?.write(tx, id);
      const after = {
        scope: allowed,
        expires_at: toUnixSecondsOrNull(expiresAt),
        tags: row.tags,
        ...limits?.after,
      };
      await input.act?.record(tx, { userId, subject: id, after });
      return allowed;
    });
    this.#parts.security.done('key_made', { user: userId, key: id, scope, expires_at: expiresAt });
    return { id, key, name, createdAt: now, expiresAt, scope, tags };
  }

  /** All keys of a user, including revoked and expired ones, oldest first. */
  async list(userId: number): Promise<ApiKey[]> {
    const rows = await this.#parts.db.query<ApiKeyRow>(
      `SELECT ${keyColumns} FROM api_keys WHERE user_id = $1 ORDER BY created_at, id`,
      [userId],
    );
    return rows.map(toKey);
  }

  /**
   * Revokes a key. Revoking it twice is harmless.
   * @param userId the user who must own the key; absent: any user
   * @throws `not_found`, also for a key of another user
   */
  async revoke(id: string, userId?: number, act?: Act): Promise<void> {
    const row = await this.#parts.db.transaction(async (tx) => {
      const [revoked] = await tx.query<{ userId: number }>(
        `UPDATE api_keys SET revoked_at = COALESCE(revoked_at, $1)
         WHERE id = $2 AND user_id = COALESCE(CAST($3 AS BIGINT), user_id)
         RETURNING user_id AS "userId"`,
        [this.#parts.clock.now(), id, userId ?? null],
      );
      if (revoked) await act?.record(tx, { userId: revoked.userId, subject: id });
      return revoked;
    });
    if (!row) throw noSuchKey();
    this.#parts.callers.drop(row.userId);
    this.#parts.security.done('key_revoked', { user: row.userId, key: id });
  }

  /** A key of any user, with its user. @throws `not_found` */
  async get(id: string): Promise<ApiKey & { userId: number }> {
    const [row] = await this.#parts.db.query<ApiKeyRow & { userId: number }>(
      `SELECT ${keyColumns}, user_id AS "userId" FROM api_keys WHERE id = $1`,
      [id],
    );
    if (!row) throw noSuchKey();
    return { ...toKey(row), userId: row.userId };
  }

  /** @throws `invalid_token`, `token_revoked`, `token_expired`, `user_blocked` */
  async authenticate(key: string): Promise<Session> {
    const keyId = idOfKey(key);
    if (keyId === undefined) throw invalidKey();
    const [row] = await this.#parts.db.query<{
      userId: number;
      login: string;
      isBlocked: number;
      digest: string;
      oldDigest: string | null;
      oldUntil: number | null;
      expiresAt: number | null;
      revokedAt: number | null;
      scope: KeyScope;
    }>(
      `SELECT k.user_id AS "userId", u.login, u.is_blocked AS "isBlocked", k.digest,
         k.old_digest AS "oldDigest", k.old_until AS "oldUntil", k.expires_at AS "expiresAt", k.revoked_at AS "revokedAt", k.scope
       FROM api_keys k JOIN users u ON u.id = k.user_id WHERE k.id = $1`,
      [keyId],
    );
    const isOld = row !== undefined && isDigest(key, row.oldDigest);
    if (!row || !(isOld || isDigest(key, row.digest))) throw invalidKey();
    if (row.revokedAt !== null) throw keyRevoked();
    const now = this.#parts.clock.now();
    if (row.expiresAt !== null && now >= row.expiresAt) throw keyExpired();
    if (isOld && now >= (row.oldUntil ?? 0)) throw oldSecretEnded();
    if (row.isBlocked === 1) throw userBlocked();
    const { userId, login, scope } = row;
    const ends = [row.expiresAt, isOld ? row.oldUntil : null].filter((end) => end !== null);
    const expiresAt = ends.length > 0 ? Math.min(...ends) : null;
    return { caller: { userId, login, credential: { kind: 'key', keyId, scope } }, expiresAt };
  }
}

interface ApiKeyRow extends Omit<ApiKey, 'tags'> {
  tags: string;
}

const keyColumns = `id, name, hint, created_at AS "createdAt", expires_at AS "expiresAt",
  revoked_at AS "revokedAt", scope, tags, old_hint AS "oldHint", old_until AS "oldUntil"`;

function toKey({ tags, ...row }: ApiKeyRow): ApiKey {
  return { ...row, tags: tags === '' ? [] : tags.split(' ') };
}
