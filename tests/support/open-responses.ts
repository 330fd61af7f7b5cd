/**
 * The schemas of Open Responses, from its specification of 2026-04-24: the required fields of each response and each
 * event.
 */
import { z } from 'zod';

const id = z.string().min(1);
const textOrNull = z.string().nullable();
const intOrNull = z.int().nullable();

const token = { token: z.string(), logprob: z.number(), bytes: z.array(z.int()) };
const outputText = z.object({
  type: z.literal('output_text'),
  text: z.string(),
  annotations: z.array(z.never()),
  logprobs: z.array(
    z.object({
      ...token,
      top_logprobs: z.array(z.object(token)),
    }),
  ),
});
const itemStatus = z.enum(['in_progress', 'completed', 'incomplete']);

const message = z.object({
  type: z.literal('message'),
  id,
  status: itemStatus,
  role: z.literal('assistant'),
  content: z.array(outputText),
});
const functionCall = z.object({
  type: z.literal('function_call'),
  id,
  call_id: id,
  name: id,
  arguments: z.string(),
  status: itemStatus,
});
const summaryText = z.object({ type: z.literal('summary_text'), text: z.string() });
const reasoning = z.object({
  type: z.literal('reasoning'),
  id,
  summary: z.array(summaryText),
  encrypted_content: id.optional(),
});
const item = z.discriminatedUnion('type', [message, functionCall, reasoning]);

const tool = z.object({
  type: z.literal('function'),
  name: id,
  description: textOrNull,
  parameters: z.record(z.string(), z.unknown()).nullable(),
  strict: z.boolean().nullable(),
});
const namedTool = z.object({ type: z.literal('function'), name: id });
const toolMode = z.enum(['none', 'auto', 'required']);

const usage = z.object({
  input_tokens: z.int(),
  output_tokens: z.int(),
  total_tokens: z.int(),
  input_tokens_details: z.object({ cached_tokens: z.int() }),
  output_tokens_details: z.object({ reasoning_tokens: z.int() }),
});

export const responseResource = z.object({
  id,
  object: z.literal('response'),
  created_at: z.int(),
  completed_at: intOrNull,
  status: z.enum(['completed', 'failed', 'in_progress', 'incomplete', 'cancelled', 'queued']),
  incomplete_details: z.object({ reason: z.string() }).nullable(),
  model: id,
  previous_response_id: textOrNull,
  instructions: textOrNull,
  output: z.array(item),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  tools: z.array(tool),
  tool_choice: z.union([
    namedTool,
    toolMode,
    z.object({ type: z.literal('allowed_tools'), tools: z.array(namedTool), mode: toolMode }),
  ]),
  truncation: z.enum(['auto', 'disabled']),
  parallel_tool_calls: z.boolean(),
  text: z.object({
    format: z.discriminatedUnion('type', [
      z.object({ type: z.literal('text') }),
      z.object({ type: z.literal('json_object') }),
      z.object({
        type: z.literal('json_schema'),
        name: id,
        description: textOrNull,
        schema: z.record(z.string(), z.unknown()),
        strict: z.boolean(),
      }),
    ]),
  }),
  top_p: z.number(),
  presence_penalty: z.number(),
  frequency_penalty: z.number(),
  top_logprobs: z.int(),
  temperature: z.number(),
  reasoning: z.object({
    effort: textOrNull,
    summary: z.enum(['auto', 'concise', 'detailed']).nullable(),
  }),
  usage: usage.nullable(),
  max_output_tokens: intOrNull,
  max_tool_calls: intOrNull,
  store: z.boolean(),
  background: z.boolean(),
  service_tier: z.string(),
  metadata: z.record(z.string(), z.string()),
  safety_identifier: textOrNull,
  prompt_cache_key: textOrNull,
});

const event = <Shape extends z.core.$ZodLooseShape>(type: string, shape: Shape) =>
  z.object({ type: z.literal(type), sequence_number: z.int(), ...shape });
const whole = { response: responseResource };
const ofItem = { output_index: z.int(), item };
const inItem = { item_id: id, output_index: z.int() };
const inSummary = { ...inItem, summary_index: z.int() };
const inText = { ...inItem, content_index: z.int() };

export const streamingEvent = z.discriminatedUnion('type', [
  event('response.created', whole),
  event('response.in_progress', whole),
  event('response.completed', whole),
  event('response.failed', whole),
  event('response.incomplete', whole),
  event('response.output_item.added', ofItem),
  event('response.output_item.done', ofItem),
  event('response.content_part.added', { ...inText, part: outputText }),
  event('response.content_part.done', { ...inText, part: outputText }),
  event('response.output_text.delta', { ...inText, delta: z.string() }),
  event('response.output_text.done', { ...inText, text: z.string() }),
  event('response.reasoning_summary_part.added', { ...inSummary, part: summaryText }),
  event('response.reasoning_summary_part.done', { ...inSummary, part: summaryText }),
  event('response.reasoning_summary_text.delta', { ...inSummary, delta: z.string() }),
  event('response.reasoning_summary_text.done', { ...inSummary, text: z.string() }),
  event('response.function_call_arguments.delta', { ...inItem, delta: z.string() }),
  event('response.function_call_arguments.done', { ...inItem, arguments: z.string() }),
  event('error', {
    error: z.object({
      type: z.string(),
      code: textOrNull,
      message: z.string(),
      param: textOrNull,
    }),
  }),
]);
