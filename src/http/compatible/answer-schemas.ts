import { z } from 'zod';
import { model, rubles, unixSeconds } from '../schemas.ts';

/**
 * The main fields of the answers under `/v1`, for generated clients. OpenAI's and Anthropic's references have more
 * fields, so others are allowed.
 */

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

export const chatCompletion = z
  .looseObject({
    id: z.string(),
    object: z.literal('chat.completion'),
    created: unixSeconds,
    model: z.string().describe('The model that answered.'),
    choices: z.array(
      z.looseObject({
        index: z.int(),
        message: z.looseObject({
          role: z.literal('assistant'),
          content: z.string().nullable(),
          tool_calls: z.array(toolCall).optional(),
          reasoning_content: z
            .string()
            .optional()
            .describe(
              'What the model thought before it called tools, if its provider (DeepSeek, Kimi) needs that back with their results.',
            ),
        }),
        finish_reason: z.string(),
      }),
    ),
    usage: openAiUsage,
    warnings,
  })
  .meta({ id: 'OpenAiChatCompletion' });

export const openAiResponse = z
  .looseObject({
    id: z.string(),
    object: z.literal('response'),
    created_at: unixSeconds,
    status: z.enum(['completed', 'incomplete']),
    incomplete_details: z.looseObject({ reason: z.string() }).nullable(),
    model: z.string().describe('The model that answered.'),
    output: z.array(
      z.looseObject({
        id: z.string(),
        type: z.enum(['message', 'function_call']),
        status: z.string(),
        role: z.literal('assistant').optional(),
        content: z
          .array(z.looseObject({ type: z.literal('output_text'), text: z.string() }))
          .optional()
          .describe('Only in a message.'),
        call_id: z.string().optional().describe('Only in a function_call, like the next two.'),
        name: z.string().optional(),
        arguments: z.string().optional(),
      }),
    ),
    usage: z.looseObject({
      input_tokens: z.int(),
      output_tokens: z.int(),
      total_tokens: z.int(),
      ...charged,
    }),
    warnings,
  })
  .meta({ id: 'OpenAiResponse' });

export const openAiImages = z
  .looseObject({
    created: unixSeconds,
    data: z.array(
      z.looseObject({
        url: z.string().optional(),
        b64_json: z.string().optional().describe('If response_format is b64_json.'),
      }),
    ),
    usage: openAiUsage,
    warnings,
  })
  .meta({ id: 'OpenAiImages' });

export const openAiEmbeddings = z
  .looseObject({
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
  })
  .meta({ id: 'OpenAiEmbeddings' });

export const anthropicMessage = z
  .looseObject({
    id: z.string(),
    type: z.literal('message'),
    role: z.literal('assistant'),
    model: z.string().describe('The model that answered.'),
    content: z.array(
      z.looseObject({
        type: z.enum(['text', 'tool_use']),
        text: z.string().optional().describe('Only in text.'),
        id: z.string().optional().describe('Only in tool_use, like the next two.'),
        name: z.string().optional(),
        input: z.unknown().optional(),
      }),
    ),
    stop_reason: z.string(),
    stop_sequence: z.string().nullable(),
    usage: z.looseObject({ input_tokens: z.int(), output_tokens: z.int(), ...charged }),
    warnings,
  })
  .meta({ id: 'AnthropicMessage' });

export const tokenCount = z
  .looseObject({ input_tokens: z.int().describe('An estimate.') })
  .meta({ id: 'AnthropicTokenCount' });

export const openAiModel = z
  .looseObject({
    id: z.string(),
    object: z.literal('model'),
    created: z.int(),
    owned_by: z.string(),
    zastava: model,
  })
  .meta({ id: 'OpenAiModel' });

export const openAiModels = z
  .looseObject({ object: z.literal('list'), data: z.array(openAiModel) })
  .meta({ id: 'OpenAiModels' });

export const anthropicModel = z
  .looseObject({
    type: z.literal('model'),
    id: z.string(),
    display_name: z.string(),
    created_at: z.string(),
    zastava: model,
  })
  .meta({ id: 'AnthropicModel' });

export const anthropicModels = z
  .looseObject({
    data: z.array(anthropicModel),
    has_more: z.boolean(),
    first_id: z.string().nullable(),
    last_id: z.string().nullable(),
  })
  .meta({ id: 'AnthropicModels' });
