import { queryIn, together, type Database, type Tx } from '../../db/index.ts';
import type { StopSignal } from '../../lib/stop-signal.ts';
import { lockAccount } from '../rooms/text-erasure.ts';
import { ofUser, stemsOf, wordsOf } from './words.ts';

/** Messages that are indexed in one transaction. Sends of their user wait for it, for a few milliseconds. */
const STEP_ROWS = 20;
/** How many UTF-16 units of a request, and of an answer, are searched. */
export const SEARCHED_CHARS_MAX = 30_000;
/** Bytes of the distinct words of a message that are indexed: PostgreSQL takes at most 1 MiB. */
const WORDS_BYTES_MAX = 500_000;
/** How many of a user's newest messages are searched: the most rows that a search reads. */
export const SEARCHED_MESSAGES_MAX = 50_000;
/** Steps before a search: 200 messages. A chore indexes the rest. */
const STEPS_BEFORE_SEARCH = 10;

interface Text {
  id: number;
  roomId: string;
  state: string;
  request: string;
  response: string;
}

interface Progress {
  through: number;
  newest: number;
}

/**
 * The words of messages for the search. Only messages of users who have searched are indexed, after they are settled,
 * so that sends cost no more, and users who only call the API need no index. A user's messages are indexed from the
 * oldest to the newest.
 */
export class SearchIndex {
  readonly #db: Database;
  #isSweeping = false;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Indexes the oldest of the caller's messages that are not indexed yet. @returns how many of the newest are left */
  async catchUp(userId: number): Promise<number> {
    if (!(await this.#progress(userId))) await this.#begin(userId);
    for (let step = 0; step < STEPS_BEFORE_SEARCH; step++) {
      if (!(await this.#step(userId))) break;
    }
    const progress = await this.#progress(userId);
    return progress ? Math.max(0, progress.newest - progress.through) : 0;
  }

  /**
   * Indexes the messages of all users who have searched. Nodes that do this at the same time do not repeat each other's
   * work.
   */
  async sweep(stopped: StopSignal): Promise<void> {
    if (this.#isSweeping) return;
    this.#isSweeping = true;
    try {
      await this.#sweep(stopped);
    } finally {
      this.#isSweeping = false;
    }
  }

  async #sweep(stopped: StopSignal): Promise<void> {
    const behind = await this.#db.query<{ userId: number }>(
      `SELECT c.user_id AS "userId" FROM search_cursors c JOIN accounts a ON a.user_id = c.user_id
       WHERE a.last_message_id > c.through_id`,
    );
    for (const { userId } of behind) {
      while (!stopped.aborted && (await this.#step(userId)));
    }
  }

  async #progress(userId: number): Promise<Progress | undefined> {
    const [row] = await this.#db.query<Progress>(
      `SELECT c.through_id AS through, a.last_message_id AS newest
       FROM search_cursors c JOIN accounts a ON a.user_id = c.user_id WHERE c.user_id = $1`,
      [userId],
    );
    return row;
  }

  async #begin(userId: number): Promise<void> {
    await this.#db.transaction(async (tx) => {
      const { newest } = await lockAccount(tx, userId);
      await tx.query(
        `INSERT INTO search_cursors (user_id, through_id) VALUES ($1, $2)
         ON CONFLICT (user_id) DO NOTHING`,
        [userId, Math.max(0, newest - SEARCHED_MESSAGES_MAX)],
      );
    });
  }

  /** Indexes a few messages of a user. @returns whether more may be left */
  async #step(userId: number): Promise<boolean> {
    const progress = await this.#progress(userId);
    if (!progress || progress.through >= progress.newest) return false;
    const read = await this.#db.query<Text>(
      `SELECT id, room_id AS "roomId", state, SUBSTR(request, 1, ${SEARCHED_CHARS_MAX}) AS request,
         SUBSTR(response, 1, ${SEARCHED_CHARS_MAX}) AS response
       FROM messages WHERE user_id = $1 AND id > $2 ORDER BY id LIMIT ${STEP_ROWS}`,
      [userId, progress.through],
    );
    const pending = read.findIndex(({ state }) => state === 'pending');
    const texts = pending === -1 ? read : read.slice(0, pending);
    const last = texts.at(-1);
    if (!last) return false;
    const words = await this.#words(userId, texts);
    const wasFirst = await this.#db.transaction(async (tx) => {
      // Under the account's lock, so that no room is deleted in between.
      await lockAccount(tx, userId);
      const [moved] = await tx.query(
        `UPDATE search_cursors SET through_id = $3 WHERE user_id = $1 AND through_id = $2
         RETURNING user_id`,
        [userId, progress.through, last.id],
      );
      // Another process has indexed them, or the user was erased.
      if (!moved) return false;
      await add(tx, userId, await remaining(tx, texts), words);
      await tx.query('DELETE FROM search_texts WHERE user_id = $1 AND message_id <= $2', [
        userId,
        last.id - SEARCHED_MESSAGES_MAX,
      ]);
      return true;
    });
    return !wasFirst || (pending === -1 && texts.length === STEP_ROWS);
  }

  /** The words of each message, as the index has them. */
  async #words(userId: number, texts: readonly Text[]): Promise<ReadonlyMap<number, string>> {
    const found = texts
      .filter(({ state }) => state !== 'failed')
      .map(({ id, request, response }) => [id, distinctWords(`${request} ${response}`)] as const);
    const stems = await stemsOf(this.#db)(found.flatMap(([, words]) => words));
    return new Map(
      found.map(([id, words]) => {
        const written = words.map((word) => ofUser(userId, stems.get(word) ?? word));
        return [id, [...new Set(written)].join(' ')];
      }),
    );
  }
}

function distinctWords(text: string): string[] {
  const distinct = new Set<string>();
  let bytes = 0;
  for (const { folded } of wordsOf(text)) {
    if (distinct.has(folded)) continue;
    // Including the id of the user in front of it.
    bytes += Buffer.byteLength(folded) + 17;
    if (bytes > WORDS_BYTES_MAX) break;
    distinct.add(folded);
  }
  return [...distinct];
}

/** Without the messages of rooms that were deleted. */
async function remaining(tx: Tx, texts: readonly Text[]): Promise<Text[]> {
  const rooms = await queryIn<{ id: string; erased: number }>(
    tx,
    `SELECT room_id AS id, erased_through AS erased FROM rooms
     WHERE room_id IN (LIST) AND deleted_at IS NULL`,
    [...new Set(texts.map(({ roomId }) => roomId))],
  );
  const erasedOf = new Map(rooms.map(({ id, erased }) => [id, erased]));
  return texts.filter(({ id, roomId }) => id > (erasedOf.get(roomId) ?? Infinity));
}

async function add(
  tx: Tx,
  userId: number,
  texts: readonly Text[],
  words: ReadonlyMap<number, string>,
): Promise<void> {
  const rows = texts.flatMap(({ id }) => {
    const written = words.get(id) ?? '';
    return written === '' ? [] : [[userId, id, written]];
  });
  await together(
    rows.map((row) =>
      tx.query('INSERT INTO search_texts (user_id, message_id, words) VALUES ($1, $2, $3)', row),
    ),
  );
}
