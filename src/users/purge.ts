import type { Database } from '../db/index.ts';
import { KNOWN_ADDRESS_MS } from './login-throttle.ts';

/** Revoked tokens are kept for a day after their expiry, for nodes whose clocks are slow. */
const REVOKED_TOKEN_KEPT_MS = 24 * 3_600_000;
/**
 * Deletes rows that no longer matter: revoked tokens and sessions that have expired, full login buckets, and addresses
 * from which nobody has logged in for long. It may run at any time, on several nodes.
 */
export async function purgeUsers(db: Database, now: number): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.query('DELETE FROM revoked_tokens WHERE expires_at < $1', [
      now - REVOKED_TOKEN_KEPT_MS,
    ]);
    await tx.query('DELETE FROM sessions WHERE expires_at < $1', [now]);
    await tx.query('DELETE FROM known_addresses WHERE seen_at <= $1', [now - KNOWN_ADDRESS_MS]);
    await tx.query('DELETE FROM login_buckets WHERE filled_at < $1', [now]);
  });
}
