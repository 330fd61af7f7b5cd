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
