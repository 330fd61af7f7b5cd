import { z } from 'zod';
import type { Conversation } from '../../chat/index.ts';
import {
  breakpointOf,
  cacheable,
  markableText,
  markedText,
  markedWhole,
  oneOf,
} from '../compatible/request-fields.ts';

type Message = Conversation['messages'][number];

const imagePart = z.object({
  type: z.literal('image_url'),
  image_url: z.object({
    url: z
      .string()
      .regex(/^(https:\/\/|data:image\/)/, 'must be an https URL or a data: URL of an image'),
    detail: z.enum(['auto', 'low', 'high']).nullish(),
  }),
  ...cacheable,
});
const texts = z.union(
  [z.string(), z.array(oneOf('type', [markableText]))],
  'must be a text or parts of type text',
);
/** The speaker, if there are several. Not every provider supports it. */
const name = z.string().nullish();

const toolCall = z.object({
  id: z.string(),
  type: z.literal('function').default('function'),
  function: z.object({ name: z.string(), arguments: z.string() }),
});

/** A message of a chat completion. */
export const message = oneOf('role', [
  z.object({ role: z.enum(['system', 'developer']), content: texts, name }),
  z.object({
    role: z.literal('user'),
    content: z.union(
      [z.string(), z.array(oneOf('type', [markableText, imagePart]))],
      'must be a text or parts of type text and image_url (https or data:)',
    ),
    name,
  }),
  z.object({
    role: z.literal('assistant'),
    content: texts.nullish(),
    tool_calls: z.array(toolCall).nullish(),
    reasoning_content: z
      .string()
      .nullish()
      .describe(
        'What the model thought before this answer, for providers that ask for it (DeepSeek, Kimi); others are not sent it.',
      ),
    name,
  }),
  z.object({ role: z.literal('tool'), tool_call_id: z.string(), content: texts, name }),
]);

/** A message in the form of the providers' interface. */
export function toMessage(given: z.output<typeof message>): Message {
  switch (given.role) {
    case 'system':
    case 'developer':
      return { role: given.role, ...markedText(given.content) };
    case 'tool':
      return { role: 'tool', toolCallId: given.tool_call_id, ...markedWhole(given.content) };
    case 'assistant':
      return {
        role: 'assistant',
        ...(given.content == null ? { content: null } : markedWhole(given.content)),
        toolCalls: given.tool_calls?.map(({ id, function: f }) => ({ id, ...f })),
        thoughts: given.reasoning_content ?? undefined,
      };
    case 'user':
      return { role: 'user', content: userContent(given.content) };
  }
}

function userContent(
  content: Extract<z.output<typeof message>, { role: 'user' }>['content'],
): Extract<Message, { role: 'user' }>['content'] {
  if (typeof content === 'string') return content;
  return content.map((part) =>
    part.type === 'text'
      ? { type: 'text' as const, text: part.text, ...breakpointOf(part) }
      : {
          type: 'image' as const,
          url: part.image_url.url,
          detail: part.image_url.detail ?? undefined,
          ...breakpointOf(part),
        },
  );
}
