import type { Message, ProviderWork, TextAnswer, TextRequest } from '../../../providers/index.ts';
import { withTraceparent } from '../../../lib/spans.ts';
import { type FittedContext, readContext } from '../../context/context.ts';
import { estimateMessages } from '../../context/tokens.ts';
import {
  partTokens,
  type ModelTurn,
  type SendBase,
  type SendKind,
  type TextOptions,
} from './kind.ts';
import type { Price } from '../../../lib/units.ts';

/** A message to a model, with its context: earlier messages of the room, and their answers. */
export interface RoomSend extends SendBase {
  kind: 'room';
  message: string;
  /** https URLs, and data: URLs in base64. */
  images?: readonly string[] | undefined;
  systemPrompt: string;
  /** How many earlier messages are sent along at most. */
  chatDepth: number;
  /** The message that this one replaces: only what came before it is sent along. */
  contextBefore?: number | undefined;
  maxOutputTokens: number | undefined;
  temperature: number | undefined;
  seed: number | undefined;
}

export const roomKind: SendKind<RoomSend> = {
  stored: ({ systemPrompt, message, chatDepth, contextBefore, temperature, seed }) => ({
    systemPrompt,
    request: message,
    parameters: { chat_depth: chatDepth, temperature, seed, replaces: contextBefore },
  }),
  outputTokensMax: ({ maxOutputTokens }, model) => maxOutputTokens ?? model.maxOutputTokens,
  isUncapped: false,
  isReducible: ({ maxOutputTokens }) => maxOutputTokens === undefined,
  context: async ({ db, images }, userId, { maxInputTokens }, input) => {
    const context = await readContext(db, {
      userId,
      roomId: input.roomId,
      depth: input.chatDepth,
      before: input.contextBefore,
      systemPrompt: input.systemPrompt,
      message: input.message,
      maxInputTokens,
      imageUrl: (id) => images.url(id),
    });
    // How many tokens a provider counts for an image is not known in advance.
    return input.images?.length ? { ...context, inputTokensMax: maxInputTokens } : context;
  },
  limitedTexts: (input, context) => [textsOf(input, context)],
  estimatePrompt: async (input, context, userId) =>
    (await estimateMessages(textsOf(input, context), userId)) + imageTokens(input),
  work: (turn) => textWork(requestOf(turn)),
  textRequest: requestOf,
};

function requestOf(turn: ModelTurn<RoomSend>): TextRequest {
  return textRequest(turn, messagesOf(turn), undefined);
}

function textsOf({ systemPrompt, message }: RoomSend, { items }: FittedContext): string[] {
  const texts = items.flatMap(({ request, response }) => [request, response]);
  return [...(systemPrompt === '' ? [] : [systemPrompt]), ...texts, message];
}

/** The approximate number of tokens of a message's images. */
export function imageTokens({ images = [] }: Pick<RoomSend, 'images'>): number {
  return images.length * partTokens.image;
}

/** A message with its images. */
export function messageOf({ message, images = [] }: Pick<RoomSend, 'message' | 'images'>): Message {
  if (images.length === 0) return { role: 'user', content: message };
  const parts = images.map((url) => ({ type: 'image' as const, url }));
  return { role: 'user', content: [{ type: 'text', text: message }, ...parts] };
}

function messagesOf({ input, context }: ModelTurn<RoomSend>): readonly Message[] {
  const { systemPrompt } = input;
  return [
    ...(systemPrompt === '' ? [] : [{ role: 'system' as const, content: systemPrompt }]),
    ...context.items.flatMap(({ request, response }): Message[] => [
      { role: 'user', content: request },
      { role: 'assistant', content: response },
    ]),
    messageOf(input),
  ];
}

type TextFields = Pick<RoomSend, 'temperature' | 'seed' | 'traceparent' | 'passed' | 'trace'>;

/** The request for a text to the model that is called now. */
export function textRequest<Input extends TextFields>(
  { input, model, outputTokensMax }: ModelTurn<Input>,
  messages: readonly Message[],
  options: TextOptions | undefined,
): TextRequest {
  return {
    model: model.model,
    messages,
    maxOutputTokens: Math.min(outputTokensMax, model.maxOutputTokens),
    temperature: input.temperature,
    seed: input.seed,
    traceparent: input.traceparent,
    passed: input.passed,
    reserve: input.trace.reserve,
    ...options,
    cachePrompt: paysForCacheWrites(model.price),
    // A compatible interface refuses by name what the model can't honour; the native one warns.
    refuseUnsupported: options !== undefined,
  };
}

export function textWork(request: TextRequest): ProviderWork<TextAnswer> {
  return {
    model: request.model,
    run: (provider, signal, traceparent) =>
      provider.generateText(withTraceparent(request, traceparent), signal),
  };
}

/** Whether the tokens that a provider writes into its cache have their own price, also for long inputs. */
function paysForCacheWrites(price: Price | null): boolean {
  if (price?.cacheWriteTokens === undefined) return false;
  return price.longAbove === undefined || price.longCacheWriteTokens !== undefined;
}
