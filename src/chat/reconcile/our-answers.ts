import type { Catalogue } from '../../catalogue/index.ts';
import type { Sql } from '../../db/index.ts';
import { dateOf } from '../../lib/clock.ts';
import type { Comparison, OurCounts } from './comparison.ts';

/** Messages read at a time, without their texts. */
const PAGE_ROWS = 1_000;

/** An answer that a provider may have charged for; `providerMessageId` is null if the provider gave it no id. */
export type OurAnswer = Comparison & { provider: string; day: string; ours: OurCounts };

interface MessageRow extends Omit<OurCounts, 'requests' | 'estimated'> {
  userId: number;
  messageId: number;
  versionId: number;
  providerMessageId: string | null;
  source: string | null;
  at: number;
}

/**
 * Every message that was answered, or whose provider reported usage, in pages along the primary key. All messages are
 * read, since no index is by time or by the provider's id.
 * @param from @param to milliseconds; `to` is exclusive
 */
export async function* ourAnswers(
  sql: Sql,
  catalogue: Catalogue,
  { from, to }: { from: number; to: number },
): AsyncGenerator<OurAnswer[]> {
  let after: readonly [number, number] = [0, 0];
  for (;;) {
    const page = await sql.query<MessageRow>(
      `SELECT user_id AS "userId", id AS "messageId", version_id AS "versionId",
         provider_message_id AS "providerMessageId", COALESCE(prompt_tokens, 0) AS "promptTokens",
         COALESCE(completion_tokens, 0) AS "completionTokens", cached_tokens AS "cachedTokens",
         reasoning_tokens AS "reasoningTokens", usage_source AS source,
         cost_request + cost_response AS charged, created_at AS at
       FROM messages
       WHERE (user_id, id) > ($1, $2) AND created_at >= $3 AND created_at < $4
         AND (state IN ('done', 'stopped') OR (state = 'failed' AND prompt_tokens IS NOT NULL))
       ORDER BY user_id, id LIMIT ${PAGE_ROWS}`,
      [...after, from, to],
    );
    if (page.length > 0) yield await Promise.all(page.map((row) => toAnswer(catalogue, row)));
    const last = page.at(-1);
    if (!last || page.length < PAGE_ROWS) return;
    after = [last.userId, last.messageId];
  }
}

async function toAnswer(catalogue: Catalogue, row: MessageRow): Promise<OurAnswer> {
  const { userId, messageId, versionId, providerMessageId, source, at, ...counts } = row;
  const { view } = await catalogue.version(versionId);
  return {
    provider: view.code,
    model: view.model,
    userId,
    messageId,
    providerMessageId,
    day: dateOf(at),
    line: null,
    file: null,
    ours: { requests: 1, ...counts, estimated: source === 'estimated' },
  };
}
