import type { Sql } from '../db/index.ts';
import { DomainError } from '../lib/errors.ts';
import { PageSize } from '../lib/page-size.ts';
import { estimateTokens } from './tokens.ts';

/** Tokens allowed a message for roles and separators, on top of its text. */
export const TOKENS_PER_MESSAGE = 16;

export interface ContextItem {
  request: string;
  response: string;
}

export interface FittedContext {
  /** Oldest first. */
  items: ContextItem[];
  /** The most tokens that the provider can count for all that is sent. */
  inputTokensMax: number;
}

export interface ContextAsk {
  userId: number;
  roomId: string;
  depth: number;
  systemPrompt: string;
  message: string;
  maxInputTokens: number;
  /** What stands in the place of an answer that is an image. */
  imageUrl: (imageId: string) => string;
}

interface ItemRow extends ContextItem {
  id: number;
  imageId: string | null;
}

/**
 * Chooses what of the room is sent along: the last `depth` items that have an answer (embeddings have none in
 * words), oldest first; when they do not fit into the model's input, the oldest are left out.
 * @throws `input_too_long` when message and system prompt alone do not fit
 */
export async function readContext(sql: Sql, ask: ContextAsk): Promise<FittedContext> {
  const budget = new TokenBudget(ask.maxInputTokens);
  const own = [ask.systemPrompt, ask.message].filter((text) => text !== '');
  if (!(await budget.take(own))) {
    throw new DomainError(
      'input_too_long',
      `the message with its system prompt is longer than the model's ${ask.maxInputTokens} input tokens: shorten it`,
    );
  }
  const newestFirst: ContextItem[] = [];
  let before = Number.MAX_SAFE_INTEGER;
  // Read in pages, newest first, until it no longer fits.
  const size = new PageSize();
  while (newestFirst.length < ask.depth) {
    const limit = Math.min(size.rows, ask.depth - newestFirst.length);
    const page = await readPage(sql, ask, before, limit);
    for (const row of page) {
      const response = row.imageId === null ? row.response : ask.imageUrl(row.imageId);
      if (!(await budget.take([row.request, response]))) return fitted(newestFirst, budget);
      newestFirst.push({ request: row.request, response });
    }
    const oldest = page.at(-1);
    if (!oldest || page.length < limit) break;
    before = oldest.id;
    size.observe(page.map((row) => row.request.length + row.response.length));
  }
  return fitted(newestFirst, budget);
}

function fitted(newestFirst: ContextItem[], budget: TokenBudget): FittedContext {
  return { items: newestFirst.toReversed(), inputTokensMax: budget.upperBound };
}

/** By index: never reads the room whole. */
function readPage(sql: Sql, ask: ContextAsk, before: number, limit: number): Promise<ItemRow[]> {
  return sql.query<ItemRow>(
    `SELECT id, request, response, image_id AS "imageId" FROM messages
     WHERE user_id = $1 AND room_id = $2 AND id < $3 AND state IN ('done', 'stopped')
       AND (response <> '' OR image_id IS NOT NULL)
       AND id > (SELECT erased_through FROM rooms WHERE room_id = $2)
     ORDER BY id DESC LIMIT $4`,
    [ask.userId, ask.roomId, before, limit],
  );
}

/**
 * Counts what is sent against the model's input limit. A token is at least one byte, so as long as the
 * bytes fit no tokenizer is needed; only then texts are counted.
 */
export class TokenBudget {
  readonly #max: number;
  readonly #texts: string[] = [];
  #bytes = 0;
  #estimate: number | undefined;

  constructor(max: number) {
    this.#max = max;
  }

  /** The smaller of the model's limit and the UTF-8 bytes sent plus 16 a message. */
  get upperBound(): number {
    return Math.min(this.#max, this.#bytes);
  }

  async take(texts: string[]): Promise<boolean> {
    const bytes = texts.reduce(
      (sum, text) => sum + Buffer.byteLength(text) + TOKENS_PER_MESSAGE,
      this.#bytes,
    );
    if (bytes > this.#max) {
      this.#estimate ??= await countAll(this.#texts);
      const estimate = this.#estimate + (await countAll(texts, this.#max - this.#estimate));
      if (estimate > this.#max) return false;
      this.#estimate = estimate;
    } else this.#texts.push(...texts);
    this.#bytes = bytes;
    return true;
  }
}

/** @param enough counting stops above it: only that it is more is asked */
async function countAll(texts: string[], enough = Infinity): Promise<number> {
  let tokens = 0;
  for (const text of texts) tokens += await estimateTokens(text, enough - tokens);
  return tokens;
}
