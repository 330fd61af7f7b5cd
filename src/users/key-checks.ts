import type { Tx } from '../db/index.ts';
import { toUnixSeconds } from '../lib/clock.ts';
import { DomainError, invalidField } from '../lib/errors.ts';
import type { Caller } from './caller.ts';
import { tokenRevoked, userBlocked } from './tokens.ts';

/** The most characters (code points) of a key's name. */
export const API_KEY_NAME_CHARACTERS_MAX = 100;
export const API_KEY_TAGS_MAX = 10;
/** A tag: letters and digits of any script, and some signs. */
export const apiKeyTagPattern = /^[\p{L}\p{N}._:/-]{1,32}$/u;
/** The latest time that a `Date` can represent. */
const TIME_MAX_MS = 8_640_000_000_000_000;

export function noSuchKey(): DomainError {
  return new DomainError('not_found', 'this API key does not exist');
}

const ANOTHER_KEY = 'use another one, or create one with /account/keys/ or `zastava key create`';

export function invalidKey(): DomainError {
  return new DomainError('invalid_token', 'this API key is not valid; check that it is complete');
}

export function keyRevoked(): DomainError {
  return new DomainError('token_revoked', `this API key was revoked; ${ANOTHER_KEY}`);
}

export function keyExpired(): DomainError {
  return new DomainError('token_expired', `this API key has expired; ${ANOTHER_KEY}`);
}

/** The secret from before a rotation. */
export function oldSecretEnded(): DomainError {
  return new DomainError(
    'token_expired',
    'this API key was rotated, and its former secret has ended: use the new one',
  );
}

/** Visible characters: letters, digits, signs and emoji, but no spaces, fillers or joiners. */
const visible = /[[\p{L}\p{N}\p{P}\p{S}]--\p{Default_Ignorable_Code_Point}]/v;

/**
 * Checks in the database that a credential is still valid. The cache may be a few seconds old, and a credential that
 * was ended on another node (by a password change, a logout, a revocation) must not create a key that outlives it.
 */
export async function requireLive(
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

export function checkName(name: string): void {
  const length = Array.from(name).length;
  if (length === 0 || length > API_KEY_NAME_CHARACTERS_MAX || /[\p{Cc}\p{Cs}]/u.test(name)) {
    throw invalidField(
      'name',
      `must be 1 to ${API_KEY_NAME_CHARACTERS_MAX} characters without control characters`,
    );
  }
  if (!visible.test(name)) throw invalidField('name', 'must have a visible character');
}

export function checkExpiry(expiresAt: number | null, now: number): void {
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

/** @returns the tags without duplicates */
export function checkTags(tags: readonly string[]): string[] {
  const distinct = [...new Set(tags)];
  if (distinct.length > API_KEY_TAGS_MAX || !distinct.every((tag) => apiKeyTagPattern.test(tag))) {
    throw invalidField(
      'tags',
      `must be at most ${API_KEY_TAGS_MAX} words of 1 to 32 letters, digits, ".", "_", ":", "/" or "-"`,
    );
  }
  return distinct;
}
