import { queryIn, type Sql } from '../../db/index.ts';
import { DomainError } from '../../lib/errors.ts';
import { PageSize } from '../../lib/page-size.ts';
import { Branch } from './branch.ts';
import { imagesIn } from './sent-images.ts';
import { messageIds, readRecent } from '../rooms/room-index.ts';
import type { Message } from '../../providers/index.ts';
import { estimateTokens } from './tokens.ts';

/** Tokens allowed for the role and the separators of a message, in addition to its text. */
export const TOKENS_PER_MESSAGE = 16;

export interface ContextItem {
  request: string;
  response: string;
}

export interface FittedContext {
  /** Oldest first. */
  items: ContextItem[];
  /** The most tokens that the provider can count for everything that is sent. */
  inputTokensMax: number;
  /** What is left of a conversation that was too long and could be shortened. */
  shortened?: { messages: readonly Message[]; warning: string };
}

export interface ContextQuery {
  userId: number;
  roomId: string;
  depth: number;
  /** Only items before this message. */
  before?: number | undefined;
  systemPrompt: string;
  message: string;
  maxInputTokens: number;
  /** The URL to send in place of an answer that is an image. */
  imageUrl: (imageId: string) => string;
}

/**
 * Chooses the items of the room that are sent along, oldest first: the last `depth` items, except those with an empty
 * answer. If they do not fit into the model's input, the oldest are left out.
 * @throws `input_too_long` when the message and the system prompt alone do not fit
 */
export async function readContext(sql: Sql, query: ContextQuery): Promise<FittedContext> {
  const budget = new TokenBudget(query.maxInputTokens, query.userId);
  const { systemPrompt, message } = query;
  if (!(await budget.take(systemPrompt === '' ? [message] : [systemPrompt, message]))) {
    throw new DomainError(
      'input_too_long',
      `the message with its system prompt is longer than the model's ${query.maxInputTokens} input tokens: shorten it`,
    );
  }
  const newestFirst: ContextItem[] = [];
  if (query.depth === 0) return fitted(newestFirst, budget);
  for await (const page of answeredItems(sql, query)) {
    for (const row of page) {
      const response = row.imageId === null ? row.response : query.imageUrl(row.imageId);
      // Images are sent with their own message alone: each would otherwise be charged again with every later message.
      const notes = imagesIn({ ...row, state: 'done' }).map(() => '[image]');
      const request = [row.request, ...notes].join('\n');
      if (!(await budget.take([request, response]))) return fitted(newestFirst, budget);
      newestFirst.push({ request, response });
    }
  }
  return fitted(newestFirst, budget);
}

function fitted(newestFirst: ContextItem[], budget: TokenBudget): FittedContext {
  return { items: newestFirst.toReversed(), inputTokensMax: budget.upperBound };
}

/** A request of a room with its answer, which is a text or an image. */
export interface AnsweredItem extends ContextItem {
  id: number;
  imageId: string | null;
  /** JSON. */
  parameters: string;
}

type ItemsQuery = Pick<ContextQuery, 'userId' | 'roomId' | 'depth' | 'before'>;

interface RoomRow {
  /** Messages that were answered, also those with an empty answer: embeddings have no text. */
  answered: number;
  recent: string;
  erasedThrough: number;
}

const itemsOf = `SELECT id, request, response, image_id AS "imageId", parameters
  FROM messages
  WHERE user_id = $1 AND id IN (LIST) AND state IN ('done', 'stopped') ORDER BY id DESC`;

/**
 * The items among the last `depth` of a room that can be sent, in pages, newest first. An item with an empty answer
 * counts as one of them but is left out: providers refuse empty answers, and some refuse a request without its answer;
 * an older item must not take its place. Failed messages do not count, nor do those that another one has replaced. The
 * room is never read whole: nearly always its row knows the ids.
 */
export async function* answeredItems(sql: Sql, query: ItemsQuery): AsyncGenerator<AnsweredItem[]> {
  const { userId, roomId } = query;
  const [room] = await sql.query<RoomRow>(
    `SELECT message_count AS answered, recent, erased_through AS "erasedThrough" FROM rooms
     WHERE room_id = $1 AND user_id = $2`,
    [roomId, userId],
  );
  if (!room) return;
  const size = new PageSize();
  let left = Math.min(query.depth, room.answered);
  const branch = new Branch(query.before);
  for await (const newestFirst of candidates(sql, query, room)) {
    for (let start = 0; start < newestFirst.length && left > 0;) {
      const ids = newestFirst.slice(start, start + Math.min(size.rows, left));
      start += ids.length;
      const read = await queryIn<AnsweredItem>(sql, itemsOf, ids, [userId]);
      const page = read.filter((item) => branch.has(item)).slice(0, left);
      yield page.filter(({ response, imageId }) => response !== '' || imageId !== null);
      left -= page.length;
      size.observe(page.map((row) => row.request.length + row.response.length));
    }
    if (left === 0) return;
  }
}

/** Ids of the room's messages in pages, newest first: those in the room's row, then those before them. */
async function* candidates(
  sql: Sql,
  { userId, roomId, before: end = Number.MAX_SAFE_INTEGER }: ItemsQuery,
  { recent, erasedThrough }: RoomRow,
): AsyncGenerator<number[]> {
  const known = readRecent(recent);
  yield known.filter((id) => id < end).toReversed();
  const before = Math.min(known[0] ?? end, end);
  yield* messageIds(sql, { userId, roomId, after: erasedThrough, before, order: 'newest first' });
}

/**
 * Checks the texts of a request against the model's input limit. A token has at least one byte, so tokens are counted
 * only if the bytes do not fit.
 */
export class TokenBudget {
  readonly #max: number;
  readonly #userId: number | undefined;
  readonly #texts: string[] = [];
  #bytes = 0;
  #estimate: number | undefined;

  /** @param userId the user whose texts they are */
  constructor(max: number, userId?: number) {
    this.#max = max;
    this.#userId = userId;
  }

  /** The smaller of the model's limit and the UTF-8 bytes sent plus 16 a message. */
  get upperBound(): number {
    return Math.min(this.#max, this.#bytes);
  }

  take(texts: string[]): boolean | Promise<boolean> {
    let bytes = this.#bytes;
    for (const text of texts) bytes += Buffer.byteLength(text) + TOKENS_PER_MESSAGE;
    if (bytes > this.#max) return this.#takeCounted(texts, bytes);
    this.#texts.push(...texts);
    this.#bytes = bytes;
    return true;
  }

  async #takeCounted(texts: string[], bytes: number): Promise<boolean> {
    const userId = this.#userId;
    this.#estimate ??= await estimateTokens(this.#texts, userId);
    const left = this.#max - this.#estimate;
    const estimate = this.#estimate + (await estimateTokens(texts, userId, left));
    if (estimate > this.#max) return false;
    this.#estimate = estimate;
    this.#bytes = bytes;
    return true;
  }
}
