import { prepareUpdate, tables, type Database, type Tx } from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';
import { DomainError } from '../lib/errors.ts';
import type { Micro } from '../lib/money.ts';
import { DELETED_ANSWER, OVERSIZED_ANSWER, type IdempotencyKey } from './commit/commands.ts';
import { parseKept } from './responses/kept-output.ts';
import type { SendResult, UnsettledResult } from './send/send-result.ts';

/** How long an answer is stored for its key, in milliseconds. */
const IDEMPOTENCY_KEPT_MS = 24 * 3_600_000;

/**
 * The longest answer, in UTF-16 units, that is stored for its key. Keys are for broken connections, not for storage.
 */
const KEPT_UNITS_MAX = 8 * 1024 * 1024;
/** The approximate length of one number of a vector in JSON. */
const NUMBER_UNITS = 20;

/** A send's result as it is stored for its idempotency key; its settle adds the balance. */
export function keptAnswer(result: UnsettledResult): string {
  // The size of vectors is estimated first: writing out the largest ones would take seconds.
  const numbers = result.vectors?.reduce((sum, vector) => sum + vector.length, 0) ?? 0;
  if (numbers * NUMBER_UNITS > KEPT_UNITS_MAX) return OVERSIZED_ANSWER;
  const text = JSON.stringify(result);
  return text.length > KEPT_UNITS_MAX ? OVERSIZED_ANSWER : text;
}

/** A kept answer with the balance after its charge. */
export function withBalance(kept: string, balance: Micro): string {
  return kept === OVERSIZED_ANSWER ? kept : `{"balance":${balance},${kept.slice(1)}`;
}

/**
 * Reads a result that `keptAnswer` and `withBalance` wrote.
 * @throws `room_not_found` when it was deleted with its room; `idempotency_key_reused` when it was too large to keep
 */
export function readKeptAnswer(text: string): SendResult {
  if (text === DELETED_ANSWER) {
    throw new DomainError(
      'room_not_found',
      'the answer of this Idempotency-Key was deleted with its room; nothing was charged now: use another key for a new request',
    );
  }
  if (text === OVERSIZED_ANSWER) {
    throw new DomainError(
      'idempotency_key_reused',
      'the answer of this Idempotency-Key was too large to be kept; nothing was charged now: use a new key for a new request',
    );
  }
  return parseKept(text) as SendResult;
}

/** The answer kept for a key with this very body, if there is one. @throws what `readKeptAnswer` throws */
export async function findKeptAnswer(
  db: Database,
  userId: number,
  { operation, key, bodySha256 }: IdempotencyKey,
): Promise<SendResult | undefined> {
  // The texts of a deleted room are never returned, even if the erasure has not reached this answer yet.
  const [row] = await db.query<{ response: string | null }>(
    `SELECT CASE WHEN response IS NOT NULL AND EXISTS (
         SELECT 1 FROM messages m JOIN rooms r ON r.room_id = m.room_id AND m.id <= r.erased_through
         WHERE m.user_id = k.user_id AND m.id = k.message_id)
       THEN '${DELETED_ANSWER}' ELSE response END AS response
     FROM idempotency_keys k
     WHERE user_id = $1 AND operation = $2 AND key = $3 AND body_sha256 = $4`,
    [userId, operation, key, bodySha256],
  );
  return typeof row?.response === 'string' ? readKeptAnswer(row.response) : undefined;
}

/**
 * A condition on `idempotency_keys` that finds the key of a message by the creation time, which both share to the
 * millisecond. An index by message would cost each send another write. The plus keeps SQLite from scanning all keys of
 * the user.
 */
export function keyOfMessage(userId: string, messageId: string, createdAt: string): string {
  return `idempotency_keys.created_at = ${createdAt}
    AND idempotency_keys.message_id = ${messageId} AND +idempotency_keys.user_id = ${userId}`;
}

/** Deletes keys that are older than `IDEMPOTENCY_KEPT_MS`, except those whose send still runs. */
export async function purgeIdempotencyKeys(db: Database, now: number): Promise<void> {
  await db.transaction((tx) =>
    tx.query('DELETE FROM idempotency_keys WHERE created_at < $1 AND response IS NOT NULL', [
      now - IDEMPOTENCY_KEPT_MS,
    ]),
  );
}

/** Deletes the answers that are stored for messages of a user. The keys stay, since the messages were charged. */
export async function deleteKeptAnswers(
  tx: Tx,
  userId: number,
  messages: readonly { id: number; createdAt: number }[],
): Promise<void> {
  const [kept] = await tx.query<{ oldest: number | null }>(
    'SELECT MIN(created_at) AS oldest FROM idempotency_keys',
  );
  const oldest = kept?.oldest ?? Infinity;
  // Most messages are older than all keys, which are kept for a day.
  const recent = messages.filter(({ createdAt }) => createdAt >= oldest);
  await replaceAnswers(
    tx,
    recent.map(({ id, createdAt }) => ({
      user_id: userId,
      message_id: id,
      created_at: createdAt,
      response: DELETED_ANSWER,
    })),
  );
}

const replaceAnswers = prepareUpdate(tables.idempotency_keys, {
  key: [],
  given: ['user_id', 'message_id', 'created_at'],
  set: ['response'],
  where: `${keyOfMessage('v.user_id', 'v.message_id', 'v.created_at')}
    AND idempotency_keys.response IS NOT NULL`,
});

export function keyReused(): DomainError {
  return new DomainError(
    'idempotency_key_reused',
    'this Idempotency-Key was used with another body: use a new key for a new request',
  );
}

/** The message id in the row of a key that belongs to no message; messages count from 1. */
const NO_MESSAGE = 0;

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
   * @returns `replayed` is true if an earlier call did the work
   * @throws `idempotency_key_reused`, and what the work throws
   */
  run<T>(
    userId: number,
    key: IdempotencyKey | undefined,
    work: (tx: Tx) => Promise<T>,
  ): Promise<{ result: T; replayed: boolean }> {
    return this.#db.transaction(async (tx) => {
      if (!key) return { result: await work(tx), replayed: false };
      const name = [userId, key.operation, key.key];
      // Locks the key's row, also one that exists already.
      const [row] = await tx.query<{ bodySha256: string; response: string | null }>(
        `INSERT INTO idempotency_keys (user_id, operation, key, body_sha256, message_id, created_at)
         VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (user_id, operation, key) DO UPDATE SET created_at = idempotency_keys.created_at
         RETURNING body_sha256 AS "bodySha256", response`,
        [...name, key.bodySha256, NO_MESSAGE, this.#clock.now()],
      );
      if (row?.bodySha256 !== key.bodySha256) throw keyReused();
      if (row.response !== null) return { result: JSON.parse(row.response) as T, replayed: true };
      const result = await work(tx);
      await tx.query(
        `UPDATE idempotency_keys SET response = $4
         WHERE user_id = $1 AND operation = $2 AND key = $3`,
        [...name, JSON.stringify(result)],
      );
      return { result, replayed: false };
    });
  }
}
