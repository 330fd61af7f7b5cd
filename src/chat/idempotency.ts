import type { Database } from '../db/index.ts';

/** The same key and body get the same answer for so long. */
export const IDEMPOTENCY_KEPT_MS = 24 * 3_600_000;

/** Forgets answers that were kept long enough. A key whose send still runs stays. */
export async function purgeIdempotencyKeys(db: Database, now: number): Promise<void> {
  await db.transaction((tx) =>
    tx.query('DELETE FROM idempotency_keys WHERE created_at < $1 AND response IS NOT NULL', [
      now - IDEMPOTENCY_KEPT_MS,
    ]),
  );
}
