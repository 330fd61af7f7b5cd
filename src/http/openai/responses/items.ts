import { z } from 'zod';
import { reasoningText, type Conversation, type ReasoningBlock } from '../../../chat/index.ts';
import { invalidField } from '../../../lib/errors.ts';
import {
  fileUrl,
  imageDetail,
  imageUrl,
  resultContent,
  type UserPart,
} from '../../compatible/attachments.ts';
import { oneOf } from '../../compatible/request-fields.ts';
import { unpackReasoning } from '../../compatible/sealed-reasoning.ts';
import { summaryMessage, unpackSummary } from './compaction.ts';
import { textArguments } from '../custom-tools.ts';
import { flatName, tool, type RequestedTool } from './tools.ts';

type Message = Conversation['messages'][number];
type AssistantMessage = Extract<Message, { role: 'assistant' }>;
type ToolCall = NonNullable<AssistantMessage['toolCalls']>[number];
type Calling = Omit<AssistantMessage, 'toolCalls' | 'reasoning'> & {
  toolCalls: ToolCall[];
  reasoning?: ReasoningBlock[] | undefined;
};

const inputText = z.object({ type: z.literal('input_text'), text: z.string() });
const inputImage = z.object({
  type: z.literal('input_image'),
  image_url: imageUrl,
  detail: imageDetail,
});
/** Files by either of the two kinds of URL; it does not matter which. */
const inputFile = z.object({
  type: z.literal('input_file'),
  file_data: fileUrl.nullish(),
  file_url: fileUrl.nullish(),
  filename: z.string().nullish(),
});
const outputText = z.object({ type: z.literal('output_text'), text: z.string() });
const refusal = z.object({ type: z.literal('refusal'), refusal: z.string() });
const part = oneOf('type', [inputText, inputImage, inputFile, outputText, refusal]);
const resultPart = oneOf('type', [inputText, inputImage, inputFile]);
type Part = z.output<typeof part>;

const message = z.object({
  type: z.literal('message').optional(),
  role: z.enum(['user', 'assistant', 'system', 'developer']),
  content: z.union(
    [z.string(), z.array(part)],
    'must be a text or parts of type input_text, input_image (https or data:), input_file and output_text',
  ),
});
const calledTool = { call_id: z.string(), name: z.string(), namespace: z.string().nullish() };
const functionCall = z.object({
  type: z.literal('function_call'),
  ...calledTool,
  arguments: z.string(),
});
const customCall = z.object({
  type: z.literal('custom_tool_call'),
  ...calledTool,
  input: z.string(),
});
const functionCallOutput = z.object({
  type: z.literal('function_call_output'),
  call_id: z.string(),
  output: z.union(
    [z.string(), z.array(resultPart)],
    'must be a text or parts of type input_text, input_image (https or data:) and input_file',
  ),
});

const customCallOutput = functionCallOutput.extend({ type: z.literal('custom_tool_call_output') });
/** A search for tools by the client, and its results: the found tools can be called from then on. */
const toolSearchCall = z.object({
  type: z.literal('tool_search_call'),
  call_id: z.string(),
  arguments: z.unknown(),
});
const toolSearchOutput = z.object({
  type: z.literal('tool_search_output'),
  call_id: z.string(),
  tools: z.array(tool),
});
const additionalTools = z.object({ type: z.literal('additional_tools'), tools: z.array(tool) });

/** Earlier reasoning of the model. The provider that it is from gets it back unchanged; others do not get it. */
const reasoning = z.object({
  type: z.literal('reasoning'),
  id: z.string().nullish(),
  summary: z.array(z.looseObject({ text: z.string().nullish() })).nullish(),
  encrypted_content: z.string().nullish(),
});
const compaction = z.object({ type: z.literal('compaction'), encrypted_content: z.string() });
const itemReference = z.object({ type: z.literal('item_reference'), id: z.string() });

export const item = oneOf('type', [
  message,
  functionCall,
  functionCallOutput,
  customCall,
  customCallOutput,
  toolSearchCall,
  toolSearchOutput,
  additionalTools,
  reasoning,
  compaction,
  itemReference,
]);

type GivenItem = z.output<typeof item>;
export type ItemReference = Extract<GivenItem, { type: 'item_reference' }>;
/** An item in full, as opposed to a reference. */
export type Item = Exclude<GivenItem, ItemReference>;

/** The items of an input, which may be just a text. */
export function itemsOf(input: string | readonly GivenItem[] | null | undefined): GivenItem[] {
  if (typeof input === 'string') return [{ type: 'message', role: 'user', content: input }];
  return [...(input ?? [])];
}

/** Items as messages. Calls become part of the preceding message of the assistant, as in chat formats. */
export function toMessages(items: readonly Item[]): Message[] {
  const messages: Message[] = [];
  // The last message, if it has calls. Its lists are extended in place, since a request can contain a great many calls.
  let calling: Calling | undefined;
  // The model's reasoning before the next message.
  let blocks: ReasoningBlock[] = [];
  for (const [index, given] of items.entries()) {
    if (given.type === 'additional_tools') continue;
    if (given.type === 'reasoning') {
      const block = reasoningOf(given, calling?.toolCalls.length ?? 0);
      if (calling) (calling.reasoning ??= []).push(block);
      else blocks.push(block);
      continue;
    }
    if (isCall(given)) {
      if (!calling) {
        const before = assistantBefore(messages);
        const all = [...(before.reasoning ?? []), ...blocks];
        calling = { ...before, toolCalls: [], reasoning: all.length > 0 ? all : undefined };
        messages.push(calling);
        blocks = [];
      }
      calling.toolCalls.push(callOf(given));
      continue;
    }
    calling = undefined;
    if (isOutput(given)) {
      const { call_id: toolCallId, output } = given;
      const content =
        typeof output === 'string'
          ? output
          : resultContent(output, partIn(`input.${index}.output`));
      messages.push({ role: 'tool', toolCallId, content });
    } else if (given.type === 'tool_search_output') {
      const found = given.tools.map((one) => ('name' in one ? one.name : one.type));
      messages.push({ role: 'tool', toolCallId: given.call_id, content: foundText(found) });
    } else if (given.type === 'compaction') {
      messages.push(compacted(given.encrypted_content, `input.${index}.encrypted_content`));
    } else {
      const said = toMessage(given, `input.${index}.content`);
      const isAnswer = said.role === 'assistant' && blocks.length > 0;
      messages.push(isAnswer ? { ...said, reasoning: blocks } : said);
    }
    blocks = [];
  }
  return messages;
}

/** @param calls calls of the same answer that come before it */
function reasoningOf(
  { summary, encrypted_content: packed }: Extract<Item, { type: 'reasoning' }>,
  calls: number,
): ReasoningBlock {
  const ours = packed == null ? undefined : unpackReasoning(packed);
  if (ours) return ours;
  const text = reasoningText((summary ?? []).map((said) => ({ text: said.text ?? '' })));
  return { text, ...(calls > 0 && { after: { text: 0, calls } }) };
}

type CallItem = Extract<Item, { type: 'function_call' | 'custom_tool_call' | 'tool_search_call' }>;

function isCall(given: Item): given is CallItem {
  const { type } = given;
  return type === 'function_call' || type === 'custom_tool_call' || type === 'tool_search_call';
}

function callOf(given: CallItem): ToolCall {
  switch (given.type) {
    case 'function_call':
      return {
        id: given.call_id,
        name: flatName(given.name, given.namespace),
        arguments: given.arguments,
      };
    case 'custom_tool_call':
      return {
        id: given.call_id,
        name: flatName(given.name, given.namespace),
        arguments: textArguments(given.input),
      };
    case 'tool_search_call': {
      const { call_id: id, arguments: found } = given;
      const text = typeof found === 'string' ? found : JSON.stringify(found ?? {});
      return { id, name: 'tool_search', arguments: text };
    }
  }
}

function isOutput(
  given: Item,
): given is Extract<Item, { type: 'function_call_output' | 'custom_tool_call_output' }> {
  return given.type === 'function_call_output' || given.type === 'custom_tool_call_output';
}

function foundText(names: readonly unknown[]): string {
  return names.length === 0 ? 'No tools were found.' : `Tools found: ${names.join(', ')}`;
}

/** The tools that items of a conversation bring. */
export function toolsIn(items: readonly Item[]): RequestedTool[] {
  return items.flatMap((given) =>
    given.type === 'additional_tools' || given.type === 'tool_search_output' ? given.tools : [],
  );
}

function compacted(packed: string, path: string): Message {
  const summary = unpackSummary(packed);
  if (summary !== undefined) return summaryMessage(summary);
  throw invalidField(path, 'was not made by this gateway: send the conversation, or its summary');
}

/**
 * Removes and returns the last message if it is the assistant's. Otherwise returns an empty message of the assistant.
 */
function assistantBefore(messages: Message[]): Extract<Message, { role: 'assistant' }> {
  const last = messages.at(-1);
  if (last?.role !== 'assistant') return { role: 'assistant', content: null };
  messages.pop();
  return { role: 'assistant', content: last.content, reasoning: last.reasoning };
}

type GivenMessage = z.output<typeof message>;

function toMessage({ role, content }: GivenMessage, path: string): Message {
  if (role !== 'user') return { role, content: textOf(content, path) };
  if (typeof content === 'string') return { role, content };
  return { role, content: content.map(partIn(path)) };
}

/** @param path of the content, for an error */
function partIn(path: string): (given: Part) => UserPart {
  return (given) => {
    if (given.type === 'input_image') {
      return { type: 'image', url: given.image_url, detail: given.detail ?? undefined };
    }
    if (given.type === 'input_file') {
      const url = given.file_data ?? given.file_url;
      if (url == null) throw invalidField(path, 'an input_file needs file_data or file_url');
      return { type: 'file', url, name: given.filename ?? undefined };
    }
    return { type: 'text', text: given.type === 'refusal' ? given.refusal : given.text };
  };
}

function textOf(content: GivenMessage['content'], path = ''): string {
  if (typeof content === 'string') return content;
  return content
    .map((given) => {
      if (given.type === 'input_image') throw invalidField(path, 'only users can send images');
      if (given.type === 'input_file') throw invalidField(path, 'only users can send files');
      return given.type === 'refusal' ? given.refusal : given.text;
    })
    .join('');
}
