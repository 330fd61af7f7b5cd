import type { IdempotencyKey } from '../commit/commands.ts';
import { capOf, contextFor, holdAsk } from './hold-ask.ts';
import { holdRefusal } from './hold-refusal.ts';
import { readKeptAnswer } from '../idempotency/kept-answer.ts';
import { findKeptAnswer } from '../idempotency/idempotency.ts';
import { modelForUser } from './models.ts';
import type { SendResult } from './send-result.ts';
import type { SenderParts } from './sender-parts.ts';
import { checkAgainstModel, type SendInput } from './rules.ts';
import type { Held } from './held.ts';

/**
 * Everything before the provider is called: checks the request, chooses its context, and takes the hold with the
 * message. If the idempotency key has an answer already, it returns that instead.
 * @throws every refusal of a send; nothing is held then
 */
export async function takeHold(
  parts: SenderParts,
  userId: number,
  input: SendInput,
  idempotency: IdempotencyKey | undefined,
): Promise<{ held: Held } | { replay: SendResult }> {
  // First of all: what was answered once is answered again, whatever has changed since.
  const kept = idempotency && (await findKeptAnswer(parts.db, userId, idempotency));
  if (kept !== undefined) return { replay: readKeptAnswer(kept) };
  const model = await modelForUser(parts, userId, input.ai);
  const warnings = checkAgainstModel(model, input);
  const context = await contextFor(parts, userId, model, input);
  const askedAt = parts.clock.now();
  const result = await parts.commit.hold({
    kind: 'hold',
    userId,
    roomId: input.roomId,
    nodeId: parts.nodeId(),
    ask: holdAsk(model, input, context),
    idempotency,
    modelId: model.id,
    versionId: model.versionId,
    systemPrompt: input.systemPrompt,
    request: input.message,
    parameters: {
      chat_depth: input.chatDepth,
      temperature: input.temperature,
      seed: input.seed,
    },
    at: askedAt,
  });
  if (result.kind === 'replay') return { replay: readKeptAnswer(result.response) };
  if (result.kind !== 'held') throw holdRefusal(result, model.id);
  const { messageId, hold, outputTokensMax, admitted } = result;
  if (outputTokensMax < capOf(model, input)) {
    warnings.push(
      `max_output_tokens was lowered to ${outputTokensMax}, the most that your balance ${admitted ? 'and your limits cover' : 'covers'}`,
    );
  }
  const about = { userId, model, input, context, idempotency, warnings, admitted, attempts: [] };
  return { held: { ...about, askedAt, messageId, hold, outputTokensMax } };
}
