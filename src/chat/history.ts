import type { Database } from '../db/index.ts';
import type { Micro } from '../lib/money.ts';
import { PageSize } from '../lib/page-size.ts';
import type { MessageState } from './commit/commands.ts';
import type { Rooms } from './rooms.ts';

/** One request with its answer. Texts of what there is none of are empty. */
export interface HistoryItem {
  id: number;
  state: MessageState;
  systemPrompt: string;
  request: string;
  response: string;
  imageId: string | null;
  /** The Model as it was when the message was sent. */
  versionId: number;
  providerMessageId: string | null;
  promptTokens: number | null;
  completionTokens: number | null;
  totalTokens: number | null;
  /** Parts of the counts above; null: the provider told none. */
  cachedTokens: number | null;
  cacheWriteTokens: number | null;
  reasoningTokens: number | null;
  usageSource: string | null;
  finishReason: string | null;
  errorCode: string | null;
  costRequest: Micro;
  costResponse: Micro;
  createdAt: number;
  /** Null without an answer: one that failed has ended at some time, but was not answered. */
  respondedAt: number | null;
}

export interface HistoryAsk {
  /** Null: the room used last. */
  roomId: string | null;
  includeFailed: boolean;
  /** Only the newest so many; absent: all. */
  limit: number | undefined;
  /** Only items with a smaller id. */
  before: number | undefined;
}

const columns = `id, state, system_prompt AS "systemPrompt", request, response,
  image_id AS "imageId", version_id AS "versionId", provider_message_id AS "providerMessageId",
  prompt_tokens AS "promptTokens", completion_tokens AS "completionTokens",
  total_tokens AS "totalTokens", cached_tokens AS "cachedTokens",
  cache_write_tokens AS "cacheWriteTokens", reasoning_tokens AS "reasoningTokens",
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
   * The items of a room in pages, oldest first: those with an answer, also a stopped stream's; with
   * `includeFailed` the rest too. @throws `room_not_found`
   */
  async read(
    userId: number,
    ask: HistoryAsk,
  ): Promise<{ roomId: string; pages: AsyncGenerator<HistoryItem[]> }> {
    const room = await this.#rooms.find(userId, ask.roomId);
    const states = ask.includeFailed ? '' : `AND state IN ('done', 'stopped')`;
    const where = `user_id = $1 AND room_id = $2 AND id < $3 AND id > $4 ${states}`;
    const before = ask.before ?? Number.MAX_SAFE_INTEGER;
    const scope = [userId, room.roomId, before] as const;
    let after = room.erasedThrough;
    if (ask.limit !== undefined) {
      const [first] = await this.#db.query<{ id: number }>(
        `SELECT MIN(id) AS id FROM (SELECT id FROM messages WHERE ${where}
           ORDER BY id DESC LIMIT $5) newest`,
        [...scope, after, ask.limit],
      );
      // MIN of nothing is null: then the pages are empty too.
      if (first?.id) after = first.id - 1;
    }
    return { roomId: room.roomId, pages: this.#pages(where, scope, after) };
  }

  async *#pages(
    where: string,
    scope: readonly [number, string, number],
    start: number,
  ): AsyncGenerator<HistoryItem[]> {
    let after = start;
    // A long room is streamed out, not built in memory.
    const size = new PageSize();
    for (;;) {
      const limit = size.rows;
      const page = await this.#db.query<HistoryItem>(
        `SELECT ${columns} FROM messages WHERE ${where} ORDER BY id LIMIT $5`,
        [...scope, after, limit],
      );
      if (page.length > 0) yield page;
      const last = page.at(-1);
      if (!last || page.length < limit) return;
      after = last.id;
      size.observe(page.map((item) => item.request.length + item.response.length));
    }
  }
}
