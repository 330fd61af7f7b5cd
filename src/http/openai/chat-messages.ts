import { z } from 'zod';
import type { Conversation } from '../../chat/index.ts';
import {
  fileUrl,
  imageDetail,
  imageUrl,
  resultContent,
  type UserPart,
} from '../compatible/attachments.ts';
import { textArguments } from './custom-tools.ts';
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
type ToolCall = NonNullable<Extract<Message, { role: 'assistant' }>['toolCalls']>[number];

const imagePart = z.object({
  type: z.literal('image_url'),
  image_url: z.object({ url: imageUrl, detail: imageDetail }),
  ...cacheable,
});
const filePart = z.object({
  type: z.literal('file'),
  file: z.object({ file_data: fileUrl, filename: z.string().nullish() }),
  ...cacheable,
});
const part = oneOf('type', [markableText, imagePart, filePart]);
type Part = z.output<typeof part>;
const texts = z.union(
  [z.string(), z.array(oneOf('type', [markableText]))],
  'must be a text or parts of type text',
);
/** The speaker, if there are several. Not all providers support it. */
const name = z.string().nullish();

const functionCallOf = { function: z.object({ name: z.string(), arguments: z.string() }) };
const toolCall = oneOf('type', [
  z.object({ id: z.string(), type: z.literal('function').optional(), ...functionCallOf }),
  z.object({
    id: z.string(),
    type: z.literal('custom'),
    custom: z.object({ name: z.string(), input: z.string() }),
  }),
]);

/** A call in the form of older clients, which know only one call at a time, without ids. */
const functionCall = z.object({ name: z.string(), arguments: z.string() });

export const message = oneOf('role', [
  z.object({ role: z.enum(['system', 'developer']), content: texts, name }),
  z.object({
    role: z.literal('user'),
    content: z.union(
      [z.string(), z.array(part)],
      'must be a text or parts of type text, image_url (https or data:) and file',
    ),
    name,
  }),
  z.object({
    role: z.literal('assistant'),
    content: texts.nullish(),
    tool_calls: z.array(toolCall).nullish(),
    function_call: functionCall.nullish().describe('The older form of tool_calls.'),
    reasoning_content: z
      .string()
      .nullish()
      .describe(
        'The reasoning of the model before this answer, for providers that want it back (DeepSeek, Kimi); others are not sent it.',
      ),
    name,
  }),
  z.object({
    role: z.literal('tool'),
    tool_call_id: z.string(),
    content: z.union(
      [z.string(), z.array(part)],
      'must be a text or parts of type text, image_url (https or data:) and file',
    ),
    name,
  }),
  z.object({ role: z.literal('function'), content: texts.nullish(), name: z.string() }),
]);

type GivenMessage = z.output<typeof message>;

/** Messages in the form of the providers' interface. */
export function toMessages(given: readonly GivenMessage[]): Message[] {
  // The result of an older client belongs to the call before it.
  let calls = 0;
  return given.map((one) => {
    if (one.role === 'assistant' && one.function_call) calls++;
    return toMessage(one, `call_${calls}`);
  });
}

/** @param lastCall the id of the last call in the older form */
function toMessage(given: GivenMessage, lastCall: string): Message {
  switch (given.role) {
    case 'function':
      return { role: 'tool', toolCallId: lastCall, ...markedWhole(given.content) };
    case 'system':
    case 'developer':
      return { role: given.role, ...markedText(given.content) };
    case 'tool':
      return { role: 'tool', toolCallId: given.tool_call_id, ...toolContent(given.content) };
    case 'assistant':
      return {
        role: 'assistant',
        ...(given.content == null ? { content: null } : markedWhole(given.content)),
        toolCalls: given.function_call
          ? [{ id: lastCall, ...given.function_call }]
          : given.tool_calls?.map(toToolCall),
        ...(given.reasoning_content && { reasoning: [{ text: given.reasoning_content }] }),
      };
    case 'user':
      return { role: 'user', content: userContent(given.content) };
  }
}

function toToolCall(given: z.output<typeof toolCall>): ToolCall {
  const { id } = given;
  if (given.type !== 'custom') return { id, ...given.function };
  return { id, name: given.custom.name, arguments: textArguments(given.custom.input) };
}

function toolContent(content: string | readonly Part[]): {
  content: string | readonly UserPart[];
  cacheBreakpoint?: true;
} {
  if (typeof content === 'string') return { content };
  const marked = content.some(isMarked);
  return { content: resultContent(content, toPart), ...(marked && { cacheBreakpoint: true }) };
}

function userContent(content: string | readonly Part[]): string | readonly UserPart[] {
  if (typeof content === 'string') return content;
  return content.map((given) => ({ ...toPart(given), ...breakpointOf(given) }));
}

function toPart(given: Part): UserPart {
  switch (given.type) {
    case 'text':
      return { type: 'text', text: given.text };
    case 'image_url': {
      const { url, detail } = given.image_url;
      return { type: 'image', url, detail: detail ?? undefined };
    }
    case 'file': {
      const { file_data: url, filename } = given.file;
      return { type: 'file', url, name: filename ?? undefined };
    }
  }
}
