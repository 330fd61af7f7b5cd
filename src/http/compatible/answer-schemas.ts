import { z } from 'zod';
import { model, rubles, textOrNull, unixSeconds } from '../schemas.ts';

/**
 * The main fields of the answers under `/v1`, for generated clients. OpenAI's and Anthropic's references have more
 * fields, so others are allowed.
 */

/** An answer with its own name in the OpenAPI document. */
function namedLoose<Shape extends z.core.$ZodLooseShape>(id: string, shape: Shape) {
  return z.looseObject(shape).meta({ id });
}

/** The cost of a call, in the usage of both dialects. */
const charged = {
  cost: rubles.describe('The charge in rubles.'),
  cost_currency: z.literal('RUB'),
  source: z.enum(['provider', 'estimated']),
};
const warnings = z.array(z.string()).optional();

const openAiUsage = z.looseObject({
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  total_tokens: z.int(),
  ...charged,
});

const toolCall = z.looseObject({
  id: z.string(),
  type: z.literal('function'),
  function: z.looseObject({
    name: z.string(),
    arguments: z.string().describe('JSON, as the model wrote it.'),
  }),
});

export const chatCompletion = namedLoose('OpenAiChatCompletion', {
  id: z.string(),
  object: z.literal('chat.completion'),
  created: unixSeconds,
  model: z.string().describe('The model that answered.'),
  choices: z.array(
    z.looseObject({
      index: z.int(),
      message: z.looseObject({
        role: z.literal('assistant'),
        content: textOrNull,
        tool_calls: z.array(toolCall).optional(),
        reasoning_content: z
          .string()
          .optional()
          .describe('The reasoning of the model, or a summary of it, if its provider shows that.'),
      }),
      finish_reason: z.string(),
    }),
  ),
  usage: openAiUsage,
  warnings,
});

const responseUsage = z.looseObject({
  input_tokens: z.int(),
  output_tokens: z.int(),
  total_tokens: z.int(),
  ...charged,
});

export const openAiResponse = namedLoose('OpenAiResponse', {
  id: z.string(),
  object: z.literal('response'),
  created_at: unixSeconds,
  completed_at: unixSeconds.nullable(),
  status: z.enum(['completed', 'incomplete', 'queued', 'in_progress', 'failed', 'cancelled']),
  error: z.looseObject({ code: z.string(), message: z.string() }).nullable(),
  incomplete_details: z.looseObject({ reason: z.string() }).nullable(),
  model: z.string().describe('The model that answered.'),
  output: z.array(
    z.looseObject({
      id: z.string(),
      type: z.enum([
        'reasoning',
        'message',
        'function_call',
        'custom_tool_call',
        'tool_search_call',
      ]),
      status: z.string().optional().describe('Not in reasoning.'),
      role: z.literal('assistant').optional(),
      content: z
        .array(z.looseObject({ type: z.literal('output_text'), text: z.string() }))
        .optional()
        .describe('Only in a message.'),
      call_id: z.string().optional().describe('Only in calls, like the next three.'),
      name: z.string().optional().describe('Not in a tool_search_call.'),
      arguments: z
        .union([z.string(), z.looseObject({})])
        .optional()
        .describe('A text; in a tool_search_call an object.'),
      input: z.string().optional().describe('Only in a custom_tool_call.'),
      summary: z
        .array(z.looseObject({ type: z.literal('summary_text'), text: z.string() }))
        .optional()
        .describe('Only in reasoning: the reasoning of the model, or a summary of it.'),
      encrypted_content: z
        .string()
        .optional()
        .describe('Only in reasoning, if include asks for it. Send the item back as it is.'),
    }),
  ),
  usage: responseUsage.nullable(),
  warnings,
});

export const deletedResponse = namedLoose('OpenAiDeletedResponse', {
  id: z.string(),
  object: z.literal('response'),
  deleted: z.literal(true),
});

export const responseItems = namedLoose('OpenAiResponseItems', {
  object: z.literal('list'),
  data: z.array(z.looseObject({ id: z.string(), type: z.string() })),
  first_id: textOrNull,
  last_id: textOrNull,
  has_more: z.boolean(),
});

export const openAiCompaction = namedLoose('OpenAiCompaction', {
  id: z.string(),
  object: z.literal('response.compaction'),
  created_at: unixSeconds,
  output: z.array(
    z.looseObject({
      id: z.string(),
      type: z.literal('compaction'),
      encrypted_content: z
        .string()
        .describe('Send the item back as it is, in place of the conversation.'),
    }),
  ),
  usage: responseUsage,
  warnings,
});

export const openAiCompletion = namedLoose('OpenAiCompletion', {
  id: z.string(),
  object: z.literal('text_completion'),
  created: unixSeconds,
  model: z.string().describe('The model that answered.'),
  choices: z.array(
    z.looseObject({ text: z.string(), index: z.int(), finish_reason: z.string().nullable() }),
  ),
  usage: openAiUsage,
  warnings,
});

export const openAiImages = namedLoose('OpenAiImages', {
  created: unixSeconds,
  data: z.array(
    z.looseObject({
      url: z.string().optional(),
      b64_json: z.string().optional().describe('If response_format is b64_json.'),
    }),
  ),
  usage: openAiUsage,
  warnings,
});

export const openAiTranscription = namedLoose('OpenAiTranscription', {
  text: z.string(),
  usage: z.looseObject({
    type: z.enum(['duration', 'tokens']),
    seconds: z.int().describe('The duration of the audio.'),
    ...charged,
  }),
  warnings,
});

export const openAiEmbeddings = namedLoose('OpenAiEmbeddings', {
  object: z.literal('list'),
  data: z.array(
    z.looseObject({
      object: z.literal('embedding'),
      index: z.int(),
      embedding: z
        .union([z.array(z.number()), z.string()])
        .describe('If encoding_format is base64: a string of 32-bit floats in Base64.'),
    }),
  ),
  model: z.string().describe('The model that answered.'),
  usage: openAiUsage,
  warnings,
});

export const anthropicMessage = namedLoose('AnthropicMessage', {
  id: z.string(),
  type: z.literal('message'),
  role: z.literal('assistant'),
  model: z.string().describe('The model that answered.'),
  content: z.array(
    z.looseObject({
      type: z.enum(['text', 'tool_use', 'thinking', 'redacted_thinking']),
      thinking: z.string().optional().describe('Only in thinking, like the next one.'),
      signature: z.string().optional().describe('Send the block back as it is.'),
      data: z.string().optional().describe('Only in redacted_thinking.'),
      text: z.string().optional().describe('Only in text.'),
      id: z.string().optional().describe('Only in tool_use, like the next two.'),
      name: z.string().optional(),
      input: z.unknown().optional(),
    }),
  ),
  stop_reason: z.string(),
  stop_sequence: textOrNull,
  usage: z.looseObject({ input_tokens: z.int(), output_tokens: z.int(), ...charged }),
  warnings,
});

export const tokenCount = namedLoose('AnthropicTokenCount', {
  input_tokens: z.int().describe('An estimate.'),
});

export const openAiModel = namedLoose('OpenAiModel', {
  id: z.string(),
  object: z.literal('model'),
  created: z.int(),
  owned_by: z.string(),
  zastava: model,
});

export const openAiModels = namedLoose('OpenAiModels', {
  object: z.literal('list'),
  data: z.array(openAiModel),
});

export const anthropicModel = namedLoose('AnthropicModel', {
  type: z.literal('model'),
  id: z.string(),
  display_name: z.string(),
  created_at: z.string(),
  zastava: model,
});

export const anthropicModels = namedLoose('AnthropicModels', {
  data: z.array(anthropicModel),
  has_more: z.boolean(),
  first_id: textOrNull,
  last_id: textOrNull,
});
