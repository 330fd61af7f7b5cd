import { z } from 'zod';
import { imageUrls, type Conversation } from '../../chat/index.ts';
import { chatCompletion } from '../compatible/answer-schemas.ts';
import { invalidField } from '../../lib/errors.ts';
import { sendEndpoint } from '../compatible/endpoints.ts';
import type { FieldNames } from '../compatible/errors.ts';
import {
  choiceAmong,
  functionFields,
  oneOf,
  refuseFields,
  schemaFields,
  toFormat,
  toTool,
} from '../compatible/request-fields.ts';
import {
  requestsReasoning,
  thinking,
  toReasoningMode,
  verbosity,
} from '../compatible/reasoning.ts';
import { chunkWriter, completionView, type AboutAnswer } from './chat-answer.ts';
import { message, toMessages } from './chat-messages.ts';
import { chosenTools, customNames, tool, toolChoice } from './chat-tools.ts';
import { sharedFields, sharedOptions } from './shared-fields.ts';

const responseFormat = oneOf('type', [
  z.object({ type: z.literal('text') }),
  z.object({ type: z.literal('json_object') }),
  z.object({
    type: z.literal('json_schema'),
    json_schema: z.object({ ...schemaFields, schema: schemaFields.schema.default({}) }),
  }),
]);

/** The same limit as OpenAI's. */
const TOP_LOGPROBS_MAX = 20;

const chatBody = z.object({
  model: z.string(),
  messages: z.array(message).min(1, 'must have at least one message'),
  max_tokens: z.int().min(1).nullish(),
  max_completion_tokens: z.int().min(1).nullish(),
  logprobs: z.boolean().nullish(),
  top_logprobs: z.int().min(0).max(TOP_LOGPROBS_MAX).nullish(),
  tools: z.array(tool).nullish(),
  tool_choice: toolChoice.nullish(),
  functions: z.array(z.object(functionFields)).nullish().describe('The older form of tools.'),
  function_call: z
    .union([z.enum(['auto', 'none']), z.object({ name: z.string() })])
    .nullish()
    .describe('The older form of tool_choice.'),
  parallel_tool_calls: z.boolean().nullish(),
  response_format: responseFormat.nullish(),
  reasoning_effort: z.string().nullish(),
  thinking: thinking.nullish(),
  verbosity,
  ...sharedFields,
});

type ChatBody = z.output<typeof chatBody>;

/** Fields that would change the answer but are not supported by the gateway. Other unknown fields are ignored. */
const refusedFields = ['audio', 'modalities', 'logit_bias', 'moderation', 'web_search_options'];

/** Values that ask for the usual behaviour. */
const harmless: Record<string, string> = {
  modalities: '["text"]',
  logit_bias: '{}',
};

/** @throws `invalid_request` that names the field */
function refuseUnsupported(body: Record<string, unknown>): void {
  refuseFields(
    body,
    refusedFields,
    (value, field) => value === false || value === 0 || JSON.stringify(value) === harmless[field],
  );
}

/** A warning for each field that is ignored although a caller might rely on it. */
function ignoredFields({ messages }: ChatBody): string[] {
  const named = messages.findIndex(({ role, name }) => role !== 'function' && name != null);
  return named < 0 ? [] : [`messages.${named}.name is not sent to the model`];
}

/** True if calls have to come back in the form of older clients. */
function isOlder({ functions }: ChatBody): boolean {
  return (functions?.length ?? 0) > 0;
}

function aboutAnswer(body: ChatBody, model: string): AboutAnswer {
  const custom = customNames(body.tools);
  return { model, ignored: ignoredFields(body), isOlder: isOlder(body), custom };
}

function conversationOf(body: ChatBody): Conversation {
  const format = body.response_format;
  const reasoning = {
    reasoningEffort: body.reasoning_effort ?? undefined,
    reasoningMode: toReasoningMode(body.thinking),
  };
  return {
    messages: toMessages(body.messages),
    options: {
      ...sharedOptions(body),
      ...toolsOf(body),
      parallelToolCalls: body.parallel_tool_calls ?? undefined,
      responseFormat:
        format?.type === 'json_schema' ? toFormat(format.json_schema) : (format ?? undefined),
      ...reasoning,
      shownReasoning: { summary: requestsReasoning(reasoning) ? 'auto' : undefined },
      verbosity: body.verbosity ?? undefined,
      logprobs: logprobsOf(body),
    },
  };
}

/** @throws `invalid_request` for tools in both forms, or a forced call without tools */
function toolsOf(body: ChatBody): Pick<Conversation['options'], 'tools' | 'toolChoice'> {
  const { tools, functions, function_call: call } = body;
  if (functions?.length) {
    if (tools?.length)
      throw invalidField('functions', 'is the older form of tools: send one of both');
    return { tools: functions.map(toTool), toolChoice: choiceAmong(functions, call ?? undefined) };
  }
  if (typeof call === 'object' && call) {
    throw invalidField(
      'function_call',
      'requires a call, but there are no functions: send them too',
    );
  }
  return chosenTools(tools, body.tool_choice);
}

/** @throws `invalid_request` for alternatives without log probabilities */
function logprobsOf({ logprobs, top_logprobs: alternatives }: ChatBody) {
  if (logprobs) return { alternatives: alternatives ?? undefined };
  if (alternatives) throw invalidField('top_logprobs', 'needs logprobs: true beside it');
  return undefined;
}

export const textModels = ['text'] as const;

/** The fields of a send that have the same name in every endpoint for texts. */
export const textFields = {
  ai: 'model',
  topP: 'top_p',
  toolChoice: 'tool_choice',
  parallelToolCalls: 'parallel_tool_calls',
};

export const chatCompletions = sendEndpoint({
  path: '/v1/chat/completions',
  summary: 'Chat completion',
  body: chatBody,
  result: chatCompletion,
  example: { model: 'sandbox/sandbox-text', messages: [{ role: 'user', content: 'Hello' }] },
  models: textModels,
  refuse: refuseUnsupported,
  unreadImages: (body) => imageUrls(conversationOf(body)),
  content: (body) => ({
    kind: 'conversation',
    conversation: conversationOf(body),
    maxOutputTokens: body.max_completion_tokens ?? body.max_tokens ?? undefined,
    temperature: body.temperature ?? undefined,
    seed: body.seed ?? undefined,
  }),
  view: (result, { body, model }) => completionView(result, aboutAnswer(body, model)),
  writer: (body, { model }) =>
    chunkWriter({
      ...aboutAnswer(body, model),
      includeUsage: body.stream_options?.include_usage ?? false,
    }),
  fields: chatFields,
});

/** The output limit has two names: an error uses the one that was sent. */
function chatFields(body: Record<string, unknown>): FieldNames {
  const cap = body['max_completion_tokens'] == null ? 'max_tokens' : 'max_completion_tokens';
  return {
    ...textFields,
    max_output_tokens: cap,
    maxOutputTokens: cap,
    frequencyPenalty: 'frequency_penalty',
    presencePenalty: 'presence_penalty',
    responseFormat: 'response_format',
    reasoningEffort: 'reasoning_effort',
  };
}
