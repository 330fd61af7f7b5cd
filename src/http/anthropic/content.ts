import { z } from 'zod';
import type { Conversation, ReasoningBlock } from '../../chat/index.ts';
import { resultContent, type UserPart } from '../compatible/attachments.ts';
import { unpackReasoning } from '../compatible/sealed-reasoning.ts';
import {
  breakpointOf,
  cacheable,
  isMarked,
  markableText,
  markedText,
  oneOf,
} from '../compatible/request-fields.ts';

type Message = Conversation['messages'][number];

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
const documentBlock = z.object({
  type: z.literal('document'),
  source: oneOf('type', [
    z.object({ type: z.literal('base64'), media_type: z.string(), data: z.string() }),
    z.object({ type: z.literal('url'), url: z.string().startsWith('https://') }),
    z.object({ type: z.literal('text'), data: z.string() }),
    z.object({ type: z.literal('content'), content: texts }),
  ]),
  title: z.string().nullish(),
  context: z.string().nullish(),
  ...cacheable,
});
const toolUse = z.object({
  type: z.literal('tool_use'),
  id: z.string(),
  name: z.string(),
  input: z.unknown(),
  ...cacheable,
});
/** A tool that the client's search has found. */
const toolReference = z.object({
  type: z.literal('tool_reference'),
  tool_name: z.string(),
  ...cacheable,
});
const toolResult = z.object({
  type: z.literal('tool_result'),
  tool_use_id: z.string(),
  content: z
    .union(
      [z.string(), z.array(oneOf('type', [markableText, image, documentBlock, toolReference]))],
      'must be a text or blocks of type text, image (base64 or https url), document and tool_reference',
    )
    .nullish(),
  is_error: z.boolean().nullish(),
  ...cacheable,
});

/** Earlier reasoning of the model. The provider that signed it gets it back unchanged; others do not get it. */
const thinking = z.object({
  type: z.literal('thinking'),
  thinking: z.string(),
  signature: z.string(),
});
const redactedThinking = z.object({ type: z.literal('redacted_thinking'), data: z.string() });

export const system = texts;

/** A message: text, or blocks of text, images, tool calls and their results. */
export const message = oneOf('role', [
  z.object({ role: z.literal('system'), content: texts }),
  z.object({
    role: z.literal('user'),
    content: z.union(
      [z.string(), z.array(oneOf('type', [markableText, image, documentBlock, toolResult])).min(1)],
      'must be a text or blocks of type text, image (base64 or https url), document and tool_result',
    ),
  }),
  z.object({
    role: z.literal('assistant'),
    content: z.union(
      [z.string(), z.array(oneOf('type', [markableText, toolUse, thinking, redactedThinking]))],
      'must be a text or blocks of type text, tool_use, thinking and redacted_thinking',
    ),
  }),
]);

/** The system prompt as a message for providers. An empty prompt becomes no message. */
export function toSystem(given: z.output<typeof system> | null | undefined): Message[] {
  const marked = markedText(given);
  return marked.content === '' ? [] : [{ role: 'system', ...marked }];
}

/** One message can become several for a provider: each tool result becomes its own message. */
export function toMessages(given: z.output<typeof message>): Message[] {
  if (given.role === 'system') return toSystem(given.content);
  if (typeof given.content === 'string') return [{ role: given.role, content: given.content }];
  return given.role === 'user' ? userMessages(given.content) : [assistantMessage(given.content)];
}

/** The names of the tools that searches in the conversation have found. */
export function foundTools(messages: readonly z.output<typeof message>[]): Set<string> {
  const names = new Set<string>();
  for (const { content } of messages) {
    if (typeof content === 'string') continue;
    for (const block of content) {
      if (block.type !== 'tool_result' || !Array.isArray(block.content)) continue;
      for (const part of block.content) {
        if (part.type === 'tool_reference') names.add(part.tool_name);
      }
    }
  }
  return names;
}

/** The conversation with a cache mark on its last block. */
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
      const { content, tool_use_id: toolCallId, is_error: isError } = block;
      const given =
        typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content;
      const said = isError ? [{ type: 'text' as const, text: 'Error: ' }, ...(given ?? [])] : given;
      const isCached = isMarked(block) || given?.some(isMarked);
      const mark = isCached ? breakpoint : {};
      return { role: 'tool', toolCallId, content: resultContent(said ?? [], toPart), ...mark };
    });
  const parts = blocks.flatMap((block): UserPart[] => {
    if (block.type === 'tool_result') return [];
    return [{ ...toPart(block), ...breakpointOf(block) }];
  });
  return parts.length === 0 ? results : [...results, { role: 'user', content: parts }];
}

type Part = z.output<
  typeof markableText | typeof image | typeof documentBlock | typeof toolReference
>;

function toPart(block: Part): UserPart {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text };
    case 'image':
      return { type: 'image', url: urlOf(block.source) };
    case 'tool_reference':
      return { type: 'text', text: `The tool ${block.tool_name} can be called now.` };
    case 'document': {
      const { source, title } = block;
      if (source.type === 'text') return asText(block, source.data);
      if (source.type === 'content') return asText(block, markedText(source.content).content);
      return { type: 'file', url: urlOf(source), name: title ?? undefined };
    }
  }
}

function urlOf(source: z.output<typeof image>['source']): string {
  return source.type === 'url' ? source.url : `data:${source.media_type};base64,${source.data}`;
}

/** A document that is a text, under its title. */
function asText(
  { title, context }: { title?: string | null | undefined; context?: string | null | undefined },
  text: string,
): UserPart {
  return { type: 'text', text: [title, context, text].filter(Boolean).join('\n') };
}

function assistantMessage(blocks: AssistantBlocks): Message {
  const said = blocks.filter((block) => block.type === 'text').map((block) => block.text);
  const toolCalls = blocks
    .filter((block) => block.type === 'tool_use')
    .map(({ id, name, input }) => ({ id, name, arguments: JSON.stringify(input ?? {}) }));
  const reasoning = reasoningIn(blocks);
  return {
    role: 'assistant',
    ...(reasoning.length > 0 && { reasoning }),
    content: said.length === 0 ? null : said.join(''),
    toolCalls: toolCalls.length === 0 ? undefined : toolCalls,
    ...(blocks.some((block) => 'cache_control' in block && isMarked(block)) && breakpoint),
  };
}

/** The reasoning among the blocks, with its places. */
function reasoningIn(blocks: AssistantBlocks): ReasoningBlock[] {
  const at = { text: 0, calls: 0 };
  return blocks.flatMap((block): ReasoningBlock[] => {
    if (block.type === 'text') at.text += block.text.length;
    else if (block.type === 'tool_use') at.calls++;
    else return [{ ...reasoningOf(block), ...(at.text + at.calls > 0 && { after: { ...at } }) }];
    return [];
  });
}

function reasoningOf(block: z.output<typeof thinking | typeof redactedThinking>): ReasoningBlock {
  if (block.type === 'redacted_thinking') {
    return { text: '', seal: { by: 'anthropic', data: block.data } };
  }
  const { thinking: text, signature } = block;
  // Reasoning that nobody signed has an empty signature.
  if (signature === '') return { text };
  const ours = unpackReasoning(signature);
  return { text, seal: ours ? ours.seal : { by: 'anthropic', signature } };
}
