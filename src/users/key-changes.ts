import type { Act } from '../audit/index.ts';
import type { Tx } from '../db/index.ts';
import { toUnixSeconds, toUnixSecondsOrNull } from '../lib/clock.ts';
import type { DomainError } from '../lib/errors.ts';
import type { KeyParts, KeyWrite, WantedApiKey } from './api-keys.ts';
import { checkExpiry, checkTags, keyRevoked, noSuchKey, requireLive } from './key-checks.ts';
import { newSecret } from './key-secret.ts';

export interface KeyChange {
  /** Null: never. */
  expiresAt?: number | null | undefined;
  tags?: readonly string[] | undefined;
  budget?: KeyWrite | undefined;
  act?: Act | undefined;
}

/** A key with a new secret, which is shown only once. */
export interface RotatedKey {
  id: string;
  key: string;
  oldUntil: number;
}

/** How long both secrets of a rotated key work by default. */
export const ROTATION_OVERLAP_MS = 24 * 3_600_000;

/** Changes of an API key after it was made. */
export class KeyChanges {
  readonly #parts: KeyParts;

  constructor(parts: KeyParts) {
    this.#parts = parts;
  }

  /**
   * Changes a key that is not revoked; absent fields stay as they are.
   * @throws `not_found`, also for a key of another user; `token_revoked`; `invalid_request` naming the field
   */
  async change(
    userId: number,
    id: string,
    { expiresAt, tags, budget, act }: KeyChange,
  ): Promise<void> {
    if (expiresAt !== undefined) checkExpiry(expiresAt, this.#parts.clock.now());
    const words = tags && checkTags(tags).join(' ');
    await this.#parts.db.transaction(async (tx) => {
      await budget?.lock(tx);
      const [before] = await tx.query<{ expiresAt: number | null; tags: string }>(
        `SELECT expires_at AS "expiresAt", tags FROM api_keys WHERE id = $1${tx.forUpdate}`,
        [id],
      );
      const rows = await tx.query<{ expiresAt: number | null; tags: string }>(
        `UPDATE api_keys SET tags = COALESCE(CAST($1 AS TEXT), tags),
           expires_at = CASE WHEN $2 = 1 THEN CAST($3 AS BIGINT) ELSE expires_at END
         WHERE id = $4 AND user_id = $5 AND revoked_at IS NULL
         RETURNING expires_at AS "expiresAt", tags`,
        [words ?? null, expiresAt === undefined ? 0 : 1, expiresAt ?? null, id, userId],
      );
      const [after] = rows;
      if (!after) throw await this.#whyNot(tx, userId, id);
      const limits = await budget?.write(tx, id);
      await act?.record(tx, {
        userId,
        subject: id,
        before: before && { ...valuesOf(before), ...limits?.before },
        after: { ...valuesOf(after), ...limits?.after },
      });
    });
    this.#parts.callers.drop(userId);
    this.#parts.security.done('key_changed', { user: userId, key: id });
  }

  /**
   * Gives a key a new secret. The current one works until `oldUntil`; one from an earlier rotation stops working. Id,
   * rights, limits and usage stay.
   * @param oldUntil in the past: the current secret ends at once
   * @param createdWith the calling user's credential; absent if somebody else rotates the key
   * @throws `not_found`, also for a key of another user; `token_revoked`; `token_revoked` or `user_blocked` if the
   * credential is no longer valid
   */
  async rotate(
    userId: number,
    id: string,
    {
      oldUntil,
      createdWith,
      act,
    }: Pick<WantedApiKey, 'createdWith' | 'act'> & { oldUntil: number },
  ): Promise<RotatedKey> {
    const { key, digest, hint } = newSecret(id);
    await this.#parts.db.transaction(async (tx) => {
      if (createdWith) {
        const [user] = await tx.query<{ isBlocked: number; epoch: number }>(
          `SELECT is_blocked AS "isBlocked", token_epoch AS epoch FROM users
           WHERE id = $1${tx.forUpdate}`,
          [userId],
        );
        if (user) await requireLive(tx, createdWith, user);
      }
      const rows = await tx.query(
        `UPDATE api_keys SET old_digest = digest, old_hint = hint, old_until = $1, digest = $2,
           hint = $3
         WHERE id = $4 AND user_id = $5 AND revoked_at IS NULL RETURNING id`,
        [oldUntil, digest, hint, id, userId],
      );
      if (rows.length === 0) throw await this.#whyNot(tx, userId, id);
      const after = { old_until: toUnixSeconds(oldUntil) };
      await act?.record(tx, { userId, subject: id, after });
    });
    this.#parts.callers.drop(userId);
    this.#parts.security.done('key_rotated', { user: userId, key: id, old_until: oldUntil });
    return { id, key, oldUntil };
  }

  /** The error for a key that can't be changed. */
  async #whyNot(tx: Tx, userId: number, id: string): Promise<DomainError> {
    const found = await tx.query('SELECT id FROM api_keys WHERE id = $1 AND user_id = $2', [
      id,
      userId,
    ]);
    return found.length > 0 ? keyRevoked() : noSuchKey();
  }
}

/** The expiry and the tags, for the audit. */
function valuesOf({ expiresAt, tags }: { expiresAt: number | null; tags: string }) {
  return { expires_at: toUnixSecondsOrNull(expiresAt), tags };
}
