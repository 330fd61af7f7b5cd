import type { Catalogue } from '../../catalogue/index.ts';
import { dateOf, dayOfDate, startOfDay } from '../../lib/days.ts';
import { nothing, type Comparison, type OurCounts, type OurSide } from './comparison.ts';
import type { ExportReader } from './export-reader.ts';
import type { Days, ReconcileParts } from './report.ts';

/**
 * Our answers are also searched this many days before and after the file's days, since clocks and time zones differ.
 */
const MARGIN_DAYS = 1;

/** Messages read at a time, without their texts. */
const PAGE_ROWS = 1_000;

/** The lines of the file as single answers, each with the provider's id. */
export async function* linesById(reader: ExportReader): AsyncGenerator<Comparison[]> {
  for await (const rows of reader.batches()) {
    yield rows.flatMap(({ id, line, day = null, model = null, ...row }) => {
      if (id === undefined) {
        reader.refuse(line, 'it has no id');
        return [];
      }
      const file = {
        requests: 1,
        promptTokens: row.promptTokens ?? null,
        completionTokens: row.completionTokens ?? null,
        cachedTokens: row.cachedTokens ?? null,
        reasoningTokens: row.reasoningTokens ?? null,
      };
      return [{ ...nothing, key: id, day, model, line, providerMessageId: id, file }];
    });
  }
}

interface MessageRow extends Omit<OurCounts, 'requests' | 'estimated'> {
  userId: number;
  messageId: number;
  versionId: number;
  providerMessageId: string | null;
  source: string | null;
  at: number;
}

/**
 * Our answers around these days: every message that was answered, or whose provider reported usage, in pages along the
 * primary key. All messages are read, since no index is by time or by the provider's id.
 */
export async function* oursById(
  { db, catalogue }: ReconcileParts,
  days: Days,
): AsyncGenerator<OurSide[]> {
  const from = days.from === undefined ? 0 : startOfDay(dayOfDate(days.from) - MARGIN_DAYS);
  const to =
    days.to === undefined
      ? Number.MAX_SAFE_INTEGER
      : startOfDay(dayOfDate(days.to) + 1 + MARGIN_DAYS);
  let after: readonly [number, number] = [0, 0];
  for (;;) {
    const page = await db.query<MessageRow>(
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

async function toAnswer(catalogue: Catalogue, row: MessageRow): Promise<OurSide> {
  const { userId, messageId, versionId, providerMessageId, source, at, ...counts } = row;
  const { view } = await catalogue.version(versionId);
  return {
    ...nothing,
    key: providerMessageId,
    provider: view.code,
    model: view.model,
    userId,
    messageId,
    providerMessageId,
    day: dateOf(at),
    ours: { requests: 1, ...counts, estimated: source === 'estimated' },
  };
}
