import type { Database } from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';
import { DomainError } from '../lib/errors.ts';
import type { Caller } from './caller.ts';
import type { PasswordCheck } from './password-check.ts';
import { continueSession } from './sessions.ts';
import { type IssuedToken, tokenRevoked, type Tokens } from './tokens.ts';

export interface Confirmation {
  password: string;
  /** The code, for a user who has a second factor. */
  code?: string | undefined;
  /** The client's IP address. */
  address: string;
  /** The lifetime of the new token. */
  ttlSeconds: number;
}

/**
 * Asks for the password of a page's session again, and continues the session with a new token. Attempts to guess it are
 * throttled like logins.
 * @throws `wrong_credentials`, `code_required`, `code_invalid`, `token_revoked`, `too_many_attempts`, `overloaded`;
 * `forbidden` with another credential
 */
export async function confirmSession(
  { db, clock, tokens }: { db: Database; clock: Clock; tokens: Tokens },
  check: PasswordCheck,
  { userId, login, credential }: Caller,
  { password, code, address, ttlSeconds }: Confirmation,
): Promise<IssuedToken> {
  if (credential.kind !== 'token' || credential.audience !== 'page') {
    throw new DomainError('forbidden', 'only the web page is asked for the password again');
  }
  const { jti, startedAt, epoch, audience } = credential;
  const { tokenEpoch } = await check.run(
    { login, password, code, address },
    'confirmation_refused',
  );
  if (tokenEpoch !== epoch) throw tokenRevoked();
  const confirmedAt = clock.now();
  const options = { audience, ttlSeconds, startedAt, confirmedAt, jti };
  const issued = await tokens.issue(userId, epoch, options);
  await db.transaction((tx) => continueSession(tx, userId, jti, issued));
  return issued;
}
