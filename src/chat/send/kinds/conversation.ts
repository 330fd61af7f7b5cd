import { DomainError } from '../../../lib/errors.ts';
import type { Message, TextRequest, Tool } from '../../../providers/index.ts';
import { TokenBudget, type FittedContext } from '../../context/context.ts';
import { estimateTokens, ROLE_TOKENS } from '../../context/tokens.ts';
import type { ModelTurn, SendBase, SendKind, TextOptions } from './kind.ts';
import { textRequest, textWork } from './room.ts';

/** Messages that the caller keeps. */
export interface Conversation {
  messages: readonly Message[];
  options: TextOptions;
}

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

/**
 * Finds the most input tokens that a conversation can have. With images, that is the model's whole input, since the
 * tokens of an image are not known. What only some providers read counts, but is no reason to refuse.
 * @throws `input_too_long` when it does not fit
 */
export async function fitConversation(
  { messages, options }: Conversation,
  maxInputTokens: number,
): Promise<FittedContext> {
  const texts = textsIn({ messages, options });
  const budget = new TokenBudget(maxInputTokens);
  if (!(await budget.take(texts))) {
    const tokens = await estimateTokens(texts);
    throw new DomainError(
      'input_too_long',
      `the messages have about ${tokens} tokens, and this model's maximum context length is ${maxInputTokens} tokens: send fewer or shorter ones`,
      { facts: { input_tokens: tokens, max_input_tokens: maxInputTokens } },
    );
  }
  if (imagesIn(messages) > 0) return { items: [], inputTokensMax: maxInputTokens };
  const beside = passedOn({ messages, options });
  const bytes = beside.reduce((sum, text) => sum + Buffer.byteLength(text), budget.upperBound);
  return { items: [], inputTokensMax: Math.min(maxInputTokens, bytes) };
}

/** The caller's words beside the texts: ids, names and thoughts, which providers may put into the model's input. */
function passedOn({ messages, options }: Conversation): string[] {
  const { stop = [], user = '', reasoningEffort = '', toolChoice } = options;
  const inMessages = messages.map((message) => {
    if (message.role === 'assistant') return message.thoughts ?? '';
    return message.role === 'tool' ? message.toolCallId : '';
  });
  const tool = typeof toolChoice === 'object' ? toolChoice.name : '';
  return [...inMessages, ...stop, user, reasoningEffort, tool];
}

function imagesIn(messages: readonly Message[]): number {
  const parts = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content));
  return parts.filter((part) => part?.type === 'image').length;
}

/** Everything that every provider reads as text. */
function textsIn({ messages, options }: Conversation): string[] {
  const texts = messages.flatMap((message) => {
    if (message.role === 'assistant') {
      const calls = message.toolCalls ?? [];
      return [message.content ?? '', ...calls.map((call) => JSON.stringify(call))];
    }
    if (typeof message.content === 'string') return [message.content];
    return message.content.map((part) => (part.type === 'text' ? part.text : ''));
  });
  if (options.tools) texts.push(JSON.stringify(options.tools.map(readTool)));
  if (options.responseFormat) texts.push(JSON.stringify(options.responseFormat));
  return texts;
}

/** A tool without the caller's marks, which no provider reads as text. */
function readTool({ name, description, parameters, strict }: Tool): Tool {
  return { name, description, parameters, strict };
}

/**
 * The estimate for an image whose tokens no provider reports: about those of a megapixel at most providers (Anthropic:
 * width times height divided by 750; OpenAI: 765 to 1,105 for a large image).
 */
const IMAGE_TOKENS = 1_000;

/** About how many tokens a conversation has. Thoughts do not count, since they may not have been sent. */
export async function estimateConversation(conversation: Conversation): Promise<number> {
  const tokens = await estimateTokens([...textsIn(conversation)]);
  return tokens + imagesIn(conversation.messages) * IMAGE_TOKENS;
}
