import { queryIn, type Database, type Tx } from '../../db/index.ts';
import type { StopSignal } from '../../lib/stop-signal.ts';
import { deleteKeptAnswers, type KeyedMessage } from '../idempotency/idempotency.ts';
import { messageIds } from './room-index/message-ids.ts';

/** Messages that lose their texts in one transaction: on SQLite everybody waits for it, a few milliseconds. */
const STEP_ROWS = 500;
/** Bytes of texts erased in one transaction, for the same reason: SQLite overwrites them. One message may have more. */
const STEP_BYTES = 4 * 1024 * 1024;
/**
 * The pause between two steps, for other processes. On SQLite there is no queue for the write lock: a process that
 * finds it taken tries again and again, and a command that erases without pauses would leave it no moment.
 */
const PAUSE_MS = 5;
/** In place of a room: all that the user wrote. */
export const ALL_ROOMS = '';

/** What is erased together. */
interface Erased {
  userId: number;
  /** Or `ALL_ROOMS`. */
  roomId: string;
}

/** Messages by their ids. */
interface Span {
  /** Exclusive. */
  after: number;
  /** Inclusive. */
  through: number;
}

/**
 * Erases the texts of deleted rooms in steps, each a transaction of its own. What is left stands in the database
 * until it is done, so that a process that ends only delays it; several may work on the same. Nothing reads these texts
 * any more once their room is deleted.
 */
export class TextErasure {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Notes in the caller's transaction, which has the account's lock, what is to be erased after it. */
  async note(tx: Tx, { userId, roomId }: Erased, { after, through }: Span): Promise<void> {
    // A room that was deleted before may not be done yet.
    await tx.query(
      `INSERT INTO erasures (user_id, room_id, erased_through, through_id) VALUES ($1, $2, $3, $4)
       ON CONFLICT (user_id, room_id) DO UPDATE SET through_id = excluded.through_id`,
      [userId, roomId, after, through],
    );
  }

  /** Erases what is noted of a room. @throws when the database fails; what is left is swept */
  async ofRoom(userId: number, roomId: string): Promise<void> {
    await this.#finish([{ userId, roomId }]);
  }

  /** Erases all that is noted of a user. @throws when the database fails; what is left is swept */
  async ofUser(userId: number): Promise<void> {
    await this.#finish(
      await this.#db.query<Erased>(
        `SELECT user_id AS "userId", room_id AS "roomId" FROM erasures WHERE user_id = $1`,
        [userId],
      ),
    );
  }

  /**
   * Erases all that is noted.
   * @param stopped ends it after a step, since the database is about to be closed
   * @throws when the database fails; the next sweep goes on
   */
  async sweep(stopped?: StopSignal): Promise<void> {
    await this.#finish(
      await this.#db.query<Erased>(`SELECT user_id AS "userId", room_id AS "roomId" FROM erasures`),
      stopped,
    );
  }

  async #finish(noted: readonly Erased[], stopped?: StopSignal): Promise<void> {
    for (const erased of noted) {
      for (;;) {
        if (stopped?.aborted) return;
        if (!(await this.#step(erased))) break;
        await Bun.sleep(PAUSE_MS);
      }
    }
  }

  /** @returns whether more is left */
  #step(erased: Erased): Promise<boolean> {
    return this.#db.transaction(async (tx) => {
      // Before the messages and their keys, as each settle does.
      await lockAccount(tx, erased.userId);
      const [left] = await tx.query<Span>(
        `SELECT erased_through AS after, through_id AS through FROM erasures
         WHERE user_id = $1 AND room_id = $2`,
        [erased.userId, erased.roomId],
      );
      if (!left) return false;
      const found = await nextIds(tx, erased, left);
      const ids = await withinStep(tx, erased.userId, found);
      await eraseTexts(tx, erased.userId, ids);
      const isLast = found.length < STEP_ROWS && ids.length === found.length;
      const last = isLast ? left.through : (ids.at(-1) ?? left.through);
      const key = [erased.userId, erased.roomId];
      if (last >= left.through) {
        await tx.query('DELETE FROM erasures WHERE user_id = $1 AND room_id = $2', key);
        return false;
      }
      await tx.query(
        'UPDATE erasures SET erased_through = $3 WHERE user_id = $1 AND room_id = $2',
        [...key, last],
      );
      return true;
    });
  }
}

/** The oldest that are left, of all rooms in the order of their ids. Fewer than `STEP_ROWS` are the last. */
async function nextIds(
  tx: Tx,
  { userId, roomId }: Erased,
  { after, through }: Span,
): Promise<number[]> {
  if (roomId === ALL_ROOMS) {
    const rows = await tx.query<{ id: number }>(
      `SELECT id FROM messages WHERE user_id = $1 AND id > $2 AND id <= $3
       ORDER BY id LIMIT ${STEP_ROWS}`,
      [userId, after, through],
    );
    return rows.map(({ id }) => id);
  }
  const found: number[] = [];
  const ask = { userId, roomId, after, before: through + 1 };
  for await (const ids of messageIds(tx, { ...ask, order: 'oldest first' })) {
    found.push(...ids);
    if (found.length >= STEP_ROWS) break;
  }
  return found;
}

/** As many of these, from the first on, as have no more than `STEP_BYTES` together; at least one. */
async function withinStep(tx: Tx, userId: number, ids: readonly number[]): Promise<number[]> {
  const sizes = await queryIn<{ id: number; bytes: number }>(
    tx,
    `SELECT id, octet_length(request) + octet_length(response) + octet_length(system_prompt) AS bytes
     FROM messages WHERE user_id = $1 AND id IN (LIST)`,
    ids,
    [userId],
  );
  const bytesOf = new Map(sizes.map(({ id, bytes }) => [id, bytes]));
  let sum = 0;
  const tooMany = ids.findIndex((id) => (sum += bytesOf.get(id) ?? 0) > STEP_BYTES);
  return tooMany < 0 ? [...ids] : ids.slice(0, Math.max(1, tooMany));
}

async function eraseTexts(tx: Tx, userId: number, ids: readonly number[]): Promise<void> {
  const erased = await queryIn<KeyedMessage>(
    tx,
    `UPDATE messages SET request = '', response = '', system_prompt = '', parameters = '{}',
       image_id = NULL WHERE user_id = $1 AND id IN (LIST) RETURNING id, created_at AS "createdAt"`,
    ids,
    [userId],
  );
  // The answers kept for idempotency keys hold texts too.
  await deleteKeptAnswers(tx, userId, erased);
}

/**
 * Takes the account's lock, which orders what follows after or before any settle of the same user.
 * @returns the id of the user's newest message
 */
export async function lockAccount(tx: Tx, userId: number): Promise<number> {
  const [account] = await tx.query<{ newest: number }>(
    `SELECT last_message_id AS newest FROM accounts WHERE user_id = $1${tx.forUpdate}`,
    [userId],
  );
  return account?.newest ?? 0;
}
