import { z } from 'zod';
import type { Conversation } from '../../chat/index.ts';
import {
  breakpointOf,
  cacheable,
  isMarked,
  markableText,
  markedText,
  markedWhole,
  oneOf,
} from '../compatible/request-fields.ts';

type Message = Conversation['messages'][number];
type UserPart = Exclude<Extract<Message, { role: 'user' }>['content'], string>[number];

const breakpoint = { cacheBreakpoint: true } as const;
const texts = z.union(
  [z.string(), z.array(oneOf('type', [markableText]))],
  'must be a text or blocks of type text',
);
const image = z.object({
  type: z.literal('image'),
  source: oneOf('type', [
    z.object({ type: z.literal('base64'), media_type: z.string(), data: z.string() }),
    z.object({ type: z.literal('url'), url: z.string().startsWith('https://') }),
  ]),
  ...cacheable,
});
const toolUse = z.object({
  type: z.literal('tool_use'),
  id: z.string(),
  name: z.string(),
  input: z.unknown(),
  ...cacheable,
});
const toolResult = z.object({
  type: z.literal('tool_result'),
  tool_use_id: z.string(),
  content: texts.nullish(),
  is_error: z.boolean().nullish(),
  ...cacheable,
});

export const system = texts;

/** A message: text, or blocks of text, images, tool calls and their results. */
export const message = oneOf('role', [
  z.object({
    role: z.literal('user'),
    content: z.union(
      [z.string(), z.array(oneOf('type', [markableText, image, toolResult])).min(1)],
      'must be a text or blocks of type text, image (base64 or https url) and tool_result',
    ),
  }),
  z.object({
    role: z.literal('assistant'),
    content: z.union(
      [z.string(), z.array(oneOf('type', [markableText, toolUse]))],
      'must be a text or blocks of type text and tool_use',
    ),
  }),
]);

/** The system prompt as a message for providers. An empty prompt is no message. */
export function toSystem(given: z.output<typeof system> | null | undefined): Message[] {
  const marked = markedText(given);
  return marked.content === '' ? [] : [{ role: 'system', ...marked }];
}

/** One message can become several for a provider: each tool result is a message. */
export function toMessages(given: z.output<typeof message>): Message[] {
  if (typeof given.content === 'string') return [{ role: given.role, content: given.content }];
  return given.role === 'user' ? userMessages(given.content) : [assistantMessage(given.content)];
}

/** The conversation with a mark on its last block. */
export function markedAtEnd(messages: readonly Message[]): Message[] {
  const last = messages.at(-1);
  if (!last || last.role === 'system' || last.role === 'developer') return [...messages];
  return [
    ...messages.slice(0, -1),
    last.role === 'user' ? markedUser(last) : { ...last, ...breakpoint },
  ];
}

function markedUser(said: Extract<Message, { role: 'user' }>): Message {
  const { content } = said;
  const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content;
  return {
    ...said,
    content: parts.map((part, at) => ({ ...part, ...(at === parts.length - 1 && breakpoint) })),
  };
}

type UserBlocks = Exclude<Extract<z.output<typeof message>, { role: 'user' }>['content'], string>;
type AssistantBlocks = Exclude<
  Extract<z.output<typeof message>, { role: 'assistant' }>['content'],
  string
>;

function userMessages(blocks: UserBlocks): Message[] {
  const results = blocks
    .filter((block) => block.type === 'tool_result')
    .map((block): Message => {
      const said = markedWhole(block.content);
      const content = block.is_error ? `Error: ${said.content}` : said.content;
      const mark = breakpointOf(block);
      return { role: 'tool', toolCallId: block.tool_use_id, ...said, ...mark, content };
    });
  const parts = blocks.flatMap((block): UserPart[] => {
    if (block.type === 'tool_result') return [];
    const mark = breakpointOf(block);
    if (block.type === 'text') return [{ type: 'text', text: block.text, ...mark }];
    const { source } = block;
    const url =
      source.type === 'url' ? source.url : `data:${source.media_type};base64,${source.data}`;
    return [{ type: 'image', url, ...mark }];
  });
  return parts.length === 0 ? results : [...results, { role: 'user', content: parts }];
}

function assistantMessage(blocks: AssistantBlocks): Message {
  const said = blocks.filter((block) => block.type === 'text').map((block) => block.text);
  const toolCalls = blocks
    .filter((block) => block.type === 'tool_use')
    .map(({ id, name, input }) => ({ id, name, arguments: JSON.stringify(input ?? {}) }));
  return {
    role: 'assistant',
    content: said.length === 0 ? null : said.join(''),
    toolCalls: toolCalls.length === 0 ? undefined : toolCalls,
    ...(blocks.some(isMarked) && breakpoint),
  };
}
