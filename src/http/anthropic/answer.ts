import type { SendResult } from '../../chat/index.ts';
import { toRubles } from '../../lib/money.ts';
import type { NamedEvent, NamedEventWriter } from '../compatible/endpoints.ts';
import { anthropicError } from '../compatible/errors.ts';
import { toDomainError } from '../errors.ts';
import { eventLines, joined } from '../event-stream.ts';

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

type ToolCallEvent = Extract<NamedEvent, { type: 'tool_call' }>;

/**
 * Writes a streamed send as Anthropic's events: a message of content blocks, each opened and closed. Its start names
 * the model that answers, or the requested model if that is not known in time. A broken stream ends with an `error`
 * event and without `message_stop`.
 * @param requested the name of the requested model
 */
export function messageWriter(requested: string, requestId: string): NamedEventWriter {
  let model = requested;
  const blocks = new Blocks();
  return (event) => {
    switch (event.type) {
      case 'served':
        model = event.model;
        return '';
      case 'start':
        return line('message_start', { message: emptyMessage(messageId(event), model) });
      case 'delta':
        return joined(blocks.text(event.text));
      case 'tool_call':
        return joined(blocks.toolCall(event));
      case 'error':
        return eventLines('error', anthropicError(toDomainError(event.error), requestId));
      case 'done': {
        const { result } = event;
        const last = { delta: ending(result), usage: usageView(result), ...warningsView(result) };
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

/** A block that has begun, but must wait for the open block to end. */
interface WaitingBlock {
  what: 'text' | number;
  start: Record<string, unknown>;
  /** Text, or the arguments of a call. */
  said: string;
}

/**
 * Content blocks, one after the other: a text, or a tool call. Providers may alternate between calls, but here a block
 * stays open until it is complete: pieces of other blocks wait while a call is open.
 */
class Blocks {
  #index = -1;
  /** The open block: `text`, or the index of a tool call. */
  #open: 'text' | number | undefined;
  #waiting: WaitingBlock[] = [];

  text(text: string): Generator<string> {
    return this.#say('text', { type: 'text', text: '' }, text);
  }

  toolCall({ index, id, name, arguments: args }: ToolCallEvent): Generator<string> {
    return this.#say(index, { type: 'tool_use', id: id ?? '', name: name ?? '', input: {} }, args);
  }

  *end(): Generator<string> {
    yield* this.#close();
    for (const { what, start, said } of this.#waiting.splice(0)) {
      yield* this.#start(what, start);
      if (said !== '') yield this.#delta(said);
      yield* this.#close();
    }
  }

  *#say(what: 'text' | number, start: Record<string, unknown>, said: string): Generator<string> {
    const isBesideCall = typeof this.#open === 'number' && this.#open !== what;
    if (isBesideCall) return this.#wait(what, start, said);
    if (this.#open !== what) yield* this.#start(what, start);
    if (said !== '') yield this.#delta(said);
  }

  #wait(what: 'text' | number, start: Record<string, unknown>, said: string): void {
    const known = this.#waiting.find((block) => block.what === what);
    if (known) known.said += said;
    else this.#waiting.push({ what, start, said });
  }

  *#start(what: 'text' | number, block: Record<string, unknown>): Generator<string> {
    yield* this.#close();
    this.#open = what;
    this.#index++;
    yield line('content_block_start', { index: this.#index, content_block: block });
  }

  *#close(): Generator<string> {
    if (this.#open === undefined) return;
    this.#open = undefined;
    yield line('content_block_stop', { index: this.#index });
  }

  #delta(said: string): string {
    const delta =
      this.#open === 'text'
        ? { type: 'text_delta', text: said }
        : { type: 'input_json_delta', partial_json: said };
    return line('content_block_delta', { index: this.#index, delta });
  }
}

function line(type: string, data: Record<string, unknown>): string {
  return eventLines(type, { type, ...data });
}
