import { queryIn, type Database, type Tx } from '../../db/index.ts';
import type { StopSignal } from '../../lib/stop-signal.ts';
import { deleteKeptAnswers } from '../idempotency.ts';
import { forgetWords } from '../search/forget-words.ts';
import { messageIds } from './room-index.ts';
import { forgetBytes, storedBytes } from './stored-bytes.ts';

/**
 * How many messages' texts are erased in one transaction. On SQLite all other writes wait for it, for a few
 * milliseconds.
 */
const STEP_ROWS = 500;
/**
 * Bytes of texts erased in one transaction, for the same reason: SQLite overwrites them. A single message may have
 * more.
 */
const STEP_BYTES = 4 * 1024 * 1024;
/**
 * The pause between two steps, for other processes. SQLite has no queue for the write lock: a process that finds it
 * taken polls for it, and would never get it from a command that erases without pausing.
 */
const PAUSE_MS = 5;
/** Stands for all rooms of a user, in place of a room's id. */
export const ALL_ROOMS = '';

interface Erased {
  userId: number;
  /** Or `ALL_ROOMS`. */
  roomId: string;
}

interface Span {
  /** Exclusive. */
  after: number;
  /** Inclusive. */
  through: number;
}

/**
 * Erases the texts of deleted rooms in steps, each in its own transaction. The database records the work that is left,
 * so another process can continue it, and several may work on the same room. Texts of a deleted room are never read.
 */
export class TextErasure {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Records which texts to erase after the caller's transaction, which holds the account's lock. */
  async note(tx: Tx, { userId, roomId }: Erased, { after, through }: Span): Promise<void> {
    // An earlier erasure of the room may not be finished yet.
    await tx.query(
      `INSERT INTO erasures (user_id, room_id, erased_through, through_id) VALUES ($1, $2, $3, $4)
       ON CONFLICT (user_id, room_id) DO UPDATE SET through_id = excluded.through_id`,
      [userId, roomId, after, through],
    );
  }

  /** Erases the recorded texts of a room. @throws when the database fails; a sweep erases the rest */
  async ofRoom(userId: number, roomId: string): Promise<void> {
    await this.#finish([{ userId, roomId }]);
  }

  /** Erases the recorded texts of a user. @throws when the database fails; a sweep erases the rest */
  async ofUser(userId: number): Promise<void> {
    await this.#finish(await this.#noted('WHERE user_id = $1', [userId]));
  }

  /**
   * Erases all recorded texts.
   * @param stopped ends the sweep after a step, when the database is about to be closed
   * @throws when the database fails; the next sweep continues
   */
  async sweep(stopped?: StopSignal): Promise<void> {
    await this.#finish(await this.#noted('', []), stopped);
  }

  #noted(where: string, params: number[]): Promise<Erased[]> {
    return this.#db.query<Erased>(
      `SELECT user_id AS "userId", room_id AS "roomId" FROM erasures ${where}`,
      params,
    );
  }

  async #finish(noted: readonly Erased[], stopped?: StopSignal): Promise<void> {
    for (const erased of noted) {
      if (stopped?.aborted) return;
      while (await this.#step(erased)) {
        await Bun.sleep(PAUSE_MS);
        if (stopped?.aborted) return;
      }
    }
  }

  /** @returns whether more is left */
  #step(erased: Erased): Promise<boolean> {
    return this.#db.transaction(async (tx) => {
      // Locked before the messages and their keys, in the order of each settle.
      await lockAccount(tx, erased.userId);
      const [left] = await tx.query<Span>(
        `SELECT erased_through AS after, through_id AS through FROM erasures
         WHERE user_id = $1 AND room_id = $2`,
        [erased.userId, erased.roomId],
      );
      if (!left) return false;
      const found = await nextIds(tx, erased, left);
      const { ids, bytes } = await withinStep(tx, erased.userId, found);
      await eraseTexts(tx, erased.userId, ids);
      await forgetBytes(tx, erased.userId, bytes);
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

/**
 * The oldest remaining messages of all rooms, in the order of their ids. Fewer than `STEP_ROWS` means that they are the
 * last.
 */
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
  const query = { userId, roomId, after, before: through + 1 };
  for await (const ids of messageIds(tx, { ...query, order: 'oldest first' })) {
    found.push(...ids);
    if (found.length >= STEP_ROWS) break;
  }
  return found;
}

/** The first of these messages that have at most `STEP_BYTES` together; at least one. */
async function withinStep(
  tx: Tx,
  userId: number,
  ids: readonly number[],
): Promise<{ ids: number[]; bytes: number }> {
  const sizes = await queryIn<{ id: number; bytes: number }>(
    tx,
    `SELECT id, ${storedBytes} AS bytes
     FROM messages WHERE user_id = $1 AND id IN (LIST)`,
    ids,
    [userId],
  );
  const bytesOf = new Map(sizes.map(({ id, bytes }) => [id, bytes]));
  const some: number[] = [];
  let sum = 0;
  for (const id of ids) {
    const bytes = bytesOf.get(id) ?? 0;
    if (some.length > 0 && sum + bytes > STEP_BYTES) break;
    some.push(id);
    sum += bytes;
  }
  return { ids: some, bytes: sum };
}

async function eraseTexts(tx: Tx, userId: number, ids: readonly number[]): Promise<void> {
  const erased = await queryIn<{ id: number; createdAt: number }>(
    tx,
    `UPDATE messages SET request = '', response = '', system_prompt = '', parameters = '{}',
       image_id = NULL WHERE user_id = $1 AND id IN (LIST) RETURNING id, created_at AS "createdAt"`,
    ids,
    [userId],
  );
  await queryIn(tx, 'DELETE FROM responses WHERE user_id = $1 AND message_id IN (LIST)', ids, [
    userId,
  ]);
  await forgetWords(tx, userId, ids);
  // The answers kept for idempotency keys hold texts too.
  await deleteKeptAnswers(tx, userId, erased);
}

/**
 * Takes the account's lock, so that all later statements run either before or after any settle of the same user.
 * @returns the id of the user's newest message, and how many rooms the user has opened
 */
export async function lockAccount(
  tx: Tx,
  userId: number,
): Promise<{ newest: number; rooms: number }> {
  const [account] = await tx.query<{ newest: number; rooms: number }>(
    `SELECT last_message_id AS newest, rooms FROM accounts WHERE user_id = $1${tx.forUpdate}`,
    [userId],
  );
  return account ?? { newest: 0, rooms: 0 };
}
