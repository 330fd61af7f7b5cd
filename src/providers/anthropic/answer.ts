import { z } from 'zod';
import { EventReader, reasoningLeftOut } from '../shared/answer-reader.ts';
import { parseJsonText } from '../shared/body.ts';
import type { SseEvent } from '../shared/sse.ts';
import { anything, jsonObject, label, section, storable, text } from '../shared/wire.ts';
import type { Sent } from '../shared/unsupported.ts';
import type { FinishPart, FinishReason, TextPart, ReasoningBlock, ReasoningPart } from '../spec.ts';
import { errorIn } from './errors.ts';
import type { SignedReasoning } from './signed-reasoning.ts';
import { UsageCounts } from './usage.ts';

interface MessageSent extends Sent {
  /** Keeps what must be sent back with the results of tools. */
  kept?: SignedReasoning;
}

/** How a message ended, and the stop sequence that ended it. */
const end = { stop_reason: label, stop_sequence: text };
const wireEnd = section(end);

const start = { id: label, model: label, usage: anything };
const wireStart = z.object(start);
const wireMessage = z.object({ ...start, content: z.array(anything), ...end });

/** A block of the content, or a delta of one; other kinds add nothing to the answer. */
const wireKind = z.object({ type: anything });
const wireText = z.object({ text: z.string().nullish() });
const wireToolUse = z.object({ id: label, name: label, input: jsonObject.nullish() });
/** A `thinking` block, or a delta of one. */
const wireThinking = section({ thinking: text, signature: text, data: text });
const wireInputDelta = z.object({ partial_json: z.string() });

const wireEvent = z.object({
  type: anything,
  index: anything,
  message: anything,
  content_block: anything,
  delta: anything,
  usage: anything,
});

const reasons: ReadonlyMap<string, FinishReason> = new Map([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['tool_use', 'tool_calls'],
  ['refusal', 'content_filter'],
]);

/**
 * Reads a message, whole or from the events of a stream. Unknown kinds of events and blocks add nothing. `thinking`
 * blocks are a summary of the reasoning, or encrypted.
 */
export class MessageReader extends EventReader<MessageSent> {
  readonly reasons = reasons;
  readonly #counts = new UsageCounts();
  /** The `thinking` block that has begun, and not ended. */
  #thinking: { thinking: string; signature: string } | undefined;
  readonly #reasoning: ReasoningBlock[] = [];

  read({ data }: SseEvent): TextPart[] {
    const body = parseJsonText(data);
    const event = this.check(wireEvent, body);
    switch (event.type) {
      case 'message_start': {
        const { id, model, usage } = this.check(wireStart, event.message);
        this.id = id;
        this.model = model;
        return this.setUsage(this.#counts.add(usage));
      }
      case 'content_block_start':
        return [...this.#endReasoning(), ...this.#readBlock(event.content_block, event.index)];
      case 'content_block_delta':
        return this.#readDelta(event.delta, event.index);
      case 'content_block_stop':
        return this.#endReasoning();
      case 'message_delta':
        this.#readEnd(wireEnd.parse(event.delta));
        return [...this.#endReasoning(), ...this.setUsage(this.#counts.add(event.usage))];
      case 'message_stop':
        // Without a stop reason the message is not complete.
        this.done = this.rawFinishReason !== null;
        return [];
      default:
        // An error may come in a body of another type.
        this.throwError(errorIn(body));
        if (event.type === 'error') throw this.malformed('it ended in an error');
        return [];
    }
  }

  readWhole(body: unknown): TextPart[] {
    const message = this.check(wireMessage, body);
    this.id = message.id;
    this.model = message.model;
    this.setUsage(this.#counts.add(message.usage));
    const parts = message.content.flatMap((block, index) => [
      ...this.#readBlock(block, index),
      ...this.#endReasoning(),
    ]);
    this.#readEnd(message);
    this.done = true;
    return parts;
  }

  #readBlock(block: unknown, index: unknown): TextPart[] {
    const { type } = this.check(wireKind, block);
    if (type === 'text') return this.addText(this.check(wireText, block).text ?? '');
    if (type === 'thinking' || type === 'redacted_thinking') return [this.#beginReasoning(block)];
    if (type !== 'tool_use') return [];
    const { id, name, input } = this.check(wireToolUse, block);
    // In a stream the input is empty here, and follows in deltas.
    const json = Object.keys(input ?? {}).length === 0 ? '' : JSON.stringify(input);
    return [this.toolCalls.add({ key: this.#keyOf(index), id, name, arguments: json })];
  }

  #readDelta(delta: unknown, index: unknown): TextPart[] {
    const { type } = this.check(wireKind, delta);
    if (type === 'text_delta') return this.addText(this.check(wireText, delta).text ?? '');
    const isReasoning = type === 'thinking_delta' || type === 'signature_delta';
    if (isReasoning && this.#thinking) {
      const { thinking = '', signature = '' } = wireThinking.parse(delta) ?? {};
      this.#thinking.thinking += thinking;
      this.#thinking.signature += signature;
      return thinking === '' ? [] : [{ ...reasoningLeftOut, text: thinking }];
    }
    if (type !== 'input_json_delta') return [];
    const { partial_json: json } = this.check(wireInputDelta, delta);
    if (json === '') return [];
    return [this.toolCalls.add({ key: this.#keyOf(index), arguments: json })];
  }

  #beginReasoning(block: unknown): ReasoningPart {
    const { thinking = '', signature = '', data } = wireThinking.parse(block) ?? {};
    if (data === undefined) {
      this.#thinking = { thinking, signature };
      return { ...reasoningLeftOut, text: thinking };
    }
    const seal = { by: 'anthropic' as const, data };
    this.#reasoning.push({ text: '', seal });
    return { ...reasoningLeftOut, seal };
  }

  /** The signature of a block is complete when the block ends. */
  #endReasoning(): ReasoningPart[] {
    if (!this.#thinking) return [];
    const { thinking: words, signature } = this.#thinking;
    this.#thinking = undefined;
    if (signature === '') return [];
    const seal = { by: 'anthropic' as const, signature };
    this.#reasoning.push({ text: words, seal });
    return [{ ...reasoningLeftOut, seal }];
  }

  override finish(): FinishPart {
    const last = super.finish();
    const [first] = last.answer.toolCalls;
    if (first && this.#reasoning.length > 0) this.sent.kept?.keep(first.id, this.#reasoning);
    return last;
  }

  #readEnd(message: z.output<typeof wireEnd>): void {
    this.rawFinishReason = message?.stop_reason ?? this.rawFinishReason;
    const sequence = message?.stop_sequence;
    if (sequence !== undefined) this.stopSequence = storable(sequence);
  }

  #keyOf(index: unknown): number {
    if (typeof index === 'number') return index;
    throw this.malformed('a block has no index');
  }
}
