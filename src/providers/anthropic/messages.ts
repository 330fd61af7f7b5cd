import { callIdIn } from '../shared/call-ids.ts';
import { argumentsObject } from '../shared/conversation.ts';
import { bytesOfFile, parseImageUrl, PDF, textOfFile } from '../shared/parts.ts';
import { inOrder } from '../shared/reasoning.ts';
import {
  UnsupportedError,
  type FilePart,
  type Message,
  type ReasoningBlock,
  type ToolCall,
  type UserPart,
} from '../spec.ts';
import { withBreakpoint, type Block } from './cache.ts';
import { SignedReasoning } from './signed-reasoning.ts';

export interface Turn {
  role: 'user' | 'assistant';
  content: Block[];
}

/**
 * The conversation without its system messages. Consecutive messages of the same side become one turn, because the
 * results of parallel tool calls must be in one turn. Empty texts are left out, and so are the texts of a message
 * if all of them are blank (other models produce those before a call): the API refuses them.
 * @param cached whether to send cache breakpoints
 */
export function turns(
  messages: readonly Message[],
  cached = false,
  kept = new SignedReasoning(),
): Turn[] {
  const result: Turn[] = [];
  for (const message of messages) {
    const content = withoutBlank(blocksOf(message, cached, kept));
    if (content.length === 0) continue;
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const last = result.at(-1);
    if (last?.role === role) last.content.push(...content);
    else result.push({ role, content });
  }
  return result;
}

function withoutBlank(blocks: Block[]): Block[] {
  const hasText = blocks.some(({ text = '' }) => text.trim() !== '');
  return hasText ? blocks : blocks.filter(({ type }) => type !== 'text');
}

function blocksOf(message: Message, cached: boolean, kept: SignedReasoning): Block[] {
  switch (message.role) {
    case 'system':
    case 'developer':
      return [];
    case 'user':
      return typeof message.content === 'string'
        ? textBlocks(message.content)
        : message.content.flatMap((part) =>
            userBlocks(part).map((block) => withBreakpoint(block, cached && part.cacheBreakpoint)),
          );
    case 'assistant': {
      const { content, toolCalls = [], cacheBreakpoint } = message;
      const [first] = toolCalls;
      const given = message.reasoning?.filter(({ seal }) => seal?.by === 'anthropic') ?? [];
      const reasoning = given.length > 0 || !first ? given : kept.of(first.id);
      const blocks = answerBlocks({ text: content ?? '', toolCalls, reasoning });
      return blocks.map((block, at) =>
        withBreakpoint(block, cached && cacheBreakpoint && at === blocks.length - 1),
      );
    }
    case 'tool': {
      const { toolCallId, content: result, cacheBreakpoint } = message;
      const content = typeof result === 'string' ? result : result.flatMap(userBlocks);
      const id = callIdIn(callIds, toolCallId);
      const block = { type: 'tool_result', tool_use_id: id, content };
      return [withBreakpoint(block, cached && cacheBreakpoint)];
    }
  }
}

function answerBlocks(answer: Parameters<typeof inOrder<ToolCall>>[0]): Block[] {
  return [...inOrder(answer)].flatMap((piece): Block[] => {
    if (piece.type === 'reasoning') return thinkingBlocks(piece.block);
    // The API refuses blank blocks.
    if (piece.type === 'text') return piece.text.trim() === '' ? [] : textBlocks(piece.text);
    const { id: given, name } = piece.call;
    const id = callIdIn(callIds, given);
    return [{ type: 'tool_use', id, name, input: argumentsObject(piece.call) }];
  });
}

/** The API refuses other ids of calls. */
const callIds = /^[\w-]+$/;

function thinkingBlocks({ text: thinking, seal }: ReasoningBlock): Block[] {
  if (seal?.by !== 'anthropic') return [];
  return 'data' in seal
    ? [{ type: 'redacted_thinking', data: seal.data }]
    : [{ type: 'thinking', thinking, signature: seal.signature }];
}

function textBlocks(text: string): Block[] {
  return text === '' ? [] : [{ type: 'text', text }];
}

function userBlocks(part: UserPart): Block[] {
  if (part.type === 'text') return textBlocks(part.text);
  if (part.type === 'image') return [{ type: 'image', source: imageSource(part.url) }];
  const text = textOfFile(part);
  return text === undefined ? [documentBlock(part)] : textBlocks(text);
}

function documentBlock(part: FilePart): Block {
  const title = part.name && { title: part.name };
  if (part.url.startsWith('https://')) {
    return { type: 'document', source: { type: 'url', url: part.url }, ...title };
  }
  const { mediaType, base64: data } = bytesOfFile(part);
  if (mediaType === PDF) {
    const source = { type: 'base64', media_type: mediaType, data };
    return { type: 'document', source, ...title };
  }
  const why = 'This provider takes files only as PDF or as a text.';
  throw new UnsupportedError('messages', why);
}

function imageSource(url: string): object {
  if (url.startsWith('https://')) return { type: 'url', url };
  const image = parseImageUrl(url);
  if (image) return { type: 'base64', media_type: image.mediaType, data: image.base64 };
  const why = 'Send an image as an https:// URL or as a data: URL in base64.';
  throw new UnsupportedError('messages', why);
}
