import type { CatalogueModel } from '../../catalogue/index.ts';
import type { Sql } from '../../db/index.ts';
import { costOf, type HoldBounds } from '../../ledger/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { dayOf } from '../../lib/days.ts';
import type { Micro } from '../../lib/money.ts';
import type { FittedContext } from '../context/context.ts';
import { estimateTokens, PIECE_CHARS, ROLE_TOKENS } from '../context/tokens.ts';
import { imageTokens } from './kinds/room.ts';
import { kindOf, type SendInput } from './send-input.ts';

/** The assumed tokens of an answer, for a user with no recent answers of the model. */
const ANSWER_TOKENS = 500;
/** How many days of answers count, including today. */
const DAYS = 7;
/** How many pieces of the input are counted, spread evenly: pages ask after each change of a message. */
const PIECES_MAX = 8;

interface LikelyCostInput {
  userId: number;
  model: CatalogueModel;
  input: SendInput;
  context: FittedContext;
  bounds: HoldBounds;
  costMax: Micro;
}

/**
 * What a send will probably cost: its input as the tokenizer counts it, an answer as long as the mean of this user's
 * answers from this model in 7 days, and the usual prices. Never above the most that it can cost.
 */
export async function likelyCost(
  { db, clock }: { db: Sql; clock: Clock },
  { userId, model, input, context, bounds, costMax }: LikelyCostInput,
): Promise<Micro> {
  const prompt = likelyPrompt(kindOf(input).limitedTexts(input, context).flat(), userId);
  const images = input.kind === 'room' ? imageTokens(input) : 0;
  const answer = meanAnswer(db, userId, model.id, dayOf(clock.now()));
  const likely = costOf(bounds.price, {
    ...bounds.measured,
    promptTokens: Math.min((await prompt) + images, bounds.inputTokensMax),
    completionTokens: Math.min((await answer) ?? ANSWER_TOKENS, bounds.outputTokensMax),
  });
  return Math.min(likely.request + likely.response, costMax);
}

/** The tokens of the messages; for long ones a sample is counted, and the count is scaled up. */
async function likelyPrompt(texts: readonly string[], userId: number): Promise<number> {
  const roles = ROLE_TOKENS * texts.length;
  const all = texts.join('');
  const sample = sampleOf(all);
  if (sample === '') return roles;
  return (
    roles + Math.round(((await estimateTokens([sample], userId)) * all.length) / sample.length)
  );
}

function sampleOf(text: string): string {
  if (text.length <= PIECES_MAX * PIECE_CHARS) return text;
  const step = text.length / PIECES_MAX;
  const pieces = Array.from({ length: PIECES_MAX }, (_, at) => {
    const start = Math.floor(at * step);
    return text.slice(start, start + PIECE_CHARS);
  });
  return pieces.join('');
}

/** Undefined if there was no answer on those days. */
async function meanAnswer(
  db: Sql,
  userId: number,
  modelId: number,
  today: number,
): Promise<number | undefined> {
  const [row] = await db.query<{ requests: number; tokens: number }>(
    `SELECT CAST(COALESCE(SUM(requests), 0) AS BIGINT) AS requests,
       CAST(COALESCE(SUM(completion_tokens), 0) AS BIGINT) AS tokens
     FROM usage_daily WHERE user_id = $1 AND model_id = $2 AND day > $3`,
    [userId, modelId, today - DAYS],
  );
  return row && row.requests > 0 ? Math.round(row.tokens / row.requests) : undefined;
}
