import { z } from 'zod';
import type { Conversation } from '../../chat/index.ts';
import { breakpointIf, cacheControl, isMarked } from '../compatible/cache-breakpoints.ts';
import { oneOf } from '../compatible/kinds.ts';
import { choiceAmong } from '../compatible/tool-choice.ts';
import { refuseFields } from '../compatible/unsupported.ts';
import { toMessage, message } from './chat-messages.ts';

const tool = z.object({
  type: z.literal('function', 'only function tools are supported'),
  function: z.object({
    name: z.string().min(1),
    description: z.string().nullish(),
    parameters: z.record(z.string(), z.unknown()).nullish(),
    strict: z.boolean().nullish(),
  }),
  cache_control: cacheControl,
});

const toolChoice = z.union(
  [
    z.enum(['auto', 'none', 'required']),
    z.object({ type: z.literal('function'), function: z.object({ name: z.string() }) }),
  ],
  'must be auto, none, required or {"type":"function","function":{"name":…}}',
);

const responseFormat = oneOf('type', [
  z.object({ type: z.literal('text') }),
  z.object({ type: z.literal('json_object') }),
  z.object({
    type: z.literal('json_schema'),
    json_schema: z.object({
      name: z.string(),
      description: z.string().nullish(),
      schema: z.record(z.string(), z.unknown()).default({}),
      strict: z.boolean().nullish(),
    }),
  }),
]);

/** The body of `POST /v1/chat/completions`. */
export const chatBody = z.object({
  model: z.string(),
  messages: z.array(message).min(1, 'must have at least one message'),
  max_tokens: z.int().min(1).nullish(),
  max_completion_tokens: z.int().min(1).nullish(),
  temperature: z.number().nullish(),
  top_p: z.number().nullish(),
  n: z.literal(1, 'only one answer a request: leave n out or send 1').nullish(),
  stop: z.union([z.string(), z.array(z.string())]).nullish(),
  seed: z.int().nullish(),
  frequency_penalty: z.number().nullish(),
  presence_penalty: z.number().nullish(),
  tools: z.array(tool).nullish(),
  tool_choice: toolChoice.nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  response_format: responseFormat.nullish(),
  reasoning_effort: z.string().nullish(),
  user: z.string().nullish(),
  stream: z.boolean().nullish(),
  stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
});

export type ChatBody = z.output<typeof chatBody>;

/** They would change the answer, and can't be honoured. Other unknown fields are ignored. */
const refusedFields = [
  'functions',
  'function_call',
  'logprobs',
  'top_logprobs',
  'audio',
  'modalities',
  'logit_bias',
  'moderation',
  'verbosity',
  'web_search_options',
];

/** Values that request what happens anyway. */
const harmless: Record<string, string> = {
  modalities: '["text"]',
  verbosity: '"medium"',
  logit_bias: '{}',
};

/** @throws `invalid_request` that names the field */
export function refuseUnsupported(body: Record<string, unknown>): void {
  refuseFields(
    body,
    refusedFields,
    (value, field) => value === false || value === 0 || JSON.stringify(value) === harmless[field],
  );
}

/** A warning for each field that is ignored although a caller might count on it. */
export function ignoredFields({ messages }: ChatBody): string[] {
  const named = messages.findIndex(({ name }) => name != null);
  return named < 0 ? [] : [`messages.${named}.name is not sent to the model`];
}

/** The conversation in the form of the providers' interface. */
export function conversationOf(body: ChatBody): Conversation {
  const choice = body.tool_choice ?? undefined;
  return {
    messages: body.messages.map(toMessage),
    options: {
      topP: body.top_p ?? undefined,
      stop: typeof body.stop === 'string' ? [body.stop] : (body.stop ?? undefined),
      frequencyPenalty: body.frequency_penalty ?? undefined,
      presencePenalty: body.presence_penalty ?? undefined,
      tools: body.tools?.map(({ function: f, ...given }) => ({
        name: f.name,
        description: f.description ?? undefined,
        parameters: f.parameters ?? undefined,
        strict: f.strict ?? undefined,
        ...breakpointIf(isMarked(given)),
      })),
      toolChoice: choiceAmong(
        body.tools,
        typeof choice === 'object' ? { name: choice.function.name } : choice,
      ),
      parallelToolCalls: body.parallel_tool_calls ?? undefined,
      responseFormat: formatOf(body.response_format),
      reasoningEffort: body.reasoning_effort ?? undefined,
      user: body.user ?? undefined,
    },
  };
}

function formatOf(format: ChatBody['response_format']): Conversation['options']['responseFormat'] {
  if (format?.type !== 'json_schema') return format ?? undefined;
  const { name, description, schema, strict } = format.json_schema;
  return {
    type: 'json_schema',
    name,
    schema,
    description: description ?? undefined,
    strict: strict ?? undefined,
  };
}
