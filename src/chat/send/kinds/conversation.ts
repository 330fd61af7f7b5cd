import type { Message, TextRequest } from '../../../providers/index.ts';
import {
  estimateConversation,
  fitConversation,
  textsIn,
  type Conversation,
} from '../../context/conversation.ts';
import { ROLE_TOKENS } from '../../context/tokens.ts';
import type { ModelTurn, SendBase, SendKind } from './kind.ts';
import { textRequest, textWork } from './room.ts';

/** A conversation that the caller keeps: sent as it is, without anything from the room that it is recorded in. */
export interface ConversationSend extends SendBase {
  kind: 'conversation';
  conversation: Conversation;
  maxOutputTokens: number | undefined;
  temperature: number | undefined;
  seed: number | undefined;
}

export const conversationKind: SendKind<ConversationSend> = {
  stored: ({ conversation, temperature, seed }) => ({
    ...storedTexts(conversation.messages),
    parameters: { chat_depth: 0, temperature, seed },
  }),
  outputTokensMax: ({ maxOutputTokens }, model) => maxOutputTokens ?? model.maxOutputTokens,
  isUncapped: false,
  isReducible: ({ maxOutputTokens }) => maxOutputTokens === undefined,
  context: (_parts, _userId, { maxInputTokens }, { conversation }) =>
    fitConversation(conversation, maxInputTokens),
  limitedTexts: ({ conversation }) => [textsIn(conversation)],
  estimatePrompt: async ({ conversation }) =>
    (await estimateConversation(conversation)) + ROLE_TOKENS,
  work: (turn) => textWork(requestOf(turn)),
  textRequest: requestOf,
};

function requestOf(turn: ModelTurn<ConversationSend>): TextRequest {
  const { messages, options } = turn.input.conversation;
  return textRequest(turn, messages, options);
}

/** What the history records of a conversation: its instructions and its last message. */
function storedTexts(messages: readonly Message[]): { systemPrompt: string; request: string } {
  const systemPrompt = messages
    .filter(({ role }) => role === 'system' || role === 'developer')
    .map(({ content }) => (typeof content === 'string' ? content : ''))
    .join('\n');
  const content = messages.findLast(({ role }) => role === 'user' || role === 'tool')?.content;
  const request =
    typeof content === 'string'
      ? content
      : (content ?? []).map((part) => (part.type === 'text' ? part.text : '[image]')).join('\n');
  return { systemPrompt, request };
}
