import type { Database } from '../db/index.ts';
import { ADDRESS_RULE, KNOWN_ADDRESS_MS, LOGIN_RULE, PAIR_RULE } from './login-throttle.ts';
import { fillTimeMs } from './token-bucket.ts';

/** Revoked tokens are kept for a day after their expiry, for nodes whose clock is slow. */
const REVOKED_TOKEN_KEPT_MS = 24 * 3_600_000;
/** An unused bucket is full after this time, like a missing one. */
const BUCKET_KEPT_MS = Math.max(...[PAIR_RULE, ADDRESS_RULE, LOGIN_RULE].map(fillTimeMs));

/**
 * Deletes rows that no longer matter: revoked tokens that have expired, full login buckets, and addresses from which
 * nobody logged in for long. It may run at any time, on several nodes.
 * @param now milliseconds since 1970
 */
export async function purgeUsers(db: Database, now: number): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.query('DELETE FROM revoked_tokens WHERE expires_at < $1', [
      now - REVOKED_TOKEN_KEPT_MS,
    ]);
    await tx.query('DELETE FROM known_addresses WHERE seen_at <= $1', [now - KNOWN_ADDRESS_MS]);
    await tx.query('DELETE FROM login_buckets WHERE filled_at < $1', [now - BUCKET_KEPT_MS]);
  });
}
