import type { z } from 'zod';
import { toUnixSeconds, toUnixSecondsOrNull } from '../../lib/clock.ts';
import type { ApiKeys, Caller, KeyScope } from '../../users/index.ts';
import type { newApiKey } from './schemas.ts';

const MS_PER_SECOND = 1000;

/** The key that a body requests. */
export interface KeyRequest {
  name: string;
  /** Unix seconds. */
  expiresAt: number | null | undefined;
  scope: KeyScope | null | undefined;
  /** The calling user's credential; absent if an admin creates the key. */
  createdWith?: Caller['credential'];
}

/** Creates an API key. Only this answer shows it. */
export async function createKey(
  keys: ApiKeys,
  userId: number,
  { name, expiresAt, scope, createdWith }: KeyRequest,
): Promise<z.input<typeof newApiKey>> {
  const made = await keys.create(userId, {
    name,
    expiresAt: expiresAt == null ? null : expiresAt * MS_PER_SECOND,
    scope: scope ?? undefined,
    createdWith,
  });
  return {
    id: made.id,
    key: made.key,
    name: made.name,
    created_at: toUnixSeconds(made.createdAt),
    expires_at: toUnixSecondsOrNull(made.expiresAt),
    scope: made.scope,
  };
}
