import { AnswerBuilder, wholeAnswer } from '../shared/answer-builder.ts';
import { parseJsonText } from '../shared/body.ts';
import type { Sent } from '../shared/converted.ts';
import { storable } from '../shared/json.ts';
import type { SseEvent } from '../shared/sse.ts';
import type { EventReader } from '../shared/text-stream.ts';
import type { FinishPart, TextAnswer, TextPart } from '../spec.ts';
import { errorInAnswer } from './errors.ts';
import { finishReasonOf } from './finish-reason.ts';
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

/** Reads a message, whole or from the events of a stream. Unknown kinds of events and blocks add nothing. */
export class MessageReader implements EventReader {
  readonly #secret: string | undefined;
  readonly #answer: AnswerBuilder;
  readonly #counts = new UsageCounts();
  #done = false;
  #isWhole = false;

  /** @param secret the API key, kept out of the details of errors */
  constructor(sent: Sent, secret: string | undefined) {
    this.#secret = secret;
    this.#answer = new AnswerBuilder(sent);
  }

  get done(): boolean {
    return this.#done;
  }

  read({ data }: SseEvent): TextPart[] {
    const answer = this.#answer;
    const body = parseJsonText(data);
    const event = answer.read(wireEvent, body);
    switch (event.type) {
      case 'message_start': {
        const { id, usage } = answer.read(wireStart, event.message);
        answer.id = id;
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
        this.#done = true;
        return [];
      default:
        // An error may come under another type.
        this.#throwError(body);
        if (event.type === 'error') throw answer.malformed('it ended in an error');
        return [];
    }
  }

  /** Reads the body of an answer that was not streamed. */
  readWhole(body: unknown): TextPart[] {
    const answer = this.#answer;
    this.#throwError(body);
    const message = answer.read(wireMessage, body);
    answer.id = message.id;
    this.#count(message.usage);
    const blocks = answer.read(wireContent, message.content);
    const parts = blocks.flatMap((block, index) => this.#readBlock(block, index));
    this.#readEnd(message);
    this.#isWhole = true;
    return parts;
  }

  #count(usage: unknown): TextPart[] {
    this.#counts.add(usage);
    this.#answer.usage = this.#counts.usage;
    return [{ type: 'usage', usage: this.#counts.usage }];
  }

  #readBlock(block: unknown, index: unknown): TextPart[] {
    const answer = this.#answer;
    const { type } = answer.read(wireKind, block);
    if (type === 'text') return answer.addText(answer.read(wireText, block).text ?? '');
    if (type !== 'tool_use') return [];
    const { id, name, input } = answer.read(wireToolUse, block);
    // In a stream the input is empty here, and comes in deltas.
    const json = Object.keys(input ?? {}).length === 0 ? '' : JSON.stringify(input);
    return [answer.toolCalls.add({ key: this.#keyOf(index), id, name, arguments: json })];
  }

  #readDelta(delta: unknown, index: unknown): TextPart[] {
    const answer = this.#answer;
    const { type } = answer.read(wireKind, delta);
    if (type === 'text_delta') return answer.addText(answer.read(wireText, delta).text ?? '');
    if (type !== 'input_json_delta') return [];
    const { partial_json: json } = answer.read(wireInputDelta, delta);
    if (json === '') return [];
    return [answer.toolCalls.add({ key: this.#keyOf(index), arguments: json })];
  }

  #readEnd(end: WireEnd | undefined): void {
    const answer = this.#answer;
    answer.rawFinishReason = end?.stop_reason ?? answer.rawFinishReason;
    if (end?.stop_sequence !== undefined) answer.stopSequence = storable(end.stop_sequence);
  }

  #keyOf(index: unknown): number {
    if (typeof index === 'number') return index;
    throw this.#answer.malformed('a block has no index');
  }

  finish(): FinishPart {
    const answer = this.#answer;
    if (answer.rawFinishReason === null && !this.#isWhole) {
      throw answer.malformed('it ended before its end');
    }
    return answer.finish(finishReasonOf(answer.rawFinishReason));
  }

  #throwError(body: unknown): void {
    const error = errorInAnswer(body, this.#secret, this.#answer.usage);
    if (error) throw error;
  }
}

/**
 * Converts the body of a message; blocks of thinking are not part of the answer.
 * @throws ProviderError `content_refused` with the usage if the safety system left nothing of the answer;
 *   `failed` if the body is not a message
 */
export function textAnswer(body: unknown, sent: Sent, secret: string | undefined): TextAnswer {
  const reader = new MessageReader(sent, secret);
  return wholeAnswer(reader.readWhole(body), reader.finish());
}
