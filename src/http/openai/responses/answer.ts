import type { SendResult } from '../../../chat/index.ts';
import { toUnixSeconds } from '../../../lib/clock.ts';
import { toRubles } from '../../../lib/money.ts';
import type { ResponseBody } from './body.ts';

/** What an answer repeats from its request. */
export interface ResponseFacts {
  body: ResponseBody;
  /** The name of the model that answers; until that is known, the requested model's name. */
  model: string;
}

interface MessageName {
  roomId: string;
  id: number;
}

/** The response's id contains the message's id, so that it can be found in the history. */
export function responseId({ roomId, id }: MessageName): string {
  return `resp_${roomId}_${id}`;
}

/** An item of the output: a text, or a function call. */
export type OutputItem = Record<string, unknown> & { id: string };

/** The output item of a text. @param text null if the item has no text yet */
export function messageItem(of: MessageName, status: string, text: string | null): OutputItem {
  return {
    id: `msg_${of.roomId}_${of.id}`,
    type: 'message',
    role: 'assistant',
    status,
    content: text === null ? [] : [textPart(text)],
  };
}

/** The content part of a text. */
export function textPart(text: string): Record<string, unknown> {
  return { type: 'output_text', text, annotations: [], logprobs: [] };
}

export interface CallOfFunction {
  id: string;
  name: string;
  arguments: string;
}

/** @param position counts the calls of one answer from 0 */
export function callItem(
  of: MessageName,
  status: string,
  position: number,
  { id, name, arguments: args }: CallOfFunction,
): OutputItem {
  return {
    id: `fc_${of.roomId}_${of.id}_${position}`,
    type: 'function_call',
    status,
    call_id: id,
    name,
    arguments: args,
  };
}

/** The items of an answer that is not streamed. */
export function outputOf(result: SendResult): OutputItem[] {
  const { response, toolCalls } = result;
  const status = statusOf(result);
  return [
    ...(response === '' ? [] : [messageItem(result, status, response)]),
    ...toolCalls.map((call, position) => callItem(result, status, position, call)),
  ];
}

/** `incomplete` if the answer was cut short. */
export function statusOf(result: SendResult): 'completed' | 'incomplete' {
  return incompleteReason(result) === undefined ? 'completed' : 'incomplete';
}

function incompleteReason({ finishReason }: SendResult): string | undefined {
  // `stopped`: the client left in the middle.
  if (finishReason === 'length' || finishReason === 'stopped') return 'max_output_tokens';
  return finishReason === 'content_filter' ? 'content_filter' : undefined;
}

/** The response object before there is an answer. */
export function openResponse(
  of: MessageName & { askedAt: number },
  { body, model }: ResponseFacts,
) {
  return {
    id: responseId(of),
    object: 'response',
    created_at: toUnixSeconds(of.askedAt),
    status: 'in_progress',
    error: null,
    incomplete_details: null,
    output: [] as OutputItem[],
    usage: null,
    model,
    instructions: body.instructions ?? null,
    max_output_tokens: body.max_output_tokens ?? null,
    metadata: body.metadata ?? {},
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    previous_response_id: null,
    reasoning: { effort: body.reasoning?.effort ?? null, summary: null },
    store: false,
    temperature: body.temperature ?? null,
    text: { format: body.text?.format ?? { type: 'text' } },
    tool_choice: body.tool_choice ?? 'auto',
    tools: body.tools ?? [],
    top_p: body.top_p ?? null,
    truncation: 'disabled',
    user: body.user ?? null,
  };
}

/** The response object of an answer. @param output its items in their order */
export function responseView(
  result: SendResult,
  facts: ResponseFacts,
  output: readonly OutputItem[],
): Record<string, unknown> {
  const reason = incompleteReason(result);
  return {
    ...openResponse(result, facts),
    status: statusOf(result),
    completed_at: toUnixSeconds(result.respondedAt),
    incomplete_details: reason === undefined ? null : { reason },
    output,
    usage: {
      input_tokens: result.usage.promptTokens,
      input_tokens_details: { cached_tokens: result.usage.cachedTokens ?? 0 },
      output_tokens: result.usage.completionTokens,
      output_tokens_details: { reasoning_tokens: result.usage.reasoningTokens ?? 0 },
      total_tokens: result.usage.totalTokens,
      cost: toRubles(result.costRequest + result.costResponse),
      cost_currency: 'RUB',
      source: result.usage.source,
    },
    ...(result.warnings.length > 0 && { warnings: result.warnings }),
  };
}
