import { queryIn, type Sql } from '../../db/index.ts';
import { PageSize } from '../../lib/page-size.ts';
import { messageIds } from '../rooms/room-index/message-ids.ts';
import { readRecent } from '../rooms/room-index/blocks.ts';

/** A request of a room with its answer, which is words or an image. */
export interface AnsweredItem {
  id: number;
  request: string;
  response: string;
  imageId: string | null;
}

interface ItemsAsk {
  userId: number;
  roomId: string;
  /** How many. */
  depth: number;
}

interface RoomRow {
  /** Messages that were answered, also with nothing: embeddings have no words. */
  answered: number;
  recent: string;
  erasedThrough: number;
}

const itemsOf = `SELECT id, request, response, image_id AS "imageId" FROM messages
  WHERE user_id = $1 AND id IN (LIST) AND state IN ('done', 'stopped') ORDER BY id DESC`;

/**
 * The items among the last `depth` of a room that can be sent, in pages, newest first. An item with an empty answer
 * counts as one of them but is left out: providers refuse empty answers, and some refuse a request without its answer;
 * an older item must not take its place. Failed messages do not count. The room is never read whole: nearly always its
 * row knows the ids.
 */
export async function* answeredItems(sql: Sql, ask: ItemsAsk): AsyncGenerator<AnsweredItem[]> {
  const { userId, roomId } = ask;
  const [room] = await sql.query<RoomRow>(
    `SELECT message_count AS answered, recent, erased_through AS "erasedThrough" FROM rooms
     WHERE room_id = $1 AND user_id = $2`,
    [roomId, userId],
  );
  if (!room) return;
  const size = new PageSize();
  let left = Math.min(ask.depth, room.answered);
  for await (const newestFirst of candidates(sql, ask, room)) {
    for (let start = 0; start < newestFirst.length && left > 0;) {
      const ids = newestFirst.slice(start, start + Math.min(size.rows, left));
      start += ids.length;
      const page = await queryIn<AnsweredItem>(sql, itemsOf, ids, [userId]);
      yield page.filter(({ response, imageId }) => response !== '' || imageId !== null);
      left -= page.length;
      size.observe(page.map((row) => row.request.length + row.response.length));
    }
    if (left === 0) return;
  }
}

/** Ids of the room's messages in pages, newest first: those that its row knows, then those before them. */
async function* candidates(
  sql: Sql,
  { userId, roomId }: ItemsAsk,
  { recent, erasedThrough }: RoomRow,
): AsyncGenerator<number[]> {
  const known = readRecent(recent);
  yield known.toReversed();
  const before = known[0] ?? Number.MAX_SAFE_INTEGER;
  yield* messageIds(sql, { userId, roomId, after: erasedThrough, before, order: 'newest first' });
}
