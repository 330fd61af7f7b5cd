import { z } from 'zod';
import type { Conversation } from '../../../chat/index.ts';
import { invalidField } from '../../../lib/errors.ts';
import {
  choiceAmong,
  functionFields,
  oneOf,
  refuseFields,
  schemaFields,
  toFormat,
  toTool,
  UNSUPPORTED,
} from '../../compatible/request-fields.ts';

type Message = Conversation['messages'][number];
type ToolCall = NonNullable<Extract<Message, { role: 'assistant' }>['toolCalls']>[number];
type UserPart = Exclude<Extract<Message, { role: 'user' }>['content'], string>[number];

const inputText = z.object({ type: z.literal('input_text'), text: z.string() });
const inputImage = z.object({
  type: z.literal('input_image'),
  image_url: z
    .string('names the image: uploaded files are not supported')
    .regex(/^(https:\/\/|data:image\/)/, 'must be an https URL or a data: URL of an image'),
  detail: z.enum(['auto', 'low', 'high']).nullish(),
});
const outputText = z.object({ type: z.literal('output_text'), text: z.string() });
const refusal = z.object({ type: z.literal('refusal'), refusal: z.string() });
const part = oneOf('type', [inputText, inputImage, outputText, refusal]);

const message = z.object({
  type: z.literal('message').optional(),
  role: z.enum(['user', 'assistant', 'system', 'developer']),
  content: z.union(
    [z.string(), z.array(part)],
    'must be a text or parts of type input_text, input_image (https or data:) and output_text',
  ),
});
const functionCall = z.object({
  type: z.literal('function_call'),
  call_id: z.string(),
  name: z.string(),
  arguments: z.string(),
});
const functionCallOutput = z.object({
  type: z.literal('function_call_output'),
  call_id: z.string(),
  output: z.union(
    [z.string(), z.array(oneOf('type', [inputText]))],
    'must be a text or parts of type input_text',
  ),
});

/** An item of the conversation. Items that refer to data stored at OpenAI are not supported. */
export const item = oneOf('type', [message, functionCall, functionCallOutput]);

export type Item = z.output<typeof item>;

/** Items as messages. Calls become part of the assistant's message before them, as in chat formats. */
export function toMessages(items: readonly Item[]): Message[] {
  const messages: Message[] = [];
  // The calls of the last message. One list, since a request can contain a great many calls.
  let calls: ToolCall[] | undefined;
  for (const [index, given] of items.entries()) {
    if (given.type === 'function_call') {
      const { call_id: id, name, arguments: text } = given;
      if (!calls) messages.push({ ...assistantBefore(messages), toolCalls: (calls = []) });
      calls.push({ id, name, arguments: text });
      continue;
    }
    calls = undefined;
    if (given.type === 'function_call_output') {
      const { call_id: toolCallId, output } = given;
      messages.push({ role: 'tool', toolCallId, content: textOf(output) });
    } else messages.push(toMessage(given, `input.${index}.content`));
  }
  return messages;
}

/** Removes the last message if it is the assistant's. Else returns an empty message of the assistant. */
function assistantBefore(messages: Message[]): Extract<Message, { role: 'assistant' }> {
  const last = messages.at(-1);
  if (last?.role !== 'assistant') return { role: 'assistant', content: null };
  messages.pop();
  return { role: 'assistant', content: last.content };
}

type GivenMessage = z.output<typeof message>;

function toMessage({ role, content }: GivenMessage, path: string): Message {
  if (role !== 'user') return { role, content: textOf(content, path) };
  if (typeof content === 'string') return { role, content };
  return {
    role,
    content: content.map((given): UserPart => {
      if (given.type === 'input_image') {
        return { type: 'image', url: given.image_url, detail: given.detail ?? undefined };
      }
      return { type: 'text', text: given.type === 'refusal' ? given.refusal : given.text };
    }),
  };
}

function textOf(content: GivenMessage['content'], path = ''): string {
  if (typeof content === 'string') return content;
  return content
    .map((given) => {
      if (given.type === 'input_image') throw invalidField(path, 'only users can send images');
      return given.type === 'refusal' ? given.refusal : given.text;
    })
    .join('');
}

const tool = z.object({
  type: z.literal('function', 'only function tools are supported'),
  ...functionFields,
});

const toolChoice = z.union(
  [
    z.enum(['auto', 'none', 'required']),
    z.object({ type: z.literal('function'), name: z.string() }),
  ],
  'must be auto, none, required or {"type":"function","name":…}',
);

const responseFormat = oneOf('type', [
  z.object({ type: z.literal('text') }),
  z.object({ type: z.literal('json_object') }),
  z.object({ type: z.literal('json_schema'), ...schemaFields }),
]);

/**
 * The body of `POST /v1/responses`. Both values of `store` are accepted; nothing is stored, and the answer says
 * `store: false`.
 */
export const responseBody = z.object({
  model: z.string(),
  input: z.union(
    [z.string().min(1), z.array(item).min(1)],
    'must be a text, or a list of messages, function_call and function_call_output items',
  ),
  instructions: z.string().nullish(),
  max_output_tokens: z.int().min(1).nullish(),
  temperature: z.number().nullish(),
  top_p: z.number().nullish(),
  tools: z.array(tool).nullish(),
  tool_choice: toolChoice.nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  text: z
    .object({
      format: responseFormat.nullish(),
      verbosity: z.literal('medium', UNSUPPORTED).nullish(),
    })
    .nullish(),
  reasoning: z
    .object({
      effort: z.string().nullish(),
      summary: z.literal('auto', UNSUPPORTED).nullish(),
    })
    .nullish(),
  // Accepted without effect: no reasoning is returned.
  include: z.array(z.literal('reasoning.encrypted_content', 'is not supported here')).nullish(),
  truncation: z.literal('disabled', UNSUPPORTED).nullish(),
  store: z.boolean().nullish(),
  stream: z.boolean().nullish(),
  user: z.string().nullish(),
  metadata: z.record(z.string(), z.string()).nullish(),
});

export type ResponseBody = z.output<typeof responseBody>;

/** They need something that is stored between requests, or would change the answer and can't be honoured. */
const refusedFields = {
  previous_response_id: 'responses are not kept: send the whole conversation as input',
  conversation: 'conversations are not kept: send the whole conversation as input',
  prompt: 'prompts are not kept: send instructions and input',
  background: UNSUPPORTED,
  context_management: UNSUPPORTED,
  max_tool_calls: UNSUPPORTED,
  moderation: UNSUPPORTED,
  top_logprobs: UNSUPPORTED,
};

/** @throws `invalid_request` that names the field */
export function refuseUnsupported(body: Record<string, unknown>): void {
  refuseFields(body, refusedFields, (value) => value === false || value === 0);
}

export function conversationOf(body: ResponseBody): Conversation {
  const { input, instructions } = body;
  const choice = body.tool_choice ?? undefined;
  const format = body.text?.format;
  return {
    messages: [
      ...(instructions == null ? [] : [{ role: 'system' as const, content: instructions }]),
      ...(typeof input === 'string'
        ? [{ role: 'user' as const, content: input }]
        : toMessages(input)),
    ],
    options: {
      topP: body.top_p ?? undefined,
      tools: body.tools?.map(toTool),
      toolChoice: choiceAmong(
        body.tools,
        typeof choice === 'object' ? { name: choice.name } : choice,
      ),
      parallelToolCalls: body.parallel_tool_calls ?? undefined,
      responseFormat: format?.type === 'json_schema' ? toFormat(format) : (format ?? undefined),
      reasoningEffort: body.reasoning?.effort ?? undefined,
      user: body.user ?? undefined,
    },
  };
}
