import type { KeyScope } from './key-scopes.ts';

/** Who sends a request, as its credential proves. Rights are asked of the database, not read from here. */
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
  /** When its user logged in: milliseconds since 1970. Refreshing does not change it. */
  startedAt: number;
  /** The user's `token_epoch` that the token was issued in; a later one ends it. */
  epoch: number;
  /** The password is an initial one, and this token is good only for changing it. */
  mustChangePassword: boolean;
}

export interface KeyCredential {
  kind: 'key';
  keyId: string;
  scope: KeyScope;
}

/** A caller, and until when the credential itself lasts. */
export interface Session {
  caller: Caller;
  /** Milliseconds since 1970; null lasts until it is revoked. */
  expiresAt: number | null;
}
