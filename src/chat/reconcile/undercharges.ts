import { priceAt, type Catalogue } from '../../catalogue/index.ts';
import { selectCounts } from '../../db/index.ts';
import {
  answerLeft,
  costOf,
  costWithoutAnswer,
  lowerOf,
  wasAnswered,
  type AnsweredRow,
} from '../../ledger/index.ts';
import { dateOf, dayOfDate, startOfDay } from '../../lib/days.ts';
import { freePrice, partCounts, type AnswerTokens } from '../../lib/units.ts';
import { nothing, type OurSide } from './comparison.ts';
import type { Days, ReconcileParts } from './report.ts';

/** Messages read at a time, without their texts. */
const PAGE_ROWS = 1_000;

interface MessageRow extends AnswerTokens, AnsweredRow {
  userId: number;
  messageId: number;
  askedVersionId: number;
  versionId: number;
  providerMessageId: string | null;
  source: string | null;
  hold: number;
  at: number;
}

/**
 * Answers of these days whose usage costs more than was held, in pages: the difference was not charged. All messages
 * are read, since no index is by time.
 */
export async function* underchargedAnswers(
  { db, catalogue }: ReconcileParts,
  { from, to }: Days,
): AsyncGenerator<OurSide[]> {
  const begin = from === undefined ? 0 : startOfDay(dayOfDate(from));
  const end = to === undefined ? Number.MAX_SAFE_INTEGER : startOfDay(dayOfDate(to) + 1);
  for (let after: readonly [number, number] = [0, 0]; ;) {
    const page = await db.query<MessageRow>(
      `SELECT user_id AS "userId", id AS "messageId", asked_version_id AS "askedVersionId",
         version_id AS "versionId", COALESCE(prompt_tokens, 0) AS "promptTokens",
         COALESCE(completion_tokens, 0) AS "completionTokens", ${selectCounts(partCounts)},
         state, ${answerLeft('messages')} AS answer, provider_message_id AS "providerMessageId",
         usage_source AS source, hold, created_at AS at
       FROM messages
       WHERE (user_id, id) > ($1, $2) AND created_at >= $3 AND created_at < $4
         AND cost_request + cost_response = hold AND prompt_tokens IS NOT NULL
       ORDER BY user_id, id LIMIT ${PAGE_ROWS}`,
      [...after, begin, end],
    );
    const sides = await Promise.all(page.map((row) => sideOf(catalogue, row)));
    const undercharged = sides.filter(({ lost }) => (lost ?? 0) > 0);
    if (undercharged.length > 0) yield undercharged;
    const last = page.at(-1);
    if (!last || page.length < PAGE_ROWS) return;
    after = [last.userId, last.messageId];
  }
}

async function sideOf(catalogue: Catalogue, row: MessageRow): Promise<OurSide> {
  const { userId, messageId, versionId, askedVersionId, providerMessageId, at, hold } = row;
  const served = await catalogue.version(versionId);
  const requested = await catalogue.version(askedVersionId);
  const cost = wasAnswered(row, served.view.modality === 'text') ? costOf : costWithoutAnswer;
  const { request, response } = lowerOf(
    cost(priceAt(served, at) ?? freePrice, row),
    cost(priceAt(requested, at) ?? freePrice, row),
  );
  const { promptTokens, completionTokens, cachedTokens, reasoningTokens } = row;
  const counts = { promptTokens, completionTokens, cachedTokens, reasoningTokens };
  return {
    ...nothing,
    provider: served.view.code,
    model: served.view.model,
    userId,
    messageId,
    providerMessageId,
    day: dateOf(at),
    ours: { requests: 1, ...counts, charged: hold, estimated: row.source === 'estimated' },
    lost: request + response - hold,
  };
}
