import { modelAt, type CatalogueModel } from '../../catalogue/index.ts';
import { REDUCED_CAP_MIN, worstCase, type HoldBounds } from '../../ledger/index.ts';
import type { Sql } from '../../db/index.ts';
import type { Micro } from '../../lib/money.ts';
import type { Rooms } from '../rooms/rooms.ts';
import { freePrice } from '../../lib/units.ts';
import type { IdempotencyKey } from '../commit/commands.ts';
import { firstTry } from '../context/branch.ts';
import type { FittedContext } from '../context/context.ts';
import { holdRefusal } from './hold-refusal.ts';
import { findKeptAnswer, readKeptAnswer } from '../idempotency.ts';
import { likelyCost } from './likely-cost.ts';
import type { SendTrace } from './kinds/kind.ts';
import type { LeftStream, SendResult } from './send-result.ts';
import type { HeldSend, SenderParts } from './sender-parts.ts';
import { bytesOfImages, sentImages } from './sent-images.ts';
import { effortOf } from './hidden-reasoning.ts';
import {
  allowedModels,
  checkAgainstModel,
  checkOffers,
  inputFor,
  isTextSend,
  keptOf,
  kindOf,
  modelForUser,
  noSuchModel,
  type LimitReaders,
  type SendInput,
} from './send-input.ts';

/**
 * Everything before the provider is called: checks the request, chooses its context, and takes the hold with the
 * message. If the idempotency key has an answer already, it returns that instead.
 * @throws every refusal of a send; nothing is held then
 */
export async function takeHold(
  parts: SenderParts,
  userId: number,
  sent: SendInput,
  idempotency: IdempotencyKey | undefined,
): Promise<{ held: HeldSend } | { replay: SendResult }> {
  const { trace } = sent;
  trace.modelId = sent.ai;
  trace.spans?.enter('hold');
  // Checked first: a repeat gets the stored answer, whatever has changed since.
  const kept = idempotency && (await findKeptAnswer(parts.db, userId, idempotency));
  if (kept) return replayOf(trace, kept);
  const requested = await modelForUser(parts, userId, sent.ai);
  const warnings = checkAgainstModel(requested, sent);
  const given = await inItsPlace(parts.db, userId, sent);
  const input = inputFor(requested, given);
  trace.spans?.requests(input.kind, requested.model);
  checkOffers(parts.catalogue, requested, input);
  const context = await kindOf(input).context(parts, userId, requested, input);
  if (context.shortened) warnings.push(context.shortened.warning);
  const askedAt = parts.clock.now();
  // Hold and charge are by the price at this moment.
  const model = modelAt(requested, askedAt);
  // What the caller sent is stored, including a system prompt for an image model, which is not sent on.
  const stored = kindOf(given).stored(given);
  const images = sentImages(given);
  const result = await parts.commit.hold({
    kind: 'hold',
    userId,
    roomId: input.roomId,
    nodeId: parts.nodeId(),
    keyId: trace.keyId ?? '',
    bounds: holdBounds(model, input, context),
    idempotency,
    modelId: model.id,
    versionId: model.versionId,
    systemPrompt: stored.systemPrompt,
    request: stored.request,
    // An absent value is not stored.
    parameters: { ...stored.parameters, detached: given.isDetached, images: images?.names },
    kept: keptOf(given),
    imageBytes: bytesOfImages(images),
    storedBytesMax: parts.storedBytesMax,
    at: askedAt,
  });
  if (result.kind === 'replay') return replayOf(trace, readKeptAnswer(result.response));
  if (result.kind !== 'held') throw holdRefusal(result, model.id);
  const { messageId, hold, outputTokensMax, admitted } = result;
  trace.messageId = messageId;
  trace.spans?.leave();
  const requestedCap = kindOf(input).outputTokensMax(input, model);
  if (outputTokensMax < requestedCap) {
    trace.loweredCap = { requested: requestedCap, allowed: outputTokensMax };
    warnings.push(
      `max_output_tokens was lowered to ${outputTokensMax}, the most that your balance ${admitted ? 'and your limits cover' : 'covers'}`,
    );
  }
  return {
    held: {
      userId,
      messageId,
      askedAt,
      hold,
      outputTokensMax,
      model,
      input,
      context,
      stored,
      images,
      storedImages: [],
      idempotency,
      warnings,
      admitted,
    },
  };
}

/** The send, naming the first try of the message that it replaces. */
function inItsPlace(db: Sql, userId: number, input: SendInput): SendInput | Promise<SendInput> {
  if (input.kind !== 'room' || input.contextBefore === undefined) return input;
  const found = firstTry(db, userId, input.roomId, input.contextBefore);
  return found.then((contextBefore) => ({ ...input, contextBefore }));
}

function replayOf(trace: SendTrace, replay: SendResult): { replay: SendResult } {
  trace.messageId = replay.id;
  trace.spans?.leave();
  return { replay };
}

/** The most that this call can use, at the requested model's price. */
function holdBounds(model: CatalogueModel, input: SendInput, context: FittedContext): HoldBounds {
  const kind = kindOf(input);
  const inputBytes = context.inputTokensMax + (isTextSend(input) ? model.extraInputBytes : 0);
  return {
    price: model.price ?? freePrice,
    inputTokensMax: Math.min(inputBytes, Math.max(model.maxInputTokens, context.inputTokensMax)),
    outputTokensMax: kind.outputTokensMax(input, model),
    reducibleTo: kind.isReducible(input) ? REDUCED_CAP_MIN : 0,
    isUncapped: kind.isUncapped,
    answers: kind.answers?.(input) ?? 1,
    measured: kind.measured?.(input),
  };
}

export interface Estimate {
  /** The most that the request can cost; a send never charges more. */
  costMax: Micro;
  /** What the request will probably cost. */
  costLikely: Micro;
  inputTokensMax: number;
  outputTokensMax: number;
  contextUsed: number;
  /** What happens to the send's stream if its client leaves. */
  leftStream: LeftStream;
  versionId: number;
  warnings: string[];
}

type EstimateParts = Pick<
  SenderParts,
  'db' | 'clock' | 'catalogue' | 'images' | 'isAdmin' | 'hiddenReasoning'
> &
  LimitReaders & { rooms: Rooms };

/**
 * What a send would cost at most, and what it will probably cost; nothing is sent, held or written.
 * @throws what a send would throw before it holds anything, except refusals for the balance or a limit
 */
export async function estimateSend(
  parts: EstimateParts,
  userId: number,
  sent: SendInput,
): Promise<Estimate> {
  const model = modelAt(await modelForUser(parts, userId, sent.ai), parts.clock.now());
  const isAllowed = await allowedModels(parts, userId, sent.trace.keyId);
  if (!isAllowed(model.id)) throw noSuchModel(model.id);
  const warnings = checkAgainstModel(model, sent);
  await parts.rooms.find(userId, sent.roomId);
  const input = inputFor(model, await inItsPlace(parts.db, userId, sent));
  checkOffers(parts.catalogue, model, input);
  sentImages(input);
  const context = await kindOf(input).context(parts, userId, model, input);
  const bounds = holdBounds(model, input, context);
  // A send to an image model always continues to its end.
  const isReadOn =
    kindOf(input).isWhole?.(input) || parts.hiddenReasoning.possible(model, effortOf(input));
  const costMax = worstCase(bounds);
  return {
    costMax,
    costLikely: await likelyCost(parts, { userId, model, input, context, bounds, costMax }),
    inputTokensMax: bounds.inputTokensMax,
    outputTokensMax: bounds.outputTokensMax,
    contextUsed: context.items.length,
    leftStream: isReadOn ? 'read_to_end' : 'stopped',
    versionId: model.versionId,
    warnings,
  };
}
