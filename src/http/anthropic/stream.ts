import type { StreamEvent } from '../../chat/index.ts';
import { toDomainError } from '../errors.ts';
import { messageId, stopReason, usageView } from './answer.ts';
import { anthropicError } from './errors.ts';

type ToolCallEvent = Extract<StreamEvent, { type: 'tool_call' }>;

/**
 * A streamed send as Anthropic's events: a message of content blocks, each opened and closed. A stream that
 * breaks ends in an `error` event and without `message_stop`.
 */
export async function* messageEvents(
  events: AsyncGenerator<StreamEvent>,
  { model, requestId }: { model: string; requestId: string },
): AsyncGenerator<string> {
  const blocks = new Blocks();
  for await (const event of events) {
    switch (event.type) {
      case 'start':
        yield line('message_start', { message: emptyMessage(messageId(event), model) });
        break;
      case 'delta':
        yield* blocks.text(event.text);
        break;
      case 'tool_call':
        yield* blocks.toolCall(event);
        break;
      case 'error':
        yield `event: error\ndata: ${JSON.stringify(anthropicError(toDomainError(event.error), requestId))}\n\n`;
        break;
      case 'done': {
        yield* blocks.close();
        const { result } = event;
        const delta = { stop_reason: stopReason(result.finishReason), stop_sequence: null };
        yield line('message_delta', { delta, usage: usageView(result) });
        yield line('message_stop', {});
      }
    }
  }
}

function emptyMessage(id: string, model: string): Record<string, unknown> {
  return {
    ...{ id, type: 'message', role: 'assistant', model, content: [] },
    ...{ stop_reason: null, stop_sequence: null },
    // Counted at the end, when the provider has told it.
    usage: { input_tokens: 0, output_tokens: 0 },
  };
}

/** Content blocks one after the other: text, or one call of a tool. */
class Blocks {
  #index = -1;
  /** What the open block is: `text`, or the index of a tool call. */
  #open: 'text' | number | undefined;

  *text(text: string): Generator<string> {
    if (this.#open !== 'text') yield* this.#start('text', { type: 'text', text: '' });
    yield this.#delta({ type: 'text_delta', text });
  }

  *toolCall({ index, id, name, arguments: args }: ToolCallEvent): Generator<string> {
    if (this.#open !== index) {
      yield* this.#start(index, { type: 'tool_use', id: id ?? '', name: name ?? '', input: {} });
    }
    if (args !== '') yield this.#delta({ type: 'input_json_delta', partial_json: args });
  }

  *close(): Generator<string> {
    if (this.#open === undefined) return;
    this.#open = undefined;
    yield line('content_block_stop', { index: this.#index });
  }

  *#start(what: 'text' | number, block: Record<string, unknown>): Generator<string> {
    yield* this.close();
    this.#open = what;
    this.#index++;
    yield line('content_block_start', { index: this.#index, content_block: block });
  }

  #delta(delta: Record<string, unknown>): string {
    return line('content_block_delta', { index: this.#index, delta });
  }
}

function line(type: string, data: Record<string, unknown>): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
}
