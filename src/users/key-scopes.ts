/** From the least to the most that an API key may do. */
export const keyScopes = ['chat', 'full', 'admin'] as const;

/** `chat`: chats alone. `full`: all that its user may do, but for admin operations. `admin`: these too. */
export type KeyScope = (typeof keyScopes)[number];

/** True when a key of the first scope may do all that one of the second may. */
export function covers(scope: KeyScope, other: KeyScope): boolean {
  return keyScopes.indexOf(scope) >= keyScopes.indexOf(other);
}
