import type { CountedUsage } from './send-result.ts';
import type { CatalogueModel } from '../../catalogue/index.ts';
import { type Cost, costOf, costWithoutAnswer, lowerOf, withinHold } from '../../ledger/index.ts';
import type { Micro } from '../../lib/money.ts';
import { copyParts, freePrice, type UsedTokens } from '../../lib/units.ts';
import {
  type FinishReason,
  type ImageAnswer,
  noUsage,
  type ToolCall,
  type Usage,
} from '../../providers/index.ts';
import type { FittedContext } from '../context/context.ts';
import { estimateTokens } from '../context/tokens.ts';
import { kindOf, type SendInput } from './send-input.ts';
import type { ImageOwner, StoredImage } from '../../images/index.ts';
import type { StopSignal } from '../../lib/stop-signal.ts';
import { untilAborted } from '../../lib/until-aborted.ts';
import { loweredCap, type ModelAnswer } from './call-models.ts';
import type { Held } from './held.ts';
import type { ModelContent } from './kinds/kind.ts';
import type { SenderParts } from './sender-parts.ts';

/** What tokens are estimated from when the provider reports no usage. */
export interface Sent {
  input: SendInput;
  context: FittedContext;
}

/** The provider's counts; those that it did not report are estimated. A reported zero is a zero. */
export function countUsage(
  told: Usage,
  sent: Sent,
  answer: string,
): CountedUsage | Promise<CountedUsage> {
  const { promptTokens, completionTokens } = told;
  if (promptTokens === null || completionTokens === null) return estimateUsage(told, sent, answer);
  return counted(told, promptTokens, completionTokens, 'provider');
}

async function estimateUsage(told: Usage, sent: Sent, answer: string): Promise<CountedUsage> {
  const promptTokens =
    told.promptTokens ?? (await kindOf(sent.input).estimatePrompt(sent.input, sent.context));
  const completionTokens = told.completionTokens ?? (await estimateTokens(answer));
  return counted(told, promptTokens, completionTokens, 'estimated');
}

function counted(
  told: Usage,
  promptTokens: number,
  completionTokens: number,
  source: CountedUsage['source'],
): CountedUsage {
  const totalTokens = told.totalTokens ?? promptTokens + completionTokens;
  return copyParts(told, { promptTokens, completionTokens, totalTokens, source });
}

/**
 * The counts of an answer that was cut off. In the middle of a stream, the output that a provider has reported is often
 * less than it has sent, so the larger of its count and an estimate is used.
 */
export async function countDelivered(
  told: Usage,
  sent: Sent,
  delivered: string,
): Promise<CountedUsage> {
  const estimate = await estimateTokens(delivered);
  const completionTokens = (told.completionTokens ?? 0) < estimate ? null : told.completionTokens;
  return countUsage({ ...told, completionTokens, totalTokens: null }, sent, delivered);
}

export interface Charge extends Cost {
  warnings: string[];
}

/**
 * What an answer costs: by the model that answered or, if lower, by the model that was asked, and never
 * above the hold.
 */
export function chargeForAnswer(
  asked: CatalogueModel,
  served: CatalogueModel,
  usage: UsedTokens,
  hold: Micro,
): Charge {
  const servedCost = costOf(served.price ?? freePrice, usage);
  if (served === asked) return capped(servedCost, hold);
  return capped(lowerOf(servedCost, costOf(asked.price ?? freePrice, usage)), hold);
}

/** An empty or refused answer is charged only at the usage that the provider reported; if it reported none, nothing. */
export function chargeWithoutAnswer(
  asked: CatalogueModel,
  served: CatalogueModel,
  told: Pick<Usage, 'promptTokens' | 'completionTokens'> & Partial<Usage>,
  hold: Micro,
): Charge {
  const { promptTokens, completionTokens } = told;
  if (promptTokens === null && completionTokens === null) {
    return { request: 0, response: 0, warnings: [] };
  }
  const used = {
    ...told,
    promptTokens: promptTokens ?? 0,
    completionTokens: completionTokens ?? 0,
  };
  const askedCost = costWithoutAnswer(asked.price ?? freePrice, used);
  const servedCost = costWithoutAnswer(served.price ?? freePrice, used);
  return capped(lowerOf(servedCost, askedCost), hold);
}

/** The warning blames nobody: a model may write more than its cap and report no usage, so that the count is ours. */
function capped(cost: Cost, hold: Micro): Charge {
  const { request, response, cut } = withinHold(cost, hold);
  const warnings = cut
    ? ['the usage is more than was allowed; the charge was cut to the amount held']
    : [];
  return { request, response, warnings };
}

/** An answer with its usage and its charge. If it is an image, that is already stored. */
export interface PricedAnswer {
  served: CatalogueModel;
  answer: Omit<ModelContent, 'finishReason'> & { finishReason: FinishReason | 'stopped' };
  text: string;
  toolCalls: ToolCall[];
  stopSequence?: string | undefined;
  thoughts?: string | undefined;
  vectors: number[][] | undefined;
  image: StoredImage | undefined;
  usage: CountedUsage;
  charge: Charge;
  /** `stopped`: the client hung up in the middle of a stream; the text is what was delivered. */
  state: 'done' | 'stopped';
  /** Whether a provider was asked: what it was asked for is not asked again under the same idempotency key. */
  wasAsked: boolean;
}

/**
 * Counts and prices an answer. A failure here is a failure of the send: nothing is charged yet.
 * @param stopping ends the wait for a store of images, with its reason
 */
export async function priceAnswer(
  parts: SenderParts,
  held: Held,
  { served, answer }: ModelAnswer,
  stopping: StopSignal,
): Promise<PricedAnswer> {
  const isText = 'text' in answer;
  const text = isText ? answer.text : '';
  const toolCalls = isText ? answer.toolCalls : [];
  const stopSequence = isText ? answer.stopSequence : undefined;
  const thoughts = isText ? answer.thoughts : undefined;
  const said = saidIn(text, toolCalls);
  const usage = await countUsage(answer.usage, held, said);
  const isEmpty = isText && said === '';
  const charge = isEmpty
    ? chargeWithoutAnswer(held.model, served, answer.usage, held.hold)
    : chargeForAnswer(held.model, served, usage, held.hold);
  const image =
    'bytes' in answer ? await untilAborted(saveImage(parts, held, answer), stopping) : undefined;
  const vectors = 'vectors' in answer ? answer.vectors : undefined;
  const content = { text, toolCalls, stopSequence, thoughts, vectors, image };
  const lowered = isText ? loweredCap(served, held.input) : [];
  const told =
    lowered.length > 0 ? { ...answer, warnings: [...answer.warnings, ...lowered] } : answer;
  return { served, answer: told, ...content, usage, charge, state: 'done', wasAsked: true };
}

/** What a try leaves behind that broke, or that nobody waited for, is swept: each has an id of its own. */
function saveImage(
  { commit, images }: SenderParts,
  held: Held,
  { bytes, contentType }: ImageAnswer,
): Promise<StoredImage> {
  return commit.whileAway(() => images.save(ownerOf(held), bytes, contentType));
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
  /** The usage that the provider had reported by then. */
  told: Usage;
}

/**
 * Prices the delivered part of a stream that the client left: at the usage that the provider had reported by then, and
 * the rest at an estimate. If nothing was delivered, there is no answer, and no fixed price for one.
 */
export async function priceStopped(
  held: Held,
  served: CatalogueModel,
  { text, toolCalls, told }: Delivered,
): Promise<PricedAnswer> {
  const said = saidIn(text, toolCalls);
  const usage = await countDelivered(told, held, said);
  const charge =
    said === ''
      ? chargeWithoutAnswer(held.model, served, usage, held.hold)
      : chargeForAnswer(held.model, served, usage, held.hold);
  const by = usage.source === 'provider' ? 'what the provider told by then' : 'an estimate';
  const left = `the client left the stream; usage is ${by}`;
  return { ...stoppedWith(text, left), served, toolCalls, usage, charge, wasAsked: true };
}

/** Prices a stream that the client left before any provider was called: nothing is due. */
export function priceUncalled({ model }: Held): PricedAnswer {
  const counts = { promptTokens: 0, completionTokens: 0, totalTokens: 0 };
  return {
    ...stoppedWith('', 'the client left before the model was asked; nothing was charged'),
    served: model,
    toolCalls: [],
    wasAsked: false,
    usage: { ...noUsage, ...counts, source: 'estimated' },
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
    seed: null,
    warnings: [warning],
  };
  return { answer, text, vectors: undefined, image: undefined, state: 'stopped' as const };
}
