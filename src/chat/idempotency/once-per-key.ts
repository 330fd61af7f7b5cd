import type { Database, Tx } from '../../db/index.ts';
import type { Clock } from '../../lib/clock.ts';
import type { IdempotencyKey } from '../commit/commands.ts';
import { keyReused } from './idempotency.ts';

/** The message id in the row of a key that belongs to no message; messages count from 1. */
const NO_MESSAGE = 0;

export interface DoneOnce<T> {
  result: T;
  /** True if an earlier call did the work. */
  replayed: boolean;
}

/** Does work in one transaction, once for each idempotency key; the key is written in the same transaction. */
export class OncePerKey {
  readonly #db: Database;
  readonly #clock: Clock;

  constructor(db: Database, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  /**
   * Of concurrent calls with one key, the first does the work, and the others wait for it. A failure stores nothing.
   * @param key undefined: the work is done at each call
   * @param work its result is stored as JSON for a day. It must not contain names, since the erasure of a user would
   *   not find them
   * @throws `idempotency_key_reused`, and what the work throws
   */
  run<T>(
    userId: number,
    key: IdempotencyKey | undefined,
    work: (tx: Tx) => Promise<T>,
  ): Promise<DoneOnce<T>> {
    return this.#db.transaction(async (tx) => {
      if (!key) return { result: await work(tx), replayed: false };
      const kept = await this.#take(tx, userId, key);
      if (kept !== null) return { result: JSON.parse(kept) as T, replayed: true };
      const result = await work(tx);
      await tx.query(
        `UPDATE idempotency_keys SET response = $4
         WHERE user_id = $1 AND operation = $2 AND key = $3`,
        [userId, key.operation, key.key, JSON.stringify(result)],
      );
      return { result, replayed: false };
    });
  }

  /**
   * Locks the key's row, and creates it if it does not exist.
   * @returns the stored result; null: the work is still to be done
   */
  async #take(
    tx: Tx,
    userId: number,
    { operation, key, bodySha256 }: IdempotencyKey,
  ): Promise<string | null> {
    const [row] = await tx.query<{ bodySha256: string; response: string | null }>(
      `INSERT INTO idempotency_keys (user_id, operation, key, body_sha256, message_id, created_at)
       VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (user_id, operation, key) DO UPDATE SET created_at = idempotency_keys.created_at
       RETURNING body_sha256 AS "bodySha256", response`,
      [userId, operation, key, bodySha256, NO_MESSAGE, this.#clock.now()],
    );
    if (row?.bodySha256 !== bodySha256) throw keyReused();
    return row.response;
  }
}
