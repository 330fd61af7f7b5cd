import type { Message, TextRequest } from '../../../providers/index.ts';
import { readContext, type FittedContext } from '../../context/context.ts';
import { estimateMessages } from '../../context/tokens.ts';
import { textRequest, textWork, type ModelTurn, type SendBase, type SendKind } from './kind.ts';

/** A message to a model, with its context: earlier messages of the room, and their answers. */
export interface RoomSend extends SendBase {
  kind: 'room';
  message: string;
  systemPrompt: string;
  /** How many earlier messages are sent along at most. */
  chatDepth: number;
  maxOutputTokens: number | undefined;
  temperature: number | undefined;
  seed: number | undefined;
}

export const roomKind: SendKind<RoomSend> = {
  stored: ({ systemPrompt, message, chatDepth, temperature, seed }) => ({
    systemPrompt,
    request: message,
    parameters: { chat_depth: chatDepth, temperature, seed },
  }),
  outputTokensMax: ({ maxOutputTokens }, model) => maxOutputTokens ?? model.maxOutputTokens,
  isUncapped: false,
  isReducible: ({ maxOutputTokens }) => maxOutputTokens === undefined,
  context: ({ db, images }, userId, { maxInputTokens }, input) =>
    readContext(db, {
      userId,
      roomId: input.roomId,
      depth: input.chatDepth,
      systemPrompt: input.systemPrompt,
      message: input.message,
      maxInputTokens,
      imageUrl: (id) => images.url(id),
    }),
  limitedTexts: (input, context) => [textsOf(input, context)],
  estimatePrompt: (input, context) => estimateMessages(textsOf(input, context)),
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

function messagesOf({ input, context }: ModelTurn<RoomSend>): readonly Message[] {
  const { systemPrompt, message } = input;
  return [
    ...(systemPrompt === '' ? [] : [{ role: 'system' as const, content: systemPrompt }]),
    ...context.items.flatMap(({ request, response }): Message[] => [
      { role: 'user', content: request },
      { role: 'assistant', content: response },
    ]),
    { role: 'user', content: message },
  ];
}
