import { DomainError } from '../lib/errors.ts';
import { keyScopes, type Caller, type KeyScope } from './caller.ts';

/** True if a key of the first scope may do everything that a key of the second may. */
export function covers(scope: KeyScope, other: KeyScope): boolean {
  return keyScopes.indexOf(scope) >= keyScopes.indexOf(other);
}

/**
 * The right that a request needs:
 *
 *   password  changing an initial password, and logging out: all that a login with an initial password may do
 *   chat      rooms, sends, histories and models
 *   account   everything else of the user's own
 *   admin     operations of admins; the database knows whether the user is one
 */
export type Right = 'password' | 'chat' | 'account' | 'admin';

const rightsOf: Record<KeyScope, readonly Right[]> = {
  chat: ['chat'],
  full: ['chat', 'account', 'password'],
  admin: ['chat', 'account', 'password', 'admin'],
};

/** @throws `forbidden` if the credential lacks the right, naming one that has it */
export function checkRight({ credential }: Caller, right: Right): void {
  if (credential.kind === 'token') {
    if (!credential.mustChangePassword || right === 'password') return;
    throw new DomainError(
      'forbidden',
      'your password is an initial one: change it with /account/password/, then log in again',
    );
  }
  if (rightsOf[credential.scope].includes(right)) return;
  const wanted = right === 'admin' ? 'admin' : 'full';
  throw new DomainError(
    'forbidden',
    `this API key has the scope ${credential.scope}: use a key with the scope ${wanted}, or a token from /auth/login/`,
  );
}
