import type { CatalogueModel } from '../../catalogue/index.ts';
import { stoppingError, type ErrorCode } from '../../lib/errors.ts';
import { toRubles, type Micro } from '../../lib/money.ts';
import { noUsage, type Attempt, type ToolCall, type Usage } from '../../providers/index.ts';
import { keptAnswer } from '../idempotency.ts';
import { attemptsToKeep } from '../commit/settle-rows.ts';
import { noAnswer, type SettleCommand } from '../commit/commands.ts';
import type { SendResult, UnsettledResult } from './send-result.ts';
import { logFacts, type HeldSend, type SenderParts, type Undercharge } from './sender-parts.ts';
import { type Charge, chargeWithoutAnswer, type PricedAnswer } from './pricing.ts';

/** Charges an answer and writes it with its message, in one transaction; only then returns it. */
export async function settleAnswer(
  parts: SenderParts,
  held: HeldSend,
  priced: PricedAnswer,
  attempts: readonly Attempt[],
): Promise<SendResult> {
  const { served, text, image, providerMessageId, charge, state, wasCalled, ...rest } = priced;
  const { isUncounted = false, ...shown } = rest;
  const end = closing(parts, held, served, state, charge, attempts);
  const warnings = [...held.warnings, ...priced.warnings, ...charge.warnings];
  const result: UnsettledResult = {
    ...shown,
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
  const undercharge = underchargeOf(charge, isUncounted);
  const settled = await settle(parts, held, undercharge, {
    ...end,
    response: writtenAnswer(text, shown.toolCalls),
    usage: shown.usage,
    finishReason: shown.finishReason,
    providerMessageId,
    image,
    warnings,
    // A client that left before any provider was called frees its key: there is no answer to repeat.
    keptAnswer: held.idempotency && wasCalled ? keptAnswer(result) : undefined,
  });
  return Object.assign(result, { balance: settled.balance });
}

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
  code: ErrorCode,
  reported: Usage | undefined,
  attempts: readonly Attempt[],
): Promise<Micro> {
  const isRefusal = code === 'content_refused';
  const usage = isRefusal ? (reported ?? noUsage) : noUsage;
  const by = isRefusal ? served : held.model;
  const charge = chargeWithoutAnswer(held.model, by, usage, held.hold);
  await settle(parts, held, underchargeOf(charge, false), {
    ...closing(parts, held, by, 'failed', charge, attempts),
    usage: { ...usage, source: usage === noUsage ? null : 'provider' },
    errorCode: code,
  });
  return charge.request + charge.response;
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
  const settled = await parts.commit.settle(command);
  const kept = settled.kind === 'settled' && !settled.erased;
  if (command.image && !kept) await parts.images.removal.discard(command.image.id);
  const isLost = settled.kind === 'lost';
  const charged = isLost ? 0 : command.cost.request + command.cost.response;
  Object.assign(held.input.trace, { modelId: command.modelId, charged });
  parts.onSettled({
    model: `${command.modelId}`,
    outcome: isLost ? 'lost' : (command.errorCode ?? command.state),
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
  const { promptTokens, completionTokens } = usage;
  log.warn(
    { ...logFacts(held), model, reason, ...rub, promptTokens, completionTokens },
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
): SettleCommand {
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
    request: held.stored.request,
    warnings: held.warnings,
    counted: held.admitted?.counted,
    attempts: attemptsToKeep(attempts),
    idempotency: held.idempotency,
    // A clock that was set back must not make the answer older than its question.
    at: Math.max(parts.clock.now(), held.askedAt),
  };
}
