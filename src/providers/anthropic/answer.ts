import { AnswerReader, wholeAnswer } from '../shared/answer-reader.ts';
import { parseJsonText } from '../shared/body.ts';
import type { Sent } from '../shared/converted.ts';
import { storable } from '../shared/wire.ts';
import type { SseEvent } from '../shared/sse.ts';
import type { EventReader } from '../shared/text-stream.ts';
import type { FinishPart, FinishReason, TextAnswer, TextPart } from '../spec.ts';
import { throwErrorIn } from './errors.ts';
import { UsageCounts } from './usage.ts';
import {
  wireContent,
  wireEnd,
  wireEvent,
  wireInputDelta,
  wireKind,
  wireMessage,
  wireStart,
  wireText,
  wireToolUse,
  type WireEnd,
} from './wire.ts';

const reasons: ReadonlyMap<string, FinishReason> = new Map([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['tool_use', 'tool_calls'],
  ['refusal', 'content_filter'],
]);

export function finishReasonOf(raw: string | null): FinishReason {
  return (raw === null ? undefined : reasons.get(raw)) ?? 'other';
}

/** Reads a message, whole or from the events of a stream. Unknown kinds of events and blocks add nothing. */
export class MessageReader extends AnswerReader implements EventReader {
  readonly #counts = new UsageCounts();
  #isWhole = false;

  read({ data }: SseEvent): TextPart[] {
    const body = parseJsonText(data);
    const event = this.check(wireEvent, body);
    switch (event.type) {
      case 'message_start': {
        const { id, usage } = this.check(wireStart, event.message);
        this.id = id;
        return this.#count(usage);
      }
      case 'content_block_start':
        return this.#readBlock(event.content_block, event.index);
      case 'content_block_delta':
        return this.#readDelta(event.delta, event.index);
      case 'message_delta':
        this.#readEnd(wireEnd.parse(event.delta));
        return this.#count(event.usage);
      case 'message_stop':
        this.done = true;
        return [];
      default:
        // An error may come under another type.
        throwErrorIn(body, this.secret, this.usage);
        if (event.type === 'error') throw this.malformed('it ended in an error');
        return [];
    }
  }

  /** Reads the body of an answer that was not streamed. */
  readWhole(body: unknown): TextPart[] {
    const message = this.check(wireMessage, body);
    this.id = message.id;
    this.#count(message.usage);
    const blocks = this.check(wireContent, message.content);
    const parts = blocks.flatMap((block, index) => this.#readBlock(block, index));
    this.#readEnd(message);
    this.#isWhole = true;
    return parts;
  }

  #count(usage: unknown): TextPart[] {
    this.#counts.add(usage);
    this.usage = this.#counts.usage;
    return [{ type: 'usage', usage: this.#counts.usage }];
  }

  #readBlock(block: unknown, index: unknown): TextPart[] {
    const { type } = this.check(wireKind, block);
    if (type === 'text') return this.addText(this.check(wireText, block).text ?? '');
    if (type !== 'tool_use') return [];
    const { id, name, input } = this.check(wireToolUse, block);
    // In a stream the input is empty here, and comes in deltas.
    const json = Object.keys(input ?? {}).length === 0 ? '' : JSON.stringify(input);
    return [this.toolCalls.add({ key: this.#keyOf(index), id, name, arguments: json })];
  }

  #readDelta(delta: unknown, index: unknown): TextPart[] {
    const { type } = this.check(wireKind, delta);
    if (type === 'text_delta') return this.addText(this.check(wireText, delta).text ?? '');
    if (type !== 'input_json_delta') return [];
    const { partial_json: json } = this.check(wireInputDelta, delta);
    if (json === '') return [];
    return [this.toolCalls.add({ key: this.#keyOf(index), arguments: json })];
  }

  #readEnd(end: WireEnd | undefined): void {
    this.rawFinishReason = end?.stop_reason ?? this.rawFinishReason;
    if (end?.stop_sequence !== undefined) this.stopSequence = storable(end.stop_sequence);
  }

  #keyOf(index: unknown): number {
    if (typeof index === 'number') return index;
    throw this.malformed('a block has no index');
  }

  finish(): FinishPart {
    if (this.rawFinishReason === null && !this.#isWhole) {
      throw this.malformed('it ended before its end');
    }
    return this.end(finishReasonOf(this.rawFinishReason));
  }
}

/**
 * Converts the body of a message; blocks of thinking are not part of the answer.
 * @throws ProviderError `content_refused` with the usage if the safety system left nothing of the answer;
 *   `failed` if the body is not a message
 */
export function textAnswer(body: unknown, sent: Sent): TextAnswer {
  const reader = new MessageReader(sent);
  return wholeAnswer(reader.readWhole(body), reader.finish());
}
