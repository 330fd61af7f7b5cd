/** The scopes of API keys, each including those before it. */
export const keyScopes = ['chat', 'full', 'admin'] as const;

/** `chat`: only chats. `full`: everything that its user may do, except admin operations. `admin`: these too. */
export type KeyScope = (typeof keyScopes)[number];

/** True if a key of the first scope may do everything that a key of the second may. */
export function covers(scope: KeyScope, other: KeyScope): boolean {
  return keyScopes.indexOf(scope) >= keyScopes.indexOf(other);
}
