import { DomainError } from '../lib/errors.ts';

/** The scopes of API keys, each including those before it. */
export const keyScopes = ['chat', 'full', 'admin'] as const;

/** `chat`: only chats. `full`: everything that its user may do, except admin operations. `admin`: these too. */
export type KeyScope = (typeof keyScopes)[number];

/** The user who sends a request, by its credential. It does not say what the user may do: the database does. */
export interface Caller {
  userId: number;
  login: string;
  credential: TokenCredential | KeyCredential;
}

/** The facts of a token that decide whether it is still valid. */
export interface TokenFacts {
  jti: string;
  /** Milliseconds since 1970. */
  expiresAt: number;
  /** When the user logged in: milliseconds since 1970. Refreshing does not change it. */
  startedAt: number;
  /** The user's `token_epoch` when the token was issued; a later one ends the token. */
  epoch: number;
}

export interface TokenCredential extends TokenFacts {
  kind: 'token';
  /** The password is an initial one, and the token is valid only for changing it. */
  mustChangePassword: boolean;
}

export interface KeyCredential {
  kind: 'key';
  keyId: string;
  scope: KeyScope;
}

/** A caller, and when the credential expires. */
export interface Session {
  caller: Caller;
  /** Milliseconds since 1970; null: never. */
  expiresAt: number | null;
}

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
