import type { CountedUsage, SendResult } from './send-result.ts';
import type { CatalogueModel } from '../../catalogue/index.ts';
import { type Cost, costOf, costWithoutAnswer, lowerOf, withinHold } from '../../ledger/index.ts';
import type { Micro } from '../../lib/money.ts';
import { copyParts, freePrice, type Price, type UsedTokens } from '../../lib/units.ts';
import {
  type ImageAnswer,
  noUsage,
  type TextAnswer,
  type ReasoningBlock,
  type ToolCall,
  type Usage,
} from '../../providers/index.ts';
import { estimateTokens } from '../context/tokens.ts';
import { kindOf, showsReasoning } from './send-input.ts';
import type { StoredImage } from '../../images/index.ts';
import type { StopSignal } from '../../lib/stop-signal.ts';
import { untilAborted } from '../../lib/until-aborted.ts';
import { loweredCap, type ModelAnswer } from './call-models.ts';
import type { HeldSend, SenderParts } from './sender-parts.ts';
import { writtenIn } from './stream-progress.ts';

/** The request data from which tokens are estimated when the provider reports no usage. */
export type Sent = Pick<HeldSend, 'userId' | 'input' | 'context'>;

/** The provider's counts. Counts that it did not report are estimated; a reported zero stays zero. */
export function countUsage(
  reported: Usage,
  sent: Sent,
  answer: string,
): CountedUsage | Promise<CountedUsage> {
  const { promptTokens, completionTokens } = reported;
  if (promptTokens === null || completionTokens === null) {
    return estimateUsage(reported, sent, answer);
  }
  const totalTokens = reported.totalTokens ?? promptTokens + completionTokens;
  return copyParts(reported, { promptTokens, completionTokens, totalTokens, source: 'provider' });
}

async function estimateUsage(reported: Usage, sent: Sent, answer: string): Promise<CountedUsage> {
  const { userId, input, context } = sent;
  const promptTokens =
    reported.promptTokens ?? (await kindOf(input).estimatePrompt(input, context, userId));
  const completionTokens = reported.completionTokens ?? (await estimateTokens([answer], userId));
  const counted = await countUsage({ ...reported, promptTokens, completionTokens }, sent, answer);
  return { ...counted, source: 'estimated' };
}

/**
 * The output of a model, for counting: its answer with the arguments of its calls, and reasoning that is known in full.
 */
export interface Output {
  written: string;
  reasoning: string;
}

/**
 * The counts of an answer that was cut off. In the middle of a stream, the output that a provider has reported is often
 * less than it has sent, so the larger of its count and an estimate is used.
 */
export async function countPart(
  reported: Usage,
  sent: Sent,
  { written, reasoning }: Output,
): Promise<CountedUsage> {
  const estimatedReasoningTokens = await estimateTokens([reasoning], sent.userId);
  const estimate = (await estimateTokens([written], sent.userId)) + estimatedReasoningTokens;
  const isLess = (reported.completionTokens ?? 0) < estimate;
  const usage = {
    ...reported,
    completionTokens: isLess ? estimate : reported.completionTokens,
    totalTokens: null,
    reasoningTokens: reported.reasoningTokens ?? (estimatedReasoningTokens || null),
  };
  const counted = await countUsage(usage, sent, written);
  return isLess ? { ...counted, source: 'estimated' } : counted;
}

export interface Charge extends Cost {
  /** The part of the usage's cost that exceeds the hold. It is not charged. */
  lost: Micro;
  /** The cost to the operator; null: not known. */
  operatorCost: Micro | null;
  warnings: string[];
}

/**
 * The charge for an answer: by the prices of the model that answered or of the requested model, whichever is lower;
 * never more than the hold.
 */
export function chargeForAnswer(
  requested: CatalogueModel,
  served: CatalogueModel,
  usage: UsedTokens,
  hold: Micro,
): Charge {
  return lowerCharge(requested, served, hold, (price) => costOf(price, usage));
}

const nothing = { request: 0, response: 0, lost: 0, operatorCost: 0 };

/** The charge for an empty or refused answer: the reported usage, or nothing if none was reported. */
export function chargeWithoutAnswer(
  requested: CatalogueModel,
  served: CatalogueModel,
  reported: Pick<Usage, 'promptTokens' | 'completionTokens'> & Partial<Usage>,
  hold: Micro,
): Charge {
  const { promptTokens, completionTokens } = reported;
  if (promptTokens === null && completionTokens === null) {
    return { ...nothing, warnings: [] };
  }
  const used = {
    ...reported,
    promptTokens: promptTokens ?? 0,
    completionTokens: completionTokens ?? 0,
  };
  return lowerCharge(requested, served, hold, (price) => costWithoutAnswer(price, used));
}

/** The warning names no cause: either the provider exceeded the cap, or our estimate of the usage did. */
function lowerCharge(
  requested: CatalogueModel,
  served: CatalogueModel,
  hold: Micro,
  costAt: (price: Price) => Cost,
): Charge {
  const servedCost = costAt(served.price ?? freePrice);
  const cost =
    served === requested ? servedCost : lowerOf(servedCost, costAt(requested.price ?? freePrice));
  const charge = withinHold(cost, hold);
  const warnings =
    charge.lost > 0
      ? ['the usage is more than was allowed; the charge was cut to the amount held']
      : [];
  const paid = served.operatorPrice && costAt(served.operatorPrice);
  const operatorCost = paid && paid.request + paid.response;
  const { request, response, lost } = charge;
  return { request, response, lost, operatorCost, warnings };
}

/** An answer with its usage and its charge. An image has already been stored. */
export interface PricedAnswer extends Pick<
  SendResult,
  | 'usage'
  | 'finishReason'
  | 'seed'
  | 'toolCalls'
  | 'stopSequence'
  | 'reasoning'
  | 'vectors'
  | 'transcript'
  | 'choices'
  | 'leftStream'
> {
  served: CatalogueModel;
  text: string;
  image?: StoredImage | undefined;
  providerMessageId: string | null;
  /** Warnings about the answer; those about the charge are added later. */
  warnings: readonly string[];
  charge: Charge;
  /** `stopped`: the client left a stream, or our deadline ended it; the text is what was delivered. */
  state: 'done' | 'stopped';
  /**
   * True if the model may have made tokens that were not counted: it hides reasoning, and its stream did not reach its
   * end.
   */
  isUncounted?: boolean | undefined;
  /**
   * True if a provider was called. Then the answer is kept for the idempotency key, so that a repeat does not call it
   * again.
   */
  wasCalled: boolean;
}

const noText = {
  text: '',
  toolCalls: [],
  stopSequence: undefined,
  choices: undefined,
};

/**
 * Counts and prices an answer. A failure here is a failure of the send: nothing has been charged yet.
 * @param stopping ends the wait for the image store; its reason is thrown
 * @param counted the usage of an answer that was cut off, which its provider does not report
 */
export async function priceAnswer(
  parts: SenderParts,
  held: HeldSend,
  { served, answer }: ModelAnswer,
  stopping: StopSignal,
  counted?: CountedUsage,
): Promise<PricedAnswer> {
  const isText = 'text' in answer;
  const { text, toolCalls, stopSequence, choices } = isText ? answer : noText;
  const written = writtenIn(text, toolCalls);
  const counting = counted ?? countUsage(answer.usage, held, written);
  const usage = counting instanceof Promise ? await counting : counting;
  const isEmpty = isText && written === '';
  const charge = isEmpty
    ? chargeWithoutAnswer(held.model, served, answer.usage, held.hold)
    : chargeForAnswer(held.model, served, usage, held.hold);
  const image =
    'bytes' in answer ? await untilAborted(saveImage(parts, held, answer), stopping) : undefined;
  return {
    served,
    text,
    toolCalls,
    stopSequence,
    reasoning: isText && showsReasoning(held.input) ? answer.reasoning : undefined,
    choices,
    vectors: 'vectors' in answer ? answer.vectors : undefined,
    transcript: 'transcript' in answer ? answer.transcript : undefined,
    image,
    warnings: isText ? [...answer.warnings, ...loweredCap(served, held.input)] : answer.warnings,
    finishReason: answer.finishReason,
    seed: answer.seed,
    providerMessageId: answer.providerMessageId,
    wasCalled: true,
    state: 'done',
    usage,
    charge,
  };
}

/** Each attempt to save has its own id, so a sweep can remove what a broken one leaves behind. */
function saveImage(
  { commit, images }: SenderParts,
  { userId, input: { roomId }, messageId }: HeldSend,
  { bytes, contentType }: ImageAnswer,
): Promise<StoredImage> {
  const owner = { userId, roomId, messageId };
  return commit.whileAway(() => images.save(owner, bytes, contentType));
}

/** The fields that all streams share that ended early. */
const stopped = {
  providerMessageId: null,
  finishReason: 'stopped',
  seed: null,
  state: 'stopped',
} as const;

/** A stream that ended early, or whose client left before its end. */
export interface StoppedStream {
  /** What is kept: the text that was delivered, and the calls with their arguments so far. */
  text: string;
  toolCalls: ToolCall[];
  reasoning: ReasoningBlock[];
  /** The output that is charged. */
  output: Output;
  /** The usage that the provider has reported. */
  reported: Usage;
  /** The end of the provider's stream, if it was read to there: then the reported usage is complete. */
  end: Omit<TextAnswer, 'text'> | undefined;
  /** Why the stream ended early, for the warning. */
  why: string;
}

/**
 * Prices a stream that ended early: the usage that the provider has reported at its counts, the rest at an estimate.
 * Without an answer, no fixed price for one is charged.
 */
export async function priceStopped(
  held: HeldSend,
  served: CatalogueModel,
  { text, toolCalls, reasoning, output, reported, end, why }: StoppedStream,
): Promise<PricedAnswer> {
  const usage = end
    ? await countUsage(end.usage, held, output.written + output.reasoning)
    : await countPart(reported, held, output);
  const charge =
    output.written === ''
      ? chargeWithoutAnswer(held.model, served, usage, held.hold)
      : chargeForAnswer(held.model, served, usage, held.hold);
  const report = end ? "the provider's, whose stream was read to its end" : "the provider's so far";
  const by = usage.source === 'provider' ? report : 'an estimate';
  const providerMessageId = end?.providerMessageId ?? null;
  const facts = { ...stopped, providerMessageId, warnings: [`${why}; usage is ${by}`] };
  return { ...facts, served, text, toolCalls, reasoning, usage, charge, wasCalled: true };
}

/** Prices a stream that the client left before any provider was called: nothing is charged. */
export function priceUncalled({ model }: HeldSend): PricedAnswer {
  const counts = { promptTokens: 0, completionTokens: 0, totalTokens: 0 };
  return {
    ...stopped,
    served: model,
    text: '',
    toolCalls: [],
    warnings: ['the send ended before the model was called; nothing was charged'],
    wasCalled: false,
    usage: { ...noUsage, ...counts, source: 'estimated' },
    charge: { ...nothing, warnings: [] },
  };
}
