import { z } from 'zod';
import type { Conversation } from '../../../chat/index.ts';
import {
  oneOf,
  refuseFields,
  schemaFields,
  toFormat,
  UNSUPPORTED,
} from '../../compatible/request-fields.ts';
import { verbosity } from '../../compatible/reasoning.ts';
import { item } from './items.ts';
import { toolChoice, chosenTools } from './tool-choice.ts';
import { tool, type OfferedTools } from './tools.ts';

const responseFormat = oneOf('type', [
  z.object({ type: z.literal('text') }),
  z.object({ type: z.literal('json_object') }),
  z.object({ type: z.literal('json_schema'), ...schemaFields }),
]);

const summary = z.enum(['auto', 'concise', 'detailed']);

/** Reasoning with everything that has to be sent back in the next turn, not only its summary. */
export const SEALED_REASONING = 'reasoning.encrypted_content';

const LOGPROBS = 'message.output_text.logprobs';
/** The same limit as OpenAI's. */
const TOP_LOGPROBS_MAX = 20;

/** What else an answer can include. Most values concern items that the gateway never makes, and have no effect. */
const included = z.enum(
  [
    SEALED_REASONING,
    LOGPROBS,
    'message.input_image.image_url',
    'web_search_call.results',
    'web_search_call.action.sources',
    'file_search_call.results',
    'code_interpreter_call.outputs',
    'computer_call_output.output.image_url',
  ],
  `this ${UNSUPPORTED}`,
);

export const input = z.union(
  [z.string().min(1), z.array(item)],
  'must be a text, or a list of messages, function_call and function_call_output items',
);

/** The body of `POST /v1/responses`. */
export const responseBody = z.object({
  model: z.string(),
  input: input.nullish(),
  previous_response_id: z.string().nullish(),
  instructions: z.string().nullish(),
  max_output_tokens: z.int().min(1).nullish(),
  max_tool_calls: z
    .int()
    .min(1)
    .nullish()
    .describe('Counts hosted tools, which no model has here.'),
  temperature: z.number().nullish(),
  top_p: z.number().nullish(),
  presence_penalty: z.number().nullish(),
  frequency_penalty: z.number().nullish(),
  tools: z.array(tool).nullish(),
  tool_choice: toolChoice.nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  text: z
    .object({
      format: responseFormat.nullish(),
      verbosity,
    })
    .nullish(),
  reasoning: z
    .object({
      effort: z.string().nullish(),
      summary: summary.nullish(),
      generate_summary: summary.nullish().describe('The older name of summary.'),
    })
    .nullish(),
  include: z.array(included).nullish(),
  top_logprobs: z.int().min(0).max(TOP_LOGPROBS_MAX).nullish(),
  truncation: z
    .enum(['auto', 'disabled'])
    .nullish()
    .describe('auto leaves out the oldest turns of a conversation that is too long for the model.'),
  store: z.boolean().nullish().describe('Whether the response is stored; true by default.'),
  background: z
    .boolean()
    .nullish()
    .describe('True: the response is made without its client. Read it by its id, or cancel it.'),
  stream: z.boolean().nullish(),
  user: z.string().nullish(),
  safety_identifier: z.string().nullish(),
  prompt_cache_key: z.string().nullish(),
  service_tier: z.string().nullish(),
  metadata: z.record(z.string(), z.string()).nullish(),
});

export type ResponseBody = z.output<typeof responseBody>;

/** These fields need something that the gateway does not store, or would change the answer and can't be honoured. */
const refusedFields = {
  conversation:
    'conversations are not kept: send previous_response_id, or the conversation as input',
  prompt: 'prompts are not kept: send instructions and input',
  context_management: UNSUPPORTED,
  moderation: UNSUPPORTED,
};

/** @throws `invalid_request` that names the field */
export function refuseUnsupported(body: Record<string, unknown>): void {
  refuseFields(body, refusedFields, (value) => value === false || value === 0);
}

/** @param messages the whole conversation, without the instructions */
export function conversationOf(
  body: ResponseBody,
  messages: readonly Conversation['messages'][number][],
  offered: OfferedTools,
): Conversation {
  const { instructions } = body;
  const format = body.text?.format;
  return {
    messages:
      instructions == null ? messages : [{ role: 'system', content: instructions }, ...messages],
    leavesOutOldest: body.truncation === 'auto',
    options: {
      topP: body.top_p ?? undefined,
      frequencyPenalty: body.frequency_penalty ?? undefined,
      presencePenalty: body.presence_penalty ?? undefined,
      ...chosenTools(body.tool_choice, offered),
      parallelToolCalls: body.parallel_tool_calls ?? undefined,
      responseFormat: format?.type === 'json_schema' ? toFormat(format) : (format ?? undefined),
      ...reasoningOptions(body),
      verbosity: body.text?.verbosity ?? undefined,
      logprobs: logprobOptions(body),
      user: body.user ?? undefined,
    },
  };
}

function reasoningOptions({ reasoning }: ResponseBody) {
  const requested = reasoning?.summary ?? reasoning?.generate_summary;
  return {
    reasoningEffort: reasoning?.effort ?? undefined,
    shownReasoning: { summary: requested ?? undefined },
  };
}

function logprobOptions({ include, top_logprobs: alternatives }: ResponseBody) {
  if (!alternatives && !include?.includes(LOGPROBS)) return undefined;
  return { alternatives: alternatives ?? undefined };
}
