import type { KeyScope } from './key-scopes.ts';

/** The user who sends a request, by its credential. It does not say what the user may do: the database does. */
export interface Caller {
  userId: number;
  login: string;
  credential: TokenCredential | KeyCredential;
}

export interface TokenCredential {
  kind: 'token';
  jti: string;
  /** Milliseconds since 1970. */
  expiresAt: number;
  /** When the user logged in: milliseconds since 1970. Refreshing does not change it. */
  startedAt: number;
  /** The user's `token_epoch` when the token was issued; a later one ends the token. */
  epoch: number;
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
