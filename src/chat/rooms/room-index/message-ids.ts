import type { Sql } from '../../../db/index.ts';
import { indexedThrough } from './blocks.ts';

export interface MessageIdsAsk {
  userId: number;
  roomId: string;
  /** Only ids above `after` and below `before`. */
  after: number;
  before: number;
  order: 'oldest first' | 'newest first';
}

/** Rows of the index read at a time. */
const PAGE_BLOCKS = 8;
/** Ids of messages that are not indexed yet, read at a time. */
const PAGE_IDS = 500;

/**
 * The ids of a room's messages in any state, in pages, in the requested order. Messages that are added during the
 * reading may be missing.
 */
export async function* messageIds(sql: Sql, ask: MessageIdsAsk): AsyncGenerator<number[]> {
  // This is read first, so that messages which are indexed meanwhile are not missed.
  const through = await indexedThrough(sql, ask.userId);
  const indexed = indexedIds(sql, { ...ask, before: Math.min(ask.before, through + 1) });
  const newer = unindexedIds(sql, { ...ask, after: Math.max(ask.after, through) });
  yield* ask.order === 'oldest first' ? indexed : newer;
  yield* ask.order === 'oldest first' ? newer : indexed;
}

async function* indexedIds(sql: Sql, ask: MessageIdsAsk): AsyncGenerator<number[]> {
  const { userId, roomId, after, before, order } = ask;
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
    { ...ask, after: (block?.first ?? 1) - 1 },
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

async function* unindexedIds(sql: Sql, ask: MessageIdsAsk): AsyncGenerator<number[]> {
  const messages = inPages<{ id: number }>(
    sql,
    `SELECT id FROM messages WHERE user_id = $1 AND room_id = $2 AND id > $3 AND id < $4`,
    ask,
    PAGE_IDS,
  );
  for await (const page of messages) yield page.map(({ id }) => id);
}

/**
 * Rows between two ids, in either order.
 * @param text a query by user, room and both ids
 */
async function* inPages<R extends { id: number }>(
  sql: Sql,
  text: string,
  { userId, roomId, after, before, order }: MessageIdsAsk,
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
