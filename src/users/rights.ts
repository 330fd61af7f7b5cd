import { DomainError } from '../lib/errors.ts';
import type { Caller } from './caller.ts';
import type { KeyScope } from './key-scopes.ts';

/**
 * What a request is about, and so which credentials will do:
 *
 *   password  changing an initial password, and logging out: all that a login with one may do
 *   chat      rooms, sends, histories and models
 *   account   everything else of the user's own
 *   admin     what is for admins; whether the user is one, the database tells
 */
export type Right = 'password' | 'chat' | 'account' | 'admin';

const rightsOf: Record<KeyScope, readonly Right[]> = {
  chat: ['chat'],
  full: ['chat', 'account', 'password'],
  admin: ['chat', 'account', 'password', 'admin'],
};

/** @throws `forbidden` when the credential is not for this, saying which one is */
export function checkRight({ credential }: Caller, right: Right): void {
  if (credential.kind === 'token') {
    if (!credential.mustChangePassword || right === 'password') return;
    throw new DomainError(
      'forbidden',
      'your password is an initial one: change it at /account/password/, then log in again',
    );
  }
  if (rightsOf[credential.scope].includes(right)) return;
  const wanted = right === 'admin' ? 'admin' : 'full';
  throw new DomainError(
    'forbidden',
    `this API key has the scope ${credential.scope}: use one of the scope ${wanted}, or a token of /auth/login/`,
  );
}
