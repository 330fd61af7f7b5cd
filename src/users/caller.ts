import { DomainError } from '../lib/errors.ts';

export const keyScopes = ['chat', 'trust', 'credit', 'full', 'operator', 'admin'] as const;

/**
 * What a key may do, if its user may:
 *
 *   chat      only chats
 *   trust     only trust checks, and reading the user's own balance and usage
 *   credit    only top-ups, each with an idempotency key
 *   full      everything of its user's own
 *   operator  also operations of operators
 *   admin     also those of admins
 */
export type KeyScope = (typeof keyScopes)[number];

/**
 * The user who sends a request, according to its credential. It does not say what the user may do: the database does.
 */
export interface Caller {
  userId: number;
  login: string;
  credential: TokenCredential | KeyCredential;
}

/**
 * Which interface accepts a token: the operations, as a bearer token or as the cookie of the web page, or the cookie
 * interface.
 */
export type Audience = 'api' | 'page' | 'cookie';

/** The facts of a token that decide whether it is still valid. */
export interface TokenFacts {
  jti: string;
  expiresAt: number;
  /** When the user logged in: milliseconds since 1970. Refreshing does not change it. */
  startedAt: number;
  /** When the user last gave the password, in milliseconds since 1970. */
  confirmedAt: number;
  audience: Audience;
  /** The user's `token_epoch` when the token was issued; a later one ends the token. */
  epoch: number;
}

export interface TokenCredential extends TokenFacts {
  kind: 'token';
  /** The password is an initial one, and the token is valid only for changing it. */
  mustChangePassword: boolean;
  /** The user's role needs a second factor that the user lacks; the token is valid only for setting one up. */
  mustSetUpSecondFactor: boolean;
}

export interface KeyCredential {
  kind: 'key';
  keyId: string;
  scope: KeyScope;
}

/** The API key that a caller uses; undefined with a token. */
export function keyIdOf({ credential }: Caller): string | undefined {
  return credential.kind === 'key' ? credential.keyId : undefined;
}

/** A caller, and when the credential expires. */
export interface Session {
  caller: Caller;
  /** Null: never. */
  expiresAt: number | null;
}

/**
 * The right that a request needs:
 *
 *   password       changing an initial password, and logging out: all that a login with an initial password may do
 *   second_factor  setting up a second factor: with `password`, all that an operator or admin may do who must have one
 *   chat           rooms, sends, histories and models
 *   trust          trust checks, and reading the user's own balance and usage
 *   account        everything else of the user's own
 *   credit         topping up; the database knows whether the user is an operator
 *   operator       other operations of operators; likewise
 *   admin          operations of admins; likewise
 */
export type Right =
  'password' | 'second_factor' | 'chat' | 'trust' | 'account' | 'credit' | 'operator' | 'admin';

const ownRights = ['chat', 'trust', 'account', 'password', 'second_factor'] as const;

const rightsOf: Record<KeyScope, readonly Right[]> = {
  chat: ['chat'],
  trust: ['trust'],
  credit: ['credit'],
  full: ownRights,
  operator: [...ownRights, 'credit', 'operator'],
  admin: [...ownRights, 'credit', 'operator', 'admin'],
};

/** True if a key of the first scope may do everything that a key of the second may. */
export function covers(scope: KeyScope, other: KeyScope): boolean {
  return rightsOf[other].every((right) => rightsOf[scope].includes(right));
}

/** The scopes that have a right, the narrowest first. */
export function scopesWith(right: Right): KeyScope[] {
  return keyScopes.filter((scope) => rightsOf[scope].includes(right));
}

/** @throws `forbidden` if the credential lacks the right, naming one that has it */
export function checkRight({ credential }: Caller, right: Right): void {
  if (credential.kind === 'token') return checkRightOfToken(credential, right);
  if (rightsOf[credential.scope].includes(right)) return;
  // The narrowest scope with the right that the page also offers.
  const wanted = right === 'chat' || right === 'trust' ? 'full' : scopesWith(right)[0];
  throw new DomainError(
    'forbidden',
    `this API key has the scope ${credential.scope}: use a key with the scope ${wanted}, or a token from /auth/login/`,
  );
}

function checkRightOfToken(credential: TokenCredential, right: Right): void {
  if (right === 'password') return;
  if (credential.mustChangePassword) {
    throw new DomainError(
      'forbidden',
      'your password is an initial one: change it with /account/password/, then log in again',
    );
  }
  if (!credential.mustSetUpSecondFactor || right === 'second_factor') return;
  throw new DomainError(
    'forbidden',
    'your role needs a second factor: set it up on the web page, or with /account/second-factor/begin/',
  );
}
