import { inOrder, type SendResult } from '../../chat/index.ts';
import { toRubles } from '../../lib/money.ts';
import type { NamedEventWriter } from '../compatible/named-events.ts';
import { anthropicError } from '../compatible/errors.ts';
import { toDomainError } from '../errors.ts';
import { eventLines, joined } from '../event-stream.ts';
import { Blocks, thinkingBlock, type ShownReasoning } from './blocks.ts';

/** The answer's id contains the message's id, so that it can be found in the history. */
export function messageId({ roomId, id }: { roomId: string; id: number }): string {
  return `msg_${roomId}_${id}`;
}

/** The gateway's finish reasons in Anthropic's words. A stream that its client left ends with `max_tokens`. */
function stopReason(reason: string): string {
  switch (reason) {
    case 'length':
    case 'stopped':
      return 'max_tokens';
    case 'tool_calls':
      return 'tool_use';
    case 'content_filter':
      return 'refusal';
    default:
      return 'end_turn';
  }
}

/** Why an answer ended, with the stop sequence if the provider reported one. */
export function ending({ finishReason, stopSequence }: SendResult): Record<string, unknown> {
  return stopSequence === undefined
    ? { stop_reason: stopReason(finishReason), stop_sequence: null }
    : { stop_reason: 'stop_sequence', stop_sequence: stopSequence };
}

/**
 * Anthropic's usage, in which `input_tokens` does not include cached and cache-write tokens, with the cost in rubles.
 */
export function usageView(result: SendResult): Record<string, unknown> {
  const { usage, costRequest, costResponse } = result;
  const cached = usage.cachedTokens ?? 0;
  const written = usage.cacheWriteTokens ?? 0;
  return {
    // A provider's counts may be inconsistent.
    input_tokens: Math.max(0, usage.promptTokens - cached - written),
    cache_creation_input_tokens: written,
    cache_read_input_tokens: cached,
    output_tokens: usage.completionTokens,
    cost: toRubles(costRequest + costResponse),
    cost_currency: 'RUB',
    source: usage.source,
  };
}

/** The facts about its request that an answer needs. */
export interface AboutAnswer {
  shown: ShownReasoning;
  /** Warnings about what was left out of the request. */
  leftOut: readonly string[];
}

/** A message in Anthropic's shape. @param model the name of the model that answered */
export function messageView(
  result: SendResult,
  model: string,
  { shown, leftOut }: AboutAnswer,
): Record<string, unknown> {
  const { response: text, toolCalls, reasoning } = result;
  return {
    id: messageId(result),
    type: 'message',
    role: 'assistant',
    model,
    content: [...inOrder({ text, toolCalls, reasoning })].map((piece) => {
      if (piece.type === 'text') return piece;
      if (piece.type === 'reasoning') return thinkingBlock(piece.block, shown);
      const { id, name, arguments: args } = piece.call;
      return { type: 'tool_use', id, name, input: parsed(args) };
    }),
    ...ending(result),
    usage: usageView(result),
    ...warningsView(result, leftOut),
  };
}

/** The field `warnings`; absent if there are none. */
export function warningsView(
  { warnings }: SendResult,
  leftOut: readonly string[],
): { warnings?: string[] } {
  const all = [...warnings, ...leftOut];
  return all.length > 0 ? { warnings: all } : {};
}

/** A model may write broken JSON. The client gets the text as it is, in a separate field. */
function parsed(args: string): unknown {
  try {
    return JSON.parse(args === '' ? '{}' : args);
  } catch {
    return { invalid_json: args };
  }
}

/**
 * Writes a streamed send as Anthropic's events: a message of content blocks, each opened and closed. Its start names
 * the model that answers or, if that is not known in time, the requested model. A broken stream ends with an `error`
 * event and without `message_stop`.
 * @param requested the name of the requested model
 */
export function messageWriter(
  requested: string,
  requestId: string,
  { shown, leftOut }: AboutAnswer,
): NamedEventWriter {
  let model = requested;
  const blocks = new Blocks(shown);
  return (event) => {
    switch (event.type) {
      case 'served':
        model = event.model;
        return '';
      case 'start':
        return line('message_start', { message: emptyMessage(messageId(event), model) });
      case 'delta':
        return joined(blocks.text(event.text));
      case 'reasoning':
        return joined(blocks.reasoning(event));
      case 'tool_call':
        return joined(blocks.toolCall(event));
      case 'error':
        return eventLines('error', anthropicError(toDomainError(event.error), requestId));
      case 'done': {
        const { result } = event;
        const warnings = warningsView(result, leftOut);
        const last = { delta: ending(result), usage: usageView(result), ...warnings };
        return joined(blocks.end()) + line('message_delta', last) + line('message_stop', {});
      }
    }
  };
}

function emptyMessage(id: string, model: string): Record<string, unknown> {
  return {
    id,
    type: 'message',
    role: 'assistant',
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    // The counts follow at the end.
    usage: { input_tokens: 0, output_tokens: 0 },
  };
}

function line(type: string, data: Record<string, unknown>): string {
  return eventLines(type, { type, ...data });
}
