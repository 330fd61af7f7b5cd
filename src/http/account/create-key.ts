import type { z } from 'zod';
import { toUnixSeconds } from '../../lib/clock.ts';
import type { ApiKeys } from '../../users/index.ts';
import { secondsOrNull } from '../schemas.ts';
import type { newApiKey } from './schemas.ts';

const MS_PER_SECOND = 1000;

/**
 * Makes an API key and shows it this once.
 * @param expiresAt Unix seconds
 */
export async function createKey(
  keys: ApiKeys,
  userId: number,
  { name, expiresAt }: { name: string; expiresAt: number | null | undefined },
): Promise<z.input<typeof newApiKey>> {
  const made = await keys.create(userId, {
    name,
    expiresAt: expiresAt == null ? null : expiresAt * MS_PER_SECOND,
  });
  return {
    id: made.id,
    key: made.key,
    name: made.name,
    created_at: toUnixSeconds(made.createdAt),
    expires_at: secondsOrNull(made.expiresAt),
  };
}
