import type { Clock } from '../../lib/clock.ts';
import { DomainError } from '../../lib/errors.ts';
import type { Caller } from '../../users/index.ts';

/** Long enough to repeat a call after giving the password, too short for a screen that was left open. */
export const CONFIRMED_JUST_NOW_SECONDS = 60;
/** For frequent actions, the password is asked for less often. */
export const CONFIRMED_LATELY_SECONDS = 15 * 60;

/**
 * Asks for the password again in a session of the web page: somebody else may sit at the screen. Tokens and keys of
 * programs are not asked, since no person is there.
 * @throws `password_required` if it was given longer ago
 */
export function requirePassword({ credential }: Caller, clock: Clock, withinSeconds: number): void {
  if (credential.kind !== 'token' || credential.audience !== 'page') return;
  if (clock.now() - credential.confirmedAt <= withinSeconds * 1000) return;
  throw new DomainError(
    'password_required',
    'give your password again with /auth/session/confirm/, then repeat the request',
  );
}
