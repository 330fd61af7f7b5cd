import type { Sql, Tx } from '../../../db/index.ts';

/**
 * After this many messages of a user, the rooms are indexed again: each room with new messages gets one row. Until
 * then a reader of a room searches the messages that are not indexed, unless the room's row has the newest ids
 * (docs/decisions/2026-11-21-messages-in-order-of-arrival.md).
 */
const STEP_MESSAGES = 512;

/** The message up to which the rooms of a user are indexed. */
export async function indexedThrough(sql: Sql, userId: number): Promise<number> {
  const [account] = await sql.query<{ through: number }>(
    'SELECT indexed_through AS through FROM accounts WHERE user_id = $1',
    [userId],
  );
  return account?.through ?? 0;
}

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

/** Adds a message that is settled now. One that is older than all of them is left out; a search finds it. */
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
