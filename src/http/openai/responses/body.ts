import { z } from 'zod';
import type { Conversation } from '../../../chat/index.ts';
import { oneOf } from '../../compatible/kinds.ts';
import { choiceAmong } from '../../compatible/tool-choice.ts';
import { refuseFields, UNSUPPORTED } from '../../compatible/unsupported.ts';
import { item, toMessages } from './input.ts';

const tool = z.object({
  type: z.literal('function', 'only function tools are supported'),
  name: z.string().min(1),
  description: z.string().nullish(),
  parameters: z.record(z.string(), z.unknown()).nullish(),
  strict: z.boolean().nullish(),
});

const toolChoice = z.union(
  [
    z.enum(['auto', 'none', 'required']),
    z.object({ type: z.literal('function'), name: z.string() }),
  ],
  'must be auto, none, required or {"type":"function","name":…}',
);

const format = oneOf('type', [
  z.object({ type: z.literal('text') }),
  z.object({ type: z.literal('json_object') }),
  z.object({
    type: z.literal('json_schema'),
    name: z.string(),
    description: z.string().nullish(),
    schema: z.record(z.string(), z.unknown()),
    strict: z.boolean().nullish(),
  }),
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
      format: format.nullish(),
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

/** The conversation in the form of the providers' interface. */
export function conversationOf(body: ResponseBody): Conversation {
  const { input, instructions } = body;
  const choice = body.tool_choice ?? undefined;
  return {
    messages: [
      ...(instructions == null ? [] : [{ role: 'system' as const, content: instructions }]),
      ...(typeof input === 'string'
        ? [{ role: 'user' as const, content: input }]
        : toMessages(input)),
    ],
    options: {
      topP: body.top_p ?? undefined,
      tools: body.tools?.map(({ name, description, parameters, strict }) => ({
        name,
        description: description ?? undefined,
        parameters: parameters ?? undefined,
        strict: strict ?? undefined,
      })),
      toolChoice: choiceAmong(
        body.tools,
        typeof choice === 'object' ? { name: choice.name } : choice,
      ),
      parallelToolCalls: body.parallel_tool_calls ?? undefined,
      responseFormat: formatOf(body),
      reasoningEffort: body.reasoning?.effort ?? undefined,
      user: body.user ?? undefined,
    },
  };
}

function formatOf({ text }: ResponseBody): Conversation['options']['responseFormat'] {
  const given = text?.format;
  if (given?.type !== 'json_schema') return given ?? undefined;
  const { description, strict, ...rest } = given;
  return { ...rest, description: description ?? undefined, strict: strict ?? undefined };
}
