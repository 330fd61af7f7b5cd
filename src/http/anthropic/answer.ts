import type { SendResult } from '../../chat/index.ts';
import { toRubles } from '../../lib/money.ts';

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

/** Anthropic's usage, where cached and cache-write tokens are not part of `input_tokens`, with the cost in rubles. */
export function usageView(result: SendResult): Record<string, unknown> {
  const { usage, costRequest, costResponse } = result;
  const cached = usage.cachedTokens ?? 0;
  const written = usage.cacheWriteTokens ?? 0;
  return {
    // A provider's counts may contradict each other.
    input_tokens: Math.max(0, usage.promptTokens - cached - written),
    cache_creation_input_tokens: written,
    cache_read_input_tokens: cached,
    output_tokens: usage.completionTokens,
    cost: toRubles(costRequest + costResponse),
    cost_currency: 'RUB',
    source: usage.source,
  };
}

/** A message in Anthropic's shape. @param model the name of the model that answered */
export function messageView(result: SendResult, model: string): Record<string, unknown> {
  const { response, toolCalls } = result;
  return {
    id: messageId(result),
    type: 'message',
    role: 'assistant',
    model,
    content: [
      ...(response === '' ? [] : [{ type: 'text', text: response }]),
      ...toolCalls.map(({ id, name, arguments: args }) => ({
        type: 'tool_use',
        id,
        name,
        input: parsed(args),
      })),
    ],
    ...ending(result),
    usage: usageView(result),
    ...warningsView(result),
  };
}

/** The field `warnings`; absent if there are none. */
export function warningsView({ warnings }: SendResult): { warnings?: string[] } {
  return warnings.length > 0 ? { warnings } : {};
}

/** A model may write broken JSON. The client gets it as it is, in a field that says so. */
function parsed(args: string): unknown {
  try {
    return JSON.parse(args === '' ? '{}' : args);
  } catch {
    return { invalid_json: args };
  }
}
