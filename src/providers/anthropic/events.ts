import { parseJsonText } from '../shared/body.ts';
import { contentRefused, incomprehensible } from '../shared/failures.ts';
import { asLabel, asRecord, type JsonRecord } from '../shared/json.ts';
import type { SseEvent } from '../shared/sse.ts';
import type { EventReader } from '../shared/text-stream.ts';
import { ToolCalls } from '../shared/tool-calls.ts';
import { WholeText } from '../shared/whole-text.ts';
import type { TextPart } from '../spec.ts';
import { textOf, toolUse } from './answer.ts';
import { errorInAnswer } from './errors.ts';
import { finishReasonOf, stopSequenceIn } from './finish-reason.ts';
import type { Asked } from './request.ts';
import { UsageCounts } from './usage.ts';

/** Reads the events of one streamed message. Kinds of events that it does not know add nothing. */
export class MessageReader implements EventReader {
  readonly #warnings: string[];
  readonly #secret: string | undefined;
  readonly #counts = new UsageCounts();
  readonly #text = new WholeText();
  readonly #toolCalls = new ToolCalls();
  #id: string | null = null;
  #rawFinishReason: string | null = null;
  #stopSequence: { stopSequence?: string } = {};
  #done = false;

  constructor({ warnings }: Pick<Asked, 'warnings'>, secret: string | undefined) {
    this.#warnings = warnings;
    this.#secret = secret;
  }

  get done(): boolean {
    return this.#done;
  }

  read({ data }: SseEvent): TextPart[] {
    const event = asRecord(parseJsonText(data));
    if (!event) throw this.#broken('an event of it is no object');
    switch (event['type']) {
      case 'message_start':
        return this.#start(asRecord(event['message']));
      case 'content_block_start':
        return this.#startBlock(event['index'], asRecord(event['content_block']));
      case 'content_block_delta':
        return this.#readDelta(event['index'], asRecord(event['delta']));
      case 'message_delta':
        this.#readEnd(asRecord(event['delta']) ?? {});
        return this.#count(event['usage']);
      case 'message_stop':
        this.#done = true;
        return [];
      case 'error':
        throw (
          errorInAnswer(event, this.#secret, this.#counts.usage) ??
          this.#broken('it ended in an error')
        );
      default:
        return this.#readOther(event);
    }
  }

  /** Kinds of events may be added; an error may come without saying that it is one. */
  #readOther(event: JsonRecord): TextPart[] {
    const error = errorInAnswer(event, this.#secret, this.#counts.usage);
    if (error) throw error;
    return [];
  }

  #start(message: JsonRecord | undefined): TextPart[] {
    if (!message) throw this.#broken('its start has no message');
    this.#id = asLabel(message['id']);
    return this.#count(message['usage']);
  }

  #count(usage: unknown): TextPart[] {
    this.#counts.tell(usage);
    return [{ type: 'usage', usage: this.#counts.usage }];
  }

  #startBlock(index: unknown, block: JsonRecord | undefined): TextPart[] {
    if (!block) throw this.#broken('a block of it is no object');
    if (block['type'] === 'text') return this.#say(textOf(block));
    if (block['type'] !== 'tool_use') return [];
    return [this.#toolCalls.add({ key: this.#keyOf(index), ...toolUse(block) })];
  }

  #readDelta(index: unknown, delta: JsonRecord | undefined): TextPart[] {
    if (!delta) throw this.#broken('a delta of it is no object');
    if (delta['type'] === 'text_delta') return this.#say(textOf(delta));
    if (delta['type'] !== 'input_json_delta') return [];
    const json = delta['partial_json'];
    if (typeof json !== 'string') throw this.#broken('the input of a tool call is no text');
    return json === '' ? [] : [this.#toolCalls.add({ key: this.#keyOf(index), arguments: json })];
  }

  #readEnd(delta: JsonRecord): void {
    this.#rawFinishReason = asLabel(delta['stop_reason']) ?? this.#rawFinishReason;
    this.#stopSequence = { ...this.#stopSequence, ...stopSequenceIn(delta) };
  }

  #say(delta: string): TextPart[] {
    const text = this.#text.push(delta);
    return text === '' ? [] : [{ type: 'text', text }];
  }

  #keyOf(index: unknown): number {
    if (typeof index === 'number') return index;
    throw this.#broken('a block of it has no index');
  }

  finish(): Extract<TextPart, { type: 'finish' }> {
    const rawFinishReason = this.#rawFinishReason;
    if (rawFinishReason === null) throw this.#broken('it ended before its end');
    const finishReason = finishReasonOf(rawFinishReason);
    const { usage } = this.#counts;
    if (finishReason === 'content_filter' && !this.#text.any && !this.#toolCalls.any) {
      throw contentRefused({ usage });
    }
    return {
      type: 'finish',
      answer: {
        toolCalls: this.#toolCalls.all,
        providerMessageId: this.#id,
        usage,
        finishReason,
        rawFinishReason,
        ...this.#stopSequence,
        seed: null,
        warnings: this.#warnings,
      },
    };
  }

  #broken(what: string): Error {
    return incomprehensible(what, { usage: this.#counts.usage });
  }
}
