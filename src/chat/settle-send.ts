import type { CatalogueModel } from '../catalogue/index.ts';
import type { AdmittedCall } from '../ledger/index.ts';
import type { ImageOwner, StoredImage } from '../images/index.ts';
import type { Micro } from '../lib/money.ts';
import type { ErrorCode } from '../lib/errors.ts';
import {
  noUsage,
  type Attempt,
  type FinishReason,
  type ToolCall,
  type Usage,
} from '../providers/index.ts';
import { attemptsToKeep } from './attempts.ts';
import type { ModelAnswer } from './call-models.ts';
import type { IdempotencyKey, SettleCommand } from './commit/commands.ts';
import type { FittedContext } from './context.ts';
import { stoppingError } from './provider-errors.ts';
import type { SenderParts, SendResult } from './send-parts.ts';
import type { SendInput } from './send-rules.ts';
import {
  chargeForAnswer,
  chargeWithoutAnswer,
  countDelivered,
  countUsage,
  type Charge,
  type CountedUsage,
  type Sent,
} from './settlement.ts';
import { titleOf } from './title.ts';

/** A send whose hold is taken. */
export interface Held {
  userId: number;
  messageId: number;
  /** Milliseconds since 1970. */
  askedAt: number;
  hold: Micro;
  outputTokensMax: number;
  model: CatalogueModel;
  input: SendInput;
  context: FittedContext;
  idempotency: IdempotencyKey | undefined;
  warnings: string[];
  /** Of a user with limits. */
  admitted: AdmittedCall | undefined;
  /** Every try to have it answered, as they come. */
  attempts: Attempt[];
}

/** An answer with all that stands on its bill; an image is already stored. */
export interface PricedAnswer {
  served: CatalogueModel;
  answer: Omit<ModelAnswer['answer'], 'finishReason'> & { finishReason: FinishReason | 'stopped' };
  text: string;
  toolCalls: ToolCall[];
  stopSequence?: string | undefined;
  vectors: number[][] | undefined;
  image: StoredImage | undefined;
  usage: CountedUsage;
  charge: Charge;
  /** `stopped`: the client hung up in the middle of a stream; the text is what was delivered. */
  state: 'done' | 'stopped';
}

/** Counts and prices an answer. A failure here is a failure of the send: nothing is charged yet. */
export async function priceAnswer(
  parts: SenderParts,
  held: Held,
  { type, served, answer }: ModelAnswer,
): Promise<PricedAnswer> {
  const text = type === 'TEXT' ? answer.text : '';
  const toolCalls = type === 'TEXT' ? answer.toolCalls : [];
  const stopSequence = type === 'TEXT' ? answer.stopSequence : undefined;
  const said = saidIn(text, toolCalls);
  const usage = await countUsage(answer.usage, sentOf(held), said);
  const isEmpty = type === 'TEXT' && said === '';
  const charge = isEmpty
    ? chargeWithoutAnswer(held.model, served, answer.usage, held.hold)
    : chargeForAnswer(held.model, served, usage, held.hold);
  const image =
    type === 'IMAGE'
      ? await parts.images.save(ownerOf(held), answer.bytes, answer.contentType)
      : undefined;
  const vectors = type === 'EMBEDDING' ? answer.vectors : undefined;
  const content = { text, toolCalls, stopSequence, vectors, image };
  return { served, answer, ...content, usage, charge, state: 'done' };
}

function ownerOf({ userId, input, messageId }: Held): ImageOwner {
  return { userId, roomId: input.roomId, messageId };
}

/** All that the model wrote, for counting. */
function saidIn(text: string, toolCalls: readonly ToolCall[]): string {
  return toolCalls.length > 0 ? text + JSON.stringify(toolCalls) : text;
}

/** What came of a stream until its client left. */
export interface Delivered {
  text: string;
  /** With as much of their arguments as came. */
  toolCalls: ToolCall[];
  /** What the provider had told of its usage by then. */
  told: Usage;
}

/**
 * Prices the delivered part of a stream that the client left: at the usage that the provider told by then,
 * and what it did not tell at an estimate. Without a word delivered there is no answer, and no fix for one.
 */
export async function priceStopped(
  held: Held,
  served: CatalogueModel,
  { text, toolCalls, told }: Delivered,
): Promise<PricedAnswer> {
  const said = saidIn(text, toolCalls);
  const usage = await countDelivered(told, sentOf(held), said);
  const charge =
    said === ''
      ? chargeWithoutAnswer(held.model, served, usage, held.hold)
      : chargeForAnswer(held.model, served, usage, held.hold);
  const by = usage.source === 'provider' ? 'what the provider told by then' : 'an estimate';
  const left = `the client left the stream; usage is ${by}`;
  return { ...stoppedWith(text, left), served, toolCalls, usage, charge };
}

/** Prices a stream that the client left before any provider was called: nothing is due. */
export function priceUncalled({ model }: Held): PricedAnswer {
  const none = { promptTokens: 0, completionTokens: 0, totalTokens: 0 };
  return {
    ...stoppedWith('', 'the client left before the model was asked; nothing was charged'),
    ...{ served: model, toolCalls: [] },
    usage: { ...none, source: 'estimated' },
    charge: { request: 0, response: 0, warnings: [] },
  };
}

/** What every stream that was left has in common. */
function stoppedWith(text: string, warning: string) {
  const answer = {
    text,
    providerMessageId: null,
    usage: noUsage,
    finishReason: 'stopped' as const,
    rawFinishReason: null,
    seed: null,
    warnings: [warning],
  };
  return { answer, text, vectors: undefined, image: undefined, state: 'stopped' as const };
}

/** Charges an answer and writes it with its message, in one transaction; only then returns it. */
export async function settleAnswer(
  parts: SenderParts,
  held: Held,
  priced: PricedAnswer,
): Promise<SendResult> {
  const { served, answer, text, toolCalls, vectors, image, usage, charge, state } = priced;
  const end = closing(parts, held, served, state, charge);
  const warnings = [...held.warnings, ...answer.warnings, ...charge.warnings];
  const result = (balance: Micro): SendResult => ({
    roomId: held.input.roomId,
    id: held.messageId,
    request: held.input.message,
    response: image ? parts.images.url(image.id) : text,
    costRequest: charge.request,
    costResponse: charge.response,
    versionId: served.versionId,
    ...usageFields(usage),
    finishReason: answer.finishReason,
    stopSequence: priced.stopSequence,
    balance,
    contextUsed: held.context.items.length,
    seed: answer.seed,
    warnings,
    toolCalls,
    vectors,
    askedAt: held.askedAt,
    respondedAt: end.at,
  });
  const settled = await settle(parts, held, image, {
    ...end,
    // An answer that only calls tools says so in the history.
    response: text === '' && toolCalls.length > 0 ? JSON.stringify(toolCalls) : text,
    ...usageFields(usage),
    finishReason: answer.finishReason,
    providerMessageId: answer.providerMessageId,
    image,
    warnings,
    render: held.idempotency && ((balance) => JSON.stringify(result(balance))),
  });
  return result(settled.balance);
}

/**
 * Voids a hold after a failure. A refusal is charged at the usage that the provider told, if any.
 * @returns what was charged
 */
export async function settleFailure(
  parts: SenderParts,
  held: Held,
  code: ErrorCode,
  told: Usage | undefined,
): Promise<Micro> {
  const usage = code === 'content_refused' ? (told ?? noUsage) : noUsage;
  const charge = chargeWithoutAnswer(held.model, held.model, usage, held.hold);
  await settle(parts, held, undefined, {
    ...closing(parts, held, held.model, 'failed', charge),
    ...usage,
    usageSource: usage === noUsage ? null : 'provider',
    errorCode: code,
  });
  return charge.request + charge.response;
}

async function settle(
  parts: SenderParts,
  held: Held,
  image: StoredImage | undefined,
  command: SettleCommand,
): Promise<{ balance: Micro }> {
  const settled = await parts.commit.settle(command);
  const kept = settled.kind === 'settled' && !settled.erased;
  if (image && !kept) await parts.images.removal.discard(image.id);
  parts.onSettled({
    model: `${command.modelId}`,
    outcome: settled.kind === 'lost' ? 'lost' : (command.errorCode ?? command.state),
    promptTokens: command.promptTokens ?? 0,
    completionTokens: command.completionTokens ?? 0,
    charged: settled.kind === 'lost' ? 0 : command.cost.request + command.cost.response,
  });
  if (settled.kind === 'lost') {
    parts.log.error({ user: held.userId, message: held.messageId }, 'settled by another node');
    throw stoppingError(true);
  }
  return settled;
}

/** What every settle of a send says, before it says what the answer was. */
function closing(
  parts: SenderParts,
  held: Held,
  served: CatalogueModel,
  state: SettleCommand['state'],
  charge: Charge,
): SettleCommand {
  return {
    kind: 'settle',
    userId: held.userId,
    roomId: held.input.roomId,
    messageId: held.messageId,
    hold: held.hold,
    state,
    cost: { request: charge.request, response: charge.response },
    versionId: served.versionId,
    modelId: served.id,
    title: () => titleOf(held.input.message),
    response: '',
    ...noUsage,
    usageSource: null,
    finishReason: null,
    providerMessageId: null,
    image: undefined,
    errorCode: null,
    warnings: held.warnings,
    counted: held.admitted?.counted,
    attempts: attemptsToKeep(held.attempts),
    idempotency: held.idempotency,
    render: undefined,
    // A clock that was set back must not make the answer older than its question.
    at: Math.max(parts.clock.now(), held.askedAt),
  };
}

function sentOf({ input, context, model }: Held): Sent {
  if (input.conversation) return input.conversation;
  const systemPrompt = model.type === 'TEXT' ? input.systemPrompt : '';
  return { systemPrompt, context: context.items, message: input.message };
}

function usageFields(usage: CountedUsage) {
  const { promptTokens, completionTokens, totalTokens, source } = usage;
  return {
    promptTokens,
    completionTokens,
    totalTokens,
    cachedPromptTokens: usage.cachedPromptTokens ?? null,
    cacheWritePromptTokens: usage.cacheWritePromptTokens ?? null,
    reasoningTokens: usage.reasoningTokens ?? null,
    usageSource: source,
  };
}
