import { DomainError } from '../../../lib/errors.ts';
import type { Catalogue, CatalogueModel } from '../../../catalogue/index.ts';
import {
  isSentBack,
  type Message,
  type Offer,
  type TextRequest,
  type ReasoningBlock,
  type Tool,
} from '../../../providers/index.ts';
import type { KeptRequest } from '../../commit/commands.ts';
import { TokenBudget, type FittedContext } from '../../context/context.ts';
import { estimateTokens, ROLE_TOKENS } from '../../context/tokens.ts';
import {
  partTokens,
  type ModelTurn,
  type SendBase,
  type SendKind,
  type TextOptions,
} from './kind.ts';
import { recorded } from './recorded.ts';
import { textRequest, textWork } from './room.ts';

/** Messages that the caller keeps. */
export interface Conversation {
  messages: readonly Message[];
  options: TextOptions;
  /** If true, the oldest turns of a conversation that is too long for the model are left out. */
  leavesOutOldest?: boolean | undefined;
}

/** A conversation that the caller keeps: sent as it is, without anything from the room that it is recorded in. */
export interface ConversationSend extends SendBase {
  kind: 'conversation';
  conversation: Conversation;
  maxOutputTokens: number | undefined;
  temperature: number | undefined;
  seed: number | undefined;
  /** Undefined: message and answer are only recorded in the history. */
  kept?: KeptRequest | undefined;
}

export const conversationKind: SendKind<ConversationSend> = {
  stored: ({ conversation, temperature, seed }) => ({
    ...storedTexts(conversation.messages),
    parameters: { chat_depth: 0, temperature, seed },
  }),
  outputTokensMax: ({ maxOutputTokens }, model) => maxOutputTokens ?? model.maxOutputTokens,
  isUncapped: false,
  isReducible: ({ maxOutputTokens }) => maxOutputTokens === undefined,
  needs: ({ conversation: { options } }) => needsOf(options),
  answers: ({ conversation: { options } }) => options.n ?? 1,
  isWhole: ({ conversation: { options } }) =>
    options.n !== undefined || options.logprobs !== undefined,
  context: ({ catalogue }, userId, model, { conversation }) =>
    fitConversation(conversation, model.maxInputTokens, {
      isSent: (block) => mayGet(catalogue, model, block),
      userId,
    }),
  limitedTexts: ({ conversation }, context) => [textsIn(sentOf(conversation, context))],
  estimatePrompt: async ({ conversation }, context, userId) =>
    (await estimateConversation(sentOf(conversation, context), userId)) + ROLE_TOKENS,
  work: (turn) => textWork(requestOf(turn)),
  textRequest: requestOf,
};

function requestOf(turn: ModelTurn<ConversationSend>): TextRequest {
  const { messages, options } = sentOf(turn.input.conversation, turn.context);
  return textRequest(turn, messages, options);
}

/** The conversation as the model gets it. */
function sentOf(conversation: Conversation, { shortened }: FittedContext): Conversation {
  return shortened ? { ...conversation, messages: shortened.messages } : conversation;
}

function isInstruction({ role }: Message): boolean {
  return role === 'system' || role === 'developer';
}

const noNeeds: readonly Offer[] = [];

function needsOf({ n, logprobs }: TextOptions): readonly Offer[] {
  if (n === undefined && !logprobs) return noNeeds;
  return [...(n === undefined ? [] : ['n' as const]), ...(logprobs ? ['logprobs' as const] : [])];
}

/** What the history records of a conversation: its instructions and its last message, if they are not too long. */
function storedTexts(messages: readonly Message[]): { systemPrompt: string; request: string } {
  const systemPrompt = messages
    .filter(isInstruction)
    .map(({ content }) => (typeof content === 'string' ? content : ''))
    .join('\n');
  const content = messages.findLast(({ role }) => role === 'user' || role === 'tool')?.content;
  const request =
    typeof content === 'string'
      ? content
      : (content ?? [])
          .map((part) => (part.type === 'text' ? part.text : `[${part.type}]`))
          .join('\n');
  return { systemPrompt: recorded(systemPrompt), request: recorded(request) };
}

/**
 * Finds the most input tokens that a conversation can have. With images or files, that is the model's whole input,
 * since their tokens are not known. Text that only some providers read counts, but is no reason to refuse.
 * @param of.isSent whether a reasoning block goes to a provider: signed ones of others may be large
 * @param of.userId the user whose conversation it is
 * @throws `input_too_long` when it does not fit
 */
export async function fitConversation(
  conversation: Conversation,
  maxInputTokens: number,
  { isSent, userId }: { isSent: (block: ReasoningBlock) => boolean; userId?: number },
): Promise<FittedContext> {
  const budget = new TokenBudget(maxInputTokens, userId);
  const fitted = (sent: Conversation, { upperBound }: TokenBudget): FittedContext => {
    if (attachmentTokens(sent.messages) > 0) return { items: [], inputTokensMax: maxInputTokens };
    const beside = passedOn(sent, isSent);
    const bytes = beside.reduce((sum, text) => sum + Buffer.byteLength(text), upperBound);
    return { items: [], inputTokensMax: Math.min(maxInputTokens, bytes) };
  };
  if (await budget.take(textsIn(conversation))) return fitted(conversation, budget);
  const short =
    conversation.leavesOutOldest && (await withoutOldest(conversation, maxInputTokens, userId));
  if (!short) throw await tooLong(conversation, maxInputTokens, userId);
  const { messages } = short.conversation;
  const leftOut = conversation.messages.length - messages.length;
  const warning = `the conversation is too long for this model: its ${leftOut} oldest messages were not sent`;
  return {
    ...fitted(short.conversation, short.budget),
    shortened: { messages, warning },
  };
}

/** Whether the model or one of its fallbacks receives this reasoning block. */
function mayGet(catalogue: Catalogue, model: CatalogueModel, block: ReasoningBlock): boolean {
  const fallbacks = model.fallbacks.map((id) => catalogue.get(id));
  return [model, ...fallbacks].some((one) => {
    const setup = one && catalogue.providerSetup(one.provider);
    return setup && isSentBack(setup, one.model, block);
  });
}

async function tooLong(
  conversation: Conversation,
  maxInputTokens: number,
  userId: number | undefined,
): Promise<DomainError> {
  const tokens = await estimateTokens(textsIn(conversation), userId);
  return new DomainError(
    'input_too_long',
    `the messages have about ${tokens} tokens, and this model's maximum context length is ${maxInputTokens} tokens: send fewer or shorter ones`,
    { facts: { input_tokens: tokens, max_input_tokens: maxInputTokens } },
  );
}

/**
 * The instructions and the newest turns of a conversation that fit. A turn begins with a message of the user, so that
 * no result is sent without its call, and no conversation begins with an answer, which some providers refuse.
 * @returns undefined if not even the last turn fits
 */
async function withoutOldest(
  { messages, options }: Conversation,
  maxInputTokens: number,
  userId: number | undefined,
): Promise<{ conversation: Conversation; budget: TokenBudget } | undefined> {
  const budget = new TokenBudget(maxInputTokens, userId);
  if (!(await budget.take(textsIn({ messages: messages.filter(isInstruction), options })))) return;
  let from = messages.length;
  for (let at = from - 1; at >= 0; at--) {
    if (messages[at]?.role !== 'user') continue;
    const turn = messages.slice(at, from).filter((message) => !isInstruction(message));
    if (!(await budget.take(textsIn({ messages: turn, options: {} })))) break;
    from = at;
  }
  if (from === messages.length) return;
  const kept = messages.filter((message, at) => at >= from || isInstruction(message));
  return { conversation: { messages: kept, options }, budget };
}

/**
 * Texts of the caller besides the messages: ids, names and reasoning, which providers may put into the model's input.
 */
function passedOn(
  { messages, options }: Conversation,
  isSent: (block: ReasoningBlock) => boolean,
): string[] {
  const { stop = [], user = '', reasoningEffort = '', verbosity = '', toolChoice } = options;
  const inMessages = messages.map((message) => {
    if (message.role === 'assistant') {
      const sent = (message.reasoning ?? []).filter(isSent);
      return sent.map(({ text, seal }) => (seal ? text + JSON.stringify(seal) : text)).join('');
    }
    return message.role === 'tool' ? message.toolCallId : '';
  });
  const tool = typeof toolChoice === 'object' ? toolChoice.name : '';
  return [...inMessages, ...stop, user, reasoningEffort, verbosity, tool];
}

/** The URLs of all images. */
export function imageUrls({ messages }: Pick<Conversation, 'messages'>): string[] {
  const parts = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content));
  return parts.flatMap((part) => (part?.type === 'image' ? [part.url] : []));
}

/** About how many tokens the images and files have. */
function attachmentTokens(messages: readonly Message[]): number {
  let tokens = 0;
  for (const { content } of messages) {
    if (content === null || typeof content === 'string') continue;
    for (const { type } of content) if (type !== 'text') tokens += partTokens[type];
  }
  return tokens;
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

/** A tool without the caller's cache marks, which no provider reads as text. */
function readTool({ name, description, parameters, strict }: Tool): Tool {
  return { name, description, parameters, strict };
}

/** About how many tokens a conversation has. Reasoning does not count, since it may not have been sent. */
export async function estimateConversation(
  conversation: Conversation,
  userId: number,
): Promise<number> {
  const tokens = await estimateTokens(textsIn(conversation), userId);
  return tokens + attachmentTokens(conversation.messages);
}
