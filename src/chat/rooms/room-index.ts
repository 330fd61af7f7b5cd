import type { Sql, Tx } from '../../db/index.ts';

/**
 * After this many messages of a user, the rooms are indexed again: each room with new messages gets one row. Until
 * then a reader of a room searches the messages that are not indexed, unless the room's row has the newest ids
 * (docs/decisions/2026-11-21-messages-in-order-of-arrival.md).
 */
const STEP_MESSAGES = 512;

/** Whether a user's rooms have to be indexed after this message. That is rare, and needs no query. */
export function isIndexDue(messageId: number): boolean {
  return messageId % STEP_MESSAGES === 0;
}

/**
 * Indexes a user's messages by room, up to one of them: a row for each room and each step that it has messages in.
 * The caller holds the lock of the user's account.
 */
export async function indexRooms(tx: Tx, userId: number, through: number): Promise<void> {
  await tx.query(
    `INSERT INTO room_blocks (user_id, room_id, first_id, ids)
     SELECT user_id, room_id, MIN(id), string_agg(CAST(id AS TEXT), ' ' ORDER BY id) FROM messages
     WHERE user_id = $1 AND id <= $2
       AND id > (SELECT indexed_through FROM accounts WHERE user_id = $1)
     GROUP BY user_id, room_id, (id - 1) / ${STEP_MESSAGES}`,
    [userId, through],
  );
  await tx.query(
    'UPDATE accounts SET indexed_through = $2 WHERE user_id = $1 AND indexed_through < $2',
    [userId, through],
  );
}

/**
 * The newest messages of a room in its row (`rooms.recent`): growing ids, separated by spaces. A send with context does
 * not have to search for them. Invariant: they include every settled message of the room from the first of these ids
 * on, except messages from before the room was deleted.
 */

/** The most characters of the list: about a dozen ids, enough for most contexts. */
const RECENT_MAX_CHARS = 96;

/** @returns ids, oldest first */
export function readRecent(recent: string): number[] {
  return recent === '' ? [] : recent.split(' ').map(Number);
}

/** Adds a message that is being settled. One that is older than all of them is left out; a search finds it. */
export function addRecent(recent: string, id: number): string {
  if (recent === '') return String(id);
  const newest = Number(recent.slice(recent.lastIndexOf(' ') + 1));
  let text = id > newest ? `${recent} ${id}` : inserted(readRecent(recent), id).join(' ');
  while (text.length > RECENT_MAX_CHARS) text = text.slice(text.indexOf(' ') + 1);
  return text;
}

function inserted(ids: number[], id: number): number[] {
  const place = ids.findIndex((one) => one > id);
  return place === 0 ? ids : ids.toSpliced(place, 0, id);
}

export interface MessageIdsQuery {
  userId: number;
  roomId: string;
  /** Only ids above `after` and below `before`. */
  after: number;
  before: number;
  order: 'oldest first' | 'newest first';
}

const PAGE_BLOCKS = 8;
/** How many ids of messages that are not indexed yet are read at a time. */
const PAGE_IDS = 500;

/**
 * The ids of a room's messages in any state, in pages, in the requested order. Messages that are added while it reads
 * may be missing.
 */
export async function* messageIds(sql: Sql, query: MessageIdsQuery): AsyncGenerator<number[]> {
  // This is read first, so that messages that are indexed meanwhile are not missed.
  const [account] = await sql.query<{ through: number }>(
    'SELECT indexed_through AS through FROM accounts WHERE user_id = $1',
    [query.userId],
  );
  const through = account?.through ?? 0;
  const indexed = indexedIds(sql, { ...query, before: Math.min(query.before, through + 1) });
  const newer = unindexedIds(sql, { ...query, after: Math.max(query.after, through) });
  yield* query.order === 'oldest first' ? indexed : newer;
  yield* query.order === 'oldest first' ? newer : indexed;
}

async function* indexedIds(sql: Sql, query: MessageIdsQuery): AsyncGenerator<number[]> {
  const { userId, roomId, after, before, order } = query;
  // The block that begins at or before the first requested id may contain it.
  const [block] = await sql.query<{ first: number | null }>(
    `SELECT MAX(first_id) AS first FROM room_blocks
     WHERE user_id = $1 AND room_id = $2 AND first_id <= $3`,
    [userId, roomId, after + 1],
  );
  const blocks = inPages<{ id: number; ids: string }>(
    sql,
    `SELECT first_id AS id, ids FROM room_blocks
     WHERE user_id = $1 AND room_id = $2 AND first_id > $3 AND first_id < $4`,
    { ...query, after: (block?.first ?? 1) - 1 },
    PAGE_BLOCKS,
  );
  for await (const page of blocks) {
    for (const { ids } of page) {
      const oldestFirst = ids.split(' ').map(Number);
      const wanted = oldestFirst.filter((id) => id > after && id < before);
      if (wanted.length > 0) yield order === 'oldest first' ? wanted : wanted.toReversed();
    }
  }
}

async function* unindexedIds(sql: Sql, query: MessageIdsQuery): AsyncGenerator<number[]> {
  const messages = inPages<{ id: number }>(
    sql,
    `SELECT id FROM messages WHERE user_id = $1 AND room_id = $2 AND id > $3 AND id < $4`,
    query,
    PAGE_IDS,
  );
  for await (const page of messages) yield page.map(({ id }) => id);
}

/** Rows between two ids, in either order. @param text a query by user, room and both ids */
async function* inPages<R extends { id: number }>(
  sql: Sql,
  text: string,
  { userId, roomId, after, before, order }: MessageIdsQuery,
  pageRows: number,
): AsyncGenerator<R[]> {
  const oldestFirst = order === 'oldest first';
  const ordered = `${text} ORDER BY id ${oldestFirst ? 'ASC' : 'DESC'} LIMIT ${pageRows}`;
  for (let [low, high] = [after, before]; ;) {
    const page = await sql.query<R>(ordered, [userId, roomId, low, high]);
    if (page.length > 0) yield page;
    const last = page.at(-1);
    if (!last || page.length < pageRows) return;
    if (oldestFirst) low = last.id;
    else high = last.id;
  }
}
