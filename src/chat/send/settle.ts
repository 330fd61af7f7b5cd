import type { CatalogueModel } from '../../catalogue/index.ts';
import { stoppingError, type DomainError } from '../../lib/errors.ts';
import { toRubles, type Micro } from '../../lib/money.ts';
import { noUsage, type Attempt, type ToolCall, type Usage } from '../../providers/index.ts';
import { keptAnswer } from '../idempotency.ts';
import { keptOutput, keptRefusal } from '../responses/kept-output.ts';
import { requestBytes } from '../rooms/stored-bytes.ts';
import { attemptsToKeep } from '../commit/settle-rows.ts';
import { noAnswer, type SettleCommand } from '../commit/commands.ts';
import { keptOf } from './send-input.ts';
import { operatorCosts, type OperatorCosts } from './operator-cost.ts';
import type { SendResult, UnsettledResult } from './send-result.ts';
import { discardImages } from './sent-images.ts';
import { logFacts, type HeldSend, type SenderParts, type Undercharge } from './sender-parts.ts';
import { type Charge, chargeWithoutAnswer, type PricedAnswer } from './pricing.ts';

/** Charges an answer and writes it with its message, in one transaction; only then returns it. */
export async function settleAnswer(
  parts: SenderParts,
  held: HeldSend,
  priced: PricedAnswer,
  attempts: readonly Attempt[],
): Promise<SendResult> {
  const { served, text, image, charge, usage, toolCalls, finishReason } = priced;
  held.input.trace.spans?.answeredBy(served.model);
  const costs = operatorCosts(parts, held, served, attempts, charge.operatorCost);
  const end = closing(parts, held, served, priced.state, charge, attempts, costs);
  const warnings = [...held.warnings, ...priced.warnings, ...charge.warnings];
  // Each field by its name, since copying the rest of an object takes several times as long.
  const result: Complete<UnsettledResult> = {
    usage,
    finishReason,
    toolCalls,
    seed: priced.seed,
    stopSequence: priced.stopSequence,
    reasoning: priced.reasoning?.length ? priced.reasoning : undefined,
    choices: priced.choices,
    vectors: priced.vectors,
    transcript: priced.transcript,
    leftStream: priced.leftStream,
    roomId: held.input.roomId,
    id: held.messageId,
    request: held.stored.request,
    response: image ? parts.images.url(image.id) : text,
    costRequest: charge.request,
    costResponse: charge.response,
    versionId: served.versionId,
    contextUsed: held.context.items.length,
    warnings,
    askedAt: held.askedAt,
    respondedAt: end.at,
  };
  end.response = writtenAnswer(text, toolCalls);
  end.usage = usage;
  end.finishReason = finishReason;
  end.providerMessageId = priced.providerMessageId;
  end.image = image;
  end.sentImages = held.storedImages;
  end.warnings = warnings;
  // A client that left before any provider was called frees its key: there is no answer to repeat.
  if (held.idempotency && priced.wasCalled) end.keptAnswer = keptAnswer(result);
  if (keptOf(held.input)) end.keptOutput = keptOutput(result);
  const undercharge = underchargeOf(charge, priced.isUncounted ?? false);
  end.lost = undercharge?.amount ?? null;
  if (attempts.length > 1) logMadeUp(parts, held, attempts);
  const settled = await settle(parts, held, undercharge, end);
  return Object.assign(result, { balance: settled.balance });
}

/** Requires optional fields to be named, too. */
type Complete<T> = { [Name in keyof Required<T>]: T[Name] };

/** An answer as the history and the native interface show it: if it only calls tools, the calls as JSON. */
export function writtenAnswer(text: string, toolCalls: readonly ToolCall[]): string {
  return text === '' && toolCalls.length > 0 ? JSON.stringify(toolCalls) : text;
}

/**
 * Voids a hold after a failure. A refusal is charged at the usage that the provider reported, if any, and is recorded
 * with the model that refused; any other failure is recorded with the requested model.
 * @param served the model that was called last
 * @returns what was charged
 */
export async function settleFailure(
  parts: SenderParts,
  held: HeldSend,
  served: CatalogueModel,
  { code, refusal }: Pick<DomainError, 'code' | 'refusal'>,
  reported: Usage | undefined,
  attempts: readonly Attempt[],
): Promise<Micro> {
  const isRefusal = code === 'content_refused';
  const usage = isRefusal ? (reported ?? noUsage) : noUsage;
  const by = isRefusal ? served : held.model;
  const charge = chargeWithoutAnswer(held.model, by, usage, held.hold);
  const costs = operatorCosts(parts, held, served, attempts, undefined);
  const end = closing(parts, held, by, 'failed', charge, attempts, costs);
  end.usage = { ...usage, source: usage === noUsage ? null : 'provider' };
  end.errorCode = code;
  if (keptOf(held.input)) end.keptOutput = keptRefusal(refusal);
  const undercharge = underchargeOf(charge, false);
  end.lost = undercharge?.amount ?? null;
  await settle(parts, held, undercharge, end);
  return charge.request + charge.response;
}

/** Logs failures that another key, another attempt or a fallback made up for: otherwise nobody would see them. */
function logMadeUp({ log }: SenderParts, held: HeldSend, attempts: readonly Attempt[]): void {
  for (const { provider, model, keyHint, outcome, status } of attempts) {
    if (outcome === 'ok' || outcome === 'stopped') continue;
    log.warn(
      { ...logFacts(held), provider, called: model, key: keyHint, reason: outcome, status },
      'provider call failed, but another one answered',
    );
  }
}

/** The milliseconds that the attempts of a send spent at providers. */
function millisecondsOf(attempts: readonly Attempt[]): number {
  let sum = 0;
  for (const { durationMs } of attempts) sum += durationMs;
  return sum;
}

function underchargeOf({ lost }: Charge, isUncounted: boolean): Undercharge | undefined {
  if (lost > 0) return { reason: 'above_hold', amount: lost };
  return isUncounted ? { reason: 'not_counted', amount: 0 } : undefined;
}

async function settle(
  parts: SenderParts,
  held: HeldSend,
  undercharge: Undercharge | undefined,
  command: SettleCommand,
): Promise<{ balance: Micro }> {
  const { trace } = held.input;
  trace.spans?.enter('settle');
  const settled = await parts.commit.settle(command);
  const kept = settled.kind === 'settled' && !settled.erased;
  if (command.image && !kept) await discardImages(parts, [command.image]);
  if (command.state === 'failed' || !kept) await discardImages(parts, held.storedImages);
  const isLost = settled.kind === 'lost';
  const charged = isLost ? 0 : command.cost.request + command.cost.response;
  const outcome = isLost ? 'lost' : (command.errorCode ?? command.state);
  trace.modelId = command.modelId;
  trace.charged = charged;
  if (outcome !== 'done') trace.outcome = outcome;
  trace.spans?.settled({
    messageId: command.messageId,
    charged,
    outcome,
    usage: command.usage,
    texts: { ...held.stored, response: command.response },
  });
  parts.onSettled({
    model: `${command.modelId}`,
    outcome,
    promptTokens: command.usage.promptTokens ?? 0,
    completionTokens: command.usage.completionTokens ?? 0,
    charged,
    undercharge,
  });
  if (undercharge) logUndercharge(parts, held, command, undercharge);
  if (isLost) {
    parts.log.error(logFacts(held), 'settled by another node');
    throw stoppingError(true);
  }
  return settled;
}

function logUndercharge(
  { log }: SenderParts,
  held: HeldSend,
  { modelId: model, usage }: SettleCommand,
  { reason, amount }: Undercharge,
): void {
  const rub = { held_rub: toRubles(held.hold), lost_rub: toRubles(amount) };
  const tokens = { prompt_tokens: usage.promptTokens, completion_tokens: usage.completionTokens };
  log.warn(
    { ...logFacts(held), model, reason, ...rub, ...tokens },
    'undercharged: an answer may have cost more than was charged',
  );
}

/** The fields that every settle of a send has; the fields of an answer are empty. */
function closing(
  parts: SenderParts,
  held: HeldSend,
  served: CatalogueModel,
  state: SettleCommand['state'],
  charge: Charge,
  attempts: readonly Attempt[],
  costs: OperatorCosts,
): SettleCommand {
  const { askedAt } = held;
  const providerMs = millisecondsOf(attempts);
  // A clock that was set back must not make the answer older than its question.
  const endedAt = Math.max(parts.clock.now(), askedAt);
  held.input.trace.providerMs = providerMs;
  return {
    ...noAnswer,
    kind: 'settle',
    userId: held.userId,
    roomId: held.input.roomId,
    messageId: held.messageId,
    hold: held.hold,
    state,
    cost: { request: charge.request, response: charge.response },
    versionId: served.versionId,
    modelId: served.id,
    keyId: held.input.trace.keyId ?? '',
    request: held.stored.request,
    failedBytes: state === 'failed' ? requestBytes(held.stored, keptOf(held.input)) : 0,
    warnings: held.warnings,
    counted: held.admitted?.counted,
    operatorCost: costs.total,
    lost: null,
    attempts: attemptsToKeep(attempts, { askedAt, endedAt, providerMs }),
    attemptCosts: costs.attempts,
    idempotency: held.idempotency,
    at: endedAt,
  };
}
