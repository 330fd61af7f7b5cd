import type { Sql, Tx } from '../../../db/index.ts';

/**
 * Messages of one user from one time that their rooms are indexed to the next. Those that are not indexed yet are
 * looked through where a room is read, unless its row knows the newest; each time, every room that they are in
 * gets one row (docs/decisions/2026-11-21-messages-in-order-of-arrival.md).
 */
const STEP_MESSAGES = 512;

/** Up to which message the rooms of a user are indexed. */
export async function indexedThrough(sql: Sql, userId: number): Promise<number> {
  const [account] = await sql.query<{ through: number }>(
    'SELECT indexed_through AS through FROM accounts WHERE user_id = $1',
    [userId],
  );
  return account?.through ?? 0;
}

/** Whether a user's rooms shall be indexed after this message: rarely, and known without asking. */
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
 * The newest messages of a room, as its row keeps them (`rooms.recent`): ids that grow, set apart by spaces. They
 * spare the search for them whenever a message is sent with context. What holds: every settled message of the room
 * whose id is not below the first of them is among them, but for those that were there when the room was deleted.
 */

/** What is kept, in characters: about a dozen, of which most contexts are made. */
const RECENT_MAX_CHARS = 96;

/** @returns ids, oldest first */
export function readRecent(recent: string): number[] {
  return recent === '' ? [] : recent.split(' ').map(Number);
}

/** Adds a message that is settled now; one that is older than all of them is left to the search. */
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
