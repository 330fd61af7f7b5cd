import {
  inOrder,
  wasTooLate,
  type ResponseName,
  type SendResult,
  type ReasoningBlock,
} from '../../../chat/index.ts';
import { toUnixSeconds } from '../../../lib/clock.ts';
import { toRubles } from '../../../lib/money.ts';
import { packReasoning } from '../../compatible/sealed-reasoning.ts';
import { parsed, textOfArguments } from '../custom-tools.ts';
import type { ResponseBody } from './body.ts';
import { itemId, responseId } from './ids.ts';
import { logprobsOf } from './logprobs.ts';
import { repeated } from './repeated.ts';
import { namedTool, type RequestedTool, type NamedTools } from './tools.ts';

/** Facts that all objects of one response share. */
export interface ResponseFacts {
  /** The fields of the request that they repeat: `requestedView`. */
  asked: Record<string, unknown>;
  /** The name of the model that answers; until it is known, the requested model's name. */
  model: string;
  /** Tools that the model knows by another name or in another form than the client. */
  named: NamedTools;
  /** True if reasoning has an `encrypted_content`. */
  sealed: boolean;
  /** Warnings besides those of the answer. */
  warnings?: readonly string[];
}

/** An answer, either new or read from the database. */
export type Answered = Pick<
  SendResult,
  | 'roomId'
  | 'id'
  | 'askedAt'
  | 'respondedAt'
  | 'response'
  | 'toolCalls'
  | 'reasoning'
  | 'choices'
  | 'finishReason'
  | 'usage'
  | 'costRequest'
  | 'costResponse'
  | 'warnings'
>;

/** An item of the output: a text, a reasoning block or a call. */
export type OutputItem = Record<string, unknown> & { id: string };

/** The output item of a text. @param text null if the item has no text yet */
export function messageItem(
  of: ResponseName,
  status: string,
  text: string | null,
  logprobs: readonly unknown[] = [],
): OutputItem {
  return {
    id: itemId('msg', of),
    type: 'message',
    role: 'assistant',
    status,
    content: text === null ? [] : [textPart(text, logprobs)],
  };
}

export function textPart(text: string, logprobs: readonly unknown[] = []): Record<string, unknown> {
  return { type: 'output_text', text, annotations: [], logprobs };
}

/** The output item of a reasoning block. @param position counts the reasoning blocks of one answer from 0 */
export function reasoningItem(
  of: ResponseName,
  position: number,
  block: ReasoningBlock,
  { sealed }: Pick<ResponseFacts, 'sealed'>,
): OutputItem {
  return {
    id: itemId('rs', of, position),
    type: 'reasoning',
    summary: block.text === '' ? [] : [summaryPart(block.text)],
    ...(sealed && { encrypted_content: packReasoning(block) }),
  };
}

export function summaryPart(text: string): Record<string, unknown> {
  return { type: 'summary_text', text };
}

export interface CallOfFunction {
  id: string;
  name: string;
  arguments: string;
}

/** A call as the client knows the tool. @param position counts the calls of one answer from 0 */
export function callItem(
  of: ResponseName,
  status: string,
  position: number,
  { id: call_id, name: flat, arguments: text }: CallOfFunction,
  tools: NamedTools,
): OutputItem {
  const named = namedTool(tools, flat) ?? { type: 'function', name: flat };
  const { type, name, namespace } = named;
  const called = { status, call_id, name, ...(namespace !== undefined && { namespace }) };
  if (type === 'custom') {
    const id = itemId('ctc', of, position);
    return { id, type: 'custom_tool_call', ...called, input: textOfArguments(text) };
  }
  if (type === 'tool_search') {
    const id = itemId('tsc', of, position);
    const args = parsed(text) ?? {};
    return { id, type: 'tool_search_call', status, call_id, execution: 'client', arguments: args };
  }
  return { id: itemId('fc', of, position), type: 'function_call', ...called, arguments: text };
}

/** The items of an answer that is not streamed. Its text is one item, even if there is reasoning in between. */
function outputOf(result: Answered, facts: ResponseFacts): OutputItem[] {
  const { response: text, toolCalls, reasoning } = result;
  const status = statusOf(result);
  let hasText = false;
  return [...inOrder({ text, toolCalls, reasoning })].flatMap((piece): OutputItem[] => {
    if (piece.type === 'reasoning') {
      return [reasoningItem(result, piece.index, piece.block, facts)];
    }
    if (piece.type === 'call') {
      return [callItem(result, status, piece.index, piece.call, facts.named)];
    }
    if (hasText) return [];
    hasText = true;
    return [messageItem(result, status, text, logprobsOf(result))];
  });
}

/** `incomplete` if the answer was cut short. */
export function statusOf(result: Answered): 'completed' | 'incomplete' {
  return incompleteReason(result) === undefined ? 'completed' : 'incomplete';
}

function incompleteReason({ finishReason }: Answered): string | undefined {
  // `stopped`: the client left in the middle.
  if (finishReason === 'length' || finishReason === 'stopped') return 'max_output_tokens';
  return finishReason === 'content_filter' ? 'content_filter' : undefined;
}

/** Whether the response is made without its client. */
export function isBackground({ asked }: Pick<ResponseFacts, 'asked'>): boolean {
  return asked['background'] === true;
}

/**
 * The response object before there is an answer.
 * @param status `queued` until a model answers, for responses in the background
 */
export function openResponse(
  of: ResponseName & { askedAt: number },
  { asked, model }: ResponseFacts,
  status: 'queued' | 'in_progress' = 'in_progress',
) {
  return {
    id: responseId(of),
    object: 'response',
    created_at: toUnixSeconds(of.askedAt),
    completed_at: null as number | null,
    status: status as string,
    error: null as { code: string; message: string } | null,
    incomplete_details: null as { reason: string } | null,
    output: [] as readonly OutputItem[],
    usage: null as Record<string, unknown> | null,
    model,
    ...asked,
  };
}

/**
 * The fields of the request that a response repeats. The schema requires all of them, with default values for those
 * that were not sent.
 */
export function requestedView(body: ResponseBody, isStored: boolean): Record<string, unknown> {
  return {
    previous_response_id: body.previous_response_id ?? null,
    instructions: repeated(body.instructions, null) ?? null,
    max_output_tokens: body.max_output_tokens ?? null,
    max_tool_calls: body.max_tool_calls ?? null,
    metadata: repeated(body.metadata, {}) ?? {},
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    reasoning: reasoningView(body.reasoning),
    store: isStored,
    background: body.background === true,
    service_tier: 'default',
    temperature: body.temperature ?? 1,
    top_p: body.top_p ?? 1,
    presence_penalty: body.presence_penalty ?? 0,
    frequency_penalty: body.frequency_penalty ?? 0,
    top_logprobs: body.top_logprobs ?? 0,
    text: { ...body.text, format: formatView(body.text?.format) },
    tool_choice: body.tool_choice ?? 'auto',
    tools: repeated(body.tools, [])?.map(toolView) ?? [],
    truncation: body.truncation ?? 'disabled',
    user: repeated(body.user, null) ?? null,
    safety_identifier: repeated(body.safety_identifier, null) ?? null,
    prompt_cache_key: repeated(body.prompt_cache_key, null) ?? null,
  };
}

function reasoningView(reasoning: ResponseBody['reasoning']) {
  const { effort = null, summary, generate_summary: older = null } = reasoning ?? {};
  return { effort, summary: summary ?? older };
}

function formatView(format: NonNullable<ResponseBody['text']>['format']) {
  if (format?.type !== 'json_schema') return format ?? { type: 'text' };
  const { description, strict } = format;
  return {
    ...format,
    schema: repeated(format.schema, {}),
    description: repeated(description, null) ?? null,
    strict: strict ?? false,
  };
}

/** A function in full, as the schema requires; other tools as they were sent. */
function toolView(tool: RequestedTool): object {
  if (tool.type !== 'function') return tool;
  const { description = null, parameters = null, strict = null } = tool;
  return { ...tool, description, parameters, strict };
}

/** The response object of an answer that is not streamed. */
export function answerView(result: Answered, facts: ResponseFacts): Record<string, unknown> {
  return responseView(result, facts, outputOf(result, facts));
}

/** The response object of an answer. @param output its items in order */
export function responseView(
  result: Answered,
  facts: ResponseFacts,
  output: readonly OutputItem[],
): Record<string, unknown> {
  // In the background there is no client that can leave, so the user stopped the response.
  const isCancelled =
    isBackground(facts) && result.finishReason === 'stopped' && !wasTooLate(result.warnings);
  const reason = isCancelled ? undefined : incompleteReason(result);
  const warnings = [...result.warnings, ...(facts.warnings ?? [])];
  return {
    ...openResponse(result, facts),
    status: isCancelled ? 'cancelled' : statusOf(result),
    completed_at: toUnixSeconds(result.respondedAt),
    incomplete_details: reason === undefined ? null : { reason },
    output,
    usage: usageOf(result),
    ...(warnings.length > 0 && { warnings }),
  };
}

export function usageOf(result: Answered) {
  return {
    input_tokens: result.usage.promptTokens,
    input_tokens_details: { cached_tokens: result.usage.cachedTokens ?? 0 },
    output_tokens: result.usage.completionTokens,
    output_tokens_details: { reasoning_tokens: result.usage.reasoningTokens ?? 0 },
    total_tokens: result.usage.totalTokens,
    cost: toRubles(result.costRequest + result.costResponse),
    cost_currency: 'RUB',
    source: result.usage.source,
  };
}

/** The response object of a send that failed after it had begun. */
export function failedResponse(
  of: ResponseName & { askedAt: number },
  facts: ResponseFacts,
  error: Record<string, unknown>,
) {
  const { code, message } = error;
  return {
    ...openResponse(of, facts),
    status: 'failed',
    error: { code: String(code), message: String(message) },
  };
}
