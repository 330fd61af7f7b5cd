import { messageIds } from '../../src/chat/rooms/room-index.ts';
import { readRecent } from '../../src/chat/rooms/room-index.ts';
import type { Sql } from '../../src/db/index.ts';

interface PlacedRow {
  userId: number;
  roomId: string;
  id: number;
  state: string;
}

interface RoomRow {
  roomId: string;
  recent: string;
  erasedThrough: number;
}

/**
 * Rooms for which the index and the room's own row disagree with a scan of all messages: the index gives all messages
 * in order, the row the newest settled ones.
 */
export async function wronglyIndexedRooms(db: Sql): Promise<string[]> {
  const placed = await db.query<PlacedRow>(
    `SELECT user_id AS "userId", room_id AS "roomId", id, state FROM messages ORDER BY user_id, id`,
  );
  const rows = await db.query<RoomRow>(
    `SELECT room_id AS "roomId", recent, erased_through AS "erasedThrough" FROM rooms`,
  );
  const rooms = new Map(rows.map((row) => [row.roomId, row]));
  const wrong: string[] = [];
  for (const messages of Map.groupBy(
    placed,
    ({ userId, roomId }) => `${userId} ${roomId}`,
  ).values()) {
    const [{ userId, roomId } = { userId: 0, roomId: '' }] = messages;
    const room = rooms.get(roomId);
    const ids = messages.map(({ id }) => id);
    const found = (await allIds(db, userId, roomId)).join(' ');
    if (found !== ids.join(' ')) wrong.push(`room ${roomId} lists ${found}, not ${ids.join(' ')}`);
    const known = readRecent(room?.recent ?? '');
    const first = known[0] ?? Infinity;
    const newest = messages
      .filter(
        ({ id, state }) => id >= first && id > (room?.erasedThrough ?? 0) && state !== 'pending',
      )
      .map(({ id }) => id);
    if (known.join(' ') !== newest.join(' ')) {
      wrong.push(`room ${roomId} knows ${known.join(' ')}, not ${newest.join(' ')}`);
    }
  }
  return wrong;
}

async function allIds(db: Sql, userId: number, roomId: string): Promise<number[]> {
  const scope = { userId, roomId, after: 0, before: Number.MAX_SAFE_INTEGER };
  const oldestFirst: number[] = [];
  for await (const ids of messageIds(db, { ...scope, order: 'oldest first' }))
    oldestFirst.push(...ids);
  const newestFirst: number[] = [];
  for await (const ids of messageIds(db, { ...scope, order: 'newest first' }))
    newestFirst.push(...ids);
  return newestFirst.toReversed().join() === oldestFirst.join() ? oldestFirst : [];
}
