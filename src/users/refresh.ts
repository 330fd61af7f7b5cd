import { DomainError } from '../lib/errors.ts';
import type { Caller, TokenCredential } from './caller.ts';
import { continueSession, type SessionsParts } from './sessions.ts';
import { tokenExpired, tokenRevoked, userBlocked, type IssuedToken } from './tokens.ts';

/**
 * Replaces the caller's token with a new one. Of concurrent calls, one succeeds. The session keeps its beginning and
 * its end, and no token outlasts it.
 * @throws `token_revoked`, `token_expired`, `user_blocked`; `forbidden` with an API key
 */
export async function refreshSession(
  { db, clock, tokens, callers, security }: SessionsParts,
  caller: Caller,
): Promise<IssuedToken> {
  const { jti, expiresAt, startedAt, epoch } = tokenOf(caller);
  const { userId, login } = caller;
  if (clock.now() >= expiresAt) throw tokenExpired();
  // Uses the old token's epoch, so that a password change after the check ends the new token too.
  const issued = await tokens.issue(userId, epoch, { startedAt });
  await db.transaction(async (tx) => {
    // Not from the cache: a token that was ended by a password change must not be replaced.
    const [user] = await tx.query<{ epoch: number; isBlocked: number }>(
      'SELECT token_epoch AS epoch, is_blocked AS "isBlocked" FROM users WHERE id = $1',
      [userId],
    );
    if (user?.isBlocked === 1) throw userBlocked();
    if (user?.epoch !== epoch) throw tokenRevoked();
    if (!(await tokens.revoke(tx, { jti, userId, expiresAt }))) throw tokenRevoked();
    await continueSession(tx, userId, jti, issued);
  });
  callers.drop(userId);
  security.done('token_refreshed', { user: userId, login });
  return issued;
}

/** @throws `forbidden` with an API key */
export function tokenOf(caller: Caller): TokenCredential {
  if (caller.credential.kind === 'token') return caller.credential;
  throw new DomainError(
    'forbidden',
    'an API key has no session: log in to use this, or revoke the key',
  );
}
