import type { Sql } from '../../db/index.ts';
import { indexedThrough } from './blocks.ts';

export interface MessageIdsAsk {
  userId: number;
  roomId: string;
  /** Only ids above this one, and below the other. */
  after: number;
  before: number;
  order: 'oldest first' | 'newest first';
}

/** Rows of the index read at a time. */
const PAGE_BLOCKS = 8;
/** Ids of messages that are not indexed yet, read at a time. */
const PAGE_IDS = 500;

/**
 * The ids of a room's messages in pages, in the order asked for, whatever their states. What is added while they are
 * read may be missing.
 */
export async function* messageIds(sql: Sql, ask: MessageIdsAsk): AsyncGenerator<number[]> {
  // Known first: what is indexed meanwhile is found where it was.
  const through = await indexedThrough(sql, ask.userId);
  const indexed = indexedIds(sql, { ...ask, before: Math.min(ask.before, through + 1) });
  const newer = unindexedIds(sql, { ...ask, after: Math.max(ask.after, through) });
  yield* ask.order === 'oldest first' ? indexed : newer;
  yield* ask.order === 'oldest first' ? newer : indexed;
}

async function* indexedIds(sql: Sql, ask: MessageIdsAsk): AsyncGenerator<number[]> {
  const { userId, roomId, after, before, order } = ask;
  const oldestFirst = order === 'oldest first';
  // The block that begins at or before the first id asked for may hold it.
  const text = `SELECT first_id AS first, ids FROM room_blocks
    WHERE user_id = $1 AND room_id = $2 AND first_id > $3 AND first_id < $4
      AND first_id >= COALESCE((SELECT MAX(first_id) FROM room_blocks
        WHERE user_id = $1 AND room_id = $2 AND first_id <= $5), 0)
    ORDER BY first_id ${oldestFirst ? 'ASC' : 'DESC'} LIMIT ${PAGE_BLOCKS}`;
  for (let [low, high] = [0, before]; ;) {
    const blocks = await sql.query<{ first: number; ids: string }>(text, [
      ...[userId, roomId, low, high, after + 1],
    ]);
    for (const { ids } of blocks) {
      const wanted = ids
        .split(' ')
        .map(Number)
        .filter((id) => id > after && id < before);
      if (wanted.length > 0) yield oldestFirst ? wanted : wanted.reverse();
    }
    const last = blocks.at(-1);
    if (!last || blocks.length < PAGE_BLOCKS) return;
    if (oldestFirst) low = last.first;
    else high = last.first;
  }
}

async function* unindexedIds(sql: Sql, ask: MessageIdsAsk): AsyncGenerator<number[]> {
  const { userId, roomId, after, before, order } = ask;
  const oldestFirst = order === 'oldest first';
  const text = `SELECT id FROM messages
    WHERE user_id = $1 AND room_id = $2 AND id > $3 AND id < $4
    ORDER BY id ${oldestFirst ? 'ASC' : 'DESC'} LIMIT ${PAGE_IDS}`;
  for (let [low, high] = [after, before]; ;) {
    const page = await sql.query<{ id: number }>(text, [userId, roomId, low, high]);
    const ids = page.map(({ id }) => id);
    if (ids.length > 0) yield ids;
    const last = ids.at(-1);
    if (last === undefined || ids.length < PAGE_IDS) return;
    if (oldestFirst) low = last;
    else high = last;
  }
}
