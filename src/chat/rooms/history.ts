import { queryIn, selectCounts, type Database } from '../../db/index.ts';
import type { Micro } from '../../lib/money.ts';
import { tokenCounts, type ReportedTokens } from '../../lib/units.ts';
import type { MessageState } from '../commit/commands.ts';
import { messageIds, type MessageIdsQuery } from './room-index.ts';
import type { Rooms } from './rooms.ts';

/** One request with its answer. A missing text is empty. */
export interface HistoryItem extends ReportedTokens {
  id: number;
  state: MessageState;
  systemPrompt: string;
  request: string;
  response: string;
  imageId: string | null;
  /** JSON. */
  parameters: string;
  /** The Model as it was when the message was sent. */
  versionId: number;
  providerMessageId: string | null;
  usageSource: string | null;
  finishReason: string | null;
  errorCode: string | null;
  costRequest: Micro;
  costResponse: Micro;
  createdAt: number;
  /** Null for a message without an answer, such as a failed one. */
  respondedAt: number | null;
}

export interface HistoryQuery {
  /** Null: the most recently used room. */
  roomId: string | null;
  includeFailed: boolean;
  /** How many of the newest items; absent: all. */
  limit: number | undefined;
  /** Only items with a smaller id. */
  before: number | undefined;
}

const columns = `id, state, system_prompt AS "systemPrompt", request, response, parameters,
  image_id AS "imageId", version_id AS "versionId", provider_message_id AS "providerMessageId",
  ${selectCounts(tokenCounts)},
  usage_source AS "usageSource", finish_reason AS "finishReason",
  error_code AS "errorCode", cost_request AS "costRequest", cost_response AS "costResponse",
  created_at AS "createdAt",
  CASE WHEN state = 'failed' THEN NULL ELSE response_at END AS "respondedAt"`;

export class History {
  readonly #db: Database;
  readonly #rooms: Rooms;

  constructor(db: Database, rooms: Rooms) {
    this.#db = db;
    this.#rooms = rooms;
  }

  /**
   * The items of a room in pages, oldest first: those with an answer, including stopped streams; with `includeFailed`,
   * also the others. @throws `room_not_found`
   */
  async read(
    userId: number,
    query: HistoryQuery,
  ): Promise<{ roomId: string; pages: AsyncGenerator<HistoryItem[]> }> {
    const { roomId, erasedThrough } = await this.#rooms.find(userId, query.roomId);
    const before = query.before ?? Number.MAX_SAFE_INTEGER;
    const scope = { userId, roomId, after: erasedThrough, before };
    const states = query.includeFailed ? '' : `AND state IN ('done', 'stopped')`;
    if (query.limit !== undefined) {
      const first = await this.#newest(scope, states, query.limit);
      if (first !== undefined) scope.after = first - 1;
    }
    return { roomId, pages: this.#pages(scope, states) };
  }

  async #newest(scope: Scope, states: string, limit: number): Promise<number | undefined> {
    const text = `SELECT id FROM messages WHERE user_id = $1 AND id IN (LIST) ${states}`;
    let left = limit;
    let oldest: number | undefined;
    for await (const ids of messageIds(this.#db, { ...scope, order: 'newest first' })) {
      const page = await queryIn<{ id: number }>(this.#db, text, ids, [scope.userId]);
      const shown = page.map(({ id }) => id).sort((a, b) => b - a);
      oldest = shown[Math.min(left, shown.length) - 1] ?? oldest;
      left -= shown.length;
      if (left <= 0) break;
    }
    return oldest;
  }

  async *#pages(scope: Scope, states: string): AsyncGenerator<HistoryItem[]> {
    const { userId } = scope;
    // The database knows the length of a text without reading it.
    const sizesOf = `SELECT id,
        OCTET_LENGTH(system_prompt) + OCTET_LENGTH(request) + OCTET_LENGTH(response) AS bytes
      FROM messages WHERE user_id = $1 AND id IN (LIST) ${states} ORDER BY id`;
    const itemsOf = `SELECT ${columns} FROM messages
      WHERE user_id = $1 AND id IN (LIST) ${states} ORDER BY id`;
    for await (const ids of messageIds(this.#db, { ...scope, order: 'oldest first' })) {
      const sizes = await queryIn<MessageSize>(this.#db, sizesOf, ids, [userId]);
      for (const some of pagesOf(sizes)) {
        const page = await queryIn<HistoryItem>(this.#db, itemsOf, some, [userId]);
        if (page.length > 0) yield page;
      }
    }
  }
}

interface MessageSize {
  id: number;
  bytes: number;
}

/** Bytes of text on one page, unless one message has more: a long room is streamed, not built in memory. */
const PAGE_BYTES = 512 * 1024;

/** The ids of messages, page by page. */
function* pagesOf(sizes: readonly MessageSize[]): Generator<number[]> {
  let ids: number[] = [];
  let bytes = 0;
  for (const size of sizes) {
    if (ids.length > 0 && bytes + size.bytes > PAGE_BYTES) {
      yield ids;
      [ids, bytes] = [[], 0];
    }
    ids.push(size.id);
    bytes += size.bytes;
  }
  if (ids.length > 0) yield ids;
}

type Scope = Omit<MessageIdsQuery, 'order'>;
