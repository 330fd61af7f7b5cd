import { inOrder } from '../../../chat/index.ts';
import type { NamedEvent } from '../../compatible/named-events.ts';
import { eventLines } from '../../event-stream.ts';
import {
  type Answered,
  callItem,
  type CallOfFunction,
  messageItem,
  type OutputItem,
  reasoningItem,
  type ResponseFacts,
  statusOf,
  summaryPart,
  textPart,
} from './answer.ts';
import { itemId } from './ids.ts';
import { logprobsOf } from './logprobs.ts';
import { namedTool } from './tools.ts';

/** An event of a stream, or of an answer that is read from the database. */
export type ResponseEvent =
  Exclude<NamedEvent, { type: 'done' }> | { type: 'done'; result: Answered };
export type Start = Extract<NamedEvent, { type: 'start' }>;
type ToolCallEvent = Extract<NamedEvent, { type: 'tool_call' }>;
type ReasoningEvent = Extract<NamedEvent, { type: 'reasoning' }>;

/** Numbers the events of one stream. */
export class Numbered {
  #next = 0;
  readonly #after: number;

  /** @param after events up to this number are left out */
  constructor(after = -1) {
    this.#after = after;
  }

  line(type: string, data: Record<string, unknown>): string {
    const number = this.#next++;
    return number > this.#after ? eventLines(type, { type, sequence_number: number, ...data }) : '';
  }

  /** From now on, no event is left out. */
  catchUp(): void {
    this.#next = Math.max(this.#next, this.#after + 1);
  }
}

/** A call while it is streamed, with its index in the output. */
interface OpenCall extends CallOfFunction {
  at: number;
  position: number;
}

/** A reasoning block while it is streamed, with its index in the output. */
interface OpenReasoning {
  at: number;
  position: number;
  text: string;
}

/**
 * The items of the output while they grow. A reasoning block is closed when the answer continues; text and calls are
 * closed at the end, since pieces of calls may alternate.
 */
export class Items {
  /** The complete items, when the stream has ended. */
  readonly output: OutputItem[] = [];
  readonly #of: Start;
  readonly #numbered: Numbered;
  readonly #facts: ResponseFacts;
  #count = 0;
  #textAt: number | undefined;
  #text = '';
  readonly #calls = new Map<number, OpenCall>();
  #openReasoning: OpenReasoning | undefined;
  #reasoningCount = 0;

  constructor(of: Start, numbered: Numbered, facts: ResponseFacts) {
    this.#of = of;
    this.#facts = facts;
    this.#numbered = numbered;
  }

  *text(delta: string, logprobs: readonly unknown[] = []): Generator<string> {
    yield* this.#endReasoning();
    if (this.#textAt === undefined) {
      this.#textAt = this.#count++;
      yield this.#added(this.#textAt, messageItem(this.#of, 'in_progress', null));
      yield this.#line('response.content_part.added', this.#place({ part: textPart('') }));
    }
    this.#text += delta;
    yield this.#line('response.output_text.delta', this.#place({ delta, logprobs }));
  }

  *reasoning({ text: delta, seal }: ReasoningEvent): Generator<string> {
    let open = this.#openReasoning;
    if (!open) {
      open = { at: this.#count++, position: this.#reasoningCount++, text: '' };
      this.#openReasoning = open;
      yield this.#added(open.at, this.#reasoningItem(open));
    }
    if (delta !== '') {
      if (open.text === '') {
        const part = summaryPart('');
        yield this.#line('response.reasoning_summary_part.added', this.#summary(open, { part }));
      }
      open.text += delta;
      yield this.#line('response.reasoning_summary_text.delta', this.#summary(open, { delta }));
    }
    if (seal) yield* this.#endReasoning(seal);
  }

  *call({ index, id = '', name = '', arguments: delta }: ToolCallEvent): Generator<string> {
    yield* this.#endReasoning();
    let call = this.#calls.get(index);
    if (!call) {
      const [at, position] = [this.#count++, this.#calls.size];
      call = { id, name, arguments: '', at, position };
      this.#calls.set(index, call);
      yield this.#added(at, this.#callItem('in_progress', call));
    }
    call.arguments += delta;
    // The text of a custom tool is inside its arguments, so it is known when they are complete.
    if (delta === '' || !this.#isFunction(call)) return;
    yield this.#line('response.function_call_arguments.delta', {
      item_id: itemId('fc', this.#of, call.position),
      output_index: call.at,
      delta,
    });
  }

  *end(result: Answered): Generator<string> {
    // An answer with log probabilities comes in one piece.
    if (result.choices && this.#count === 0) yield* this.#whole(result);
    yield* this.#endReasoning();
    const status = statusOf(result);
    if (this.#textAt !== undefined) {
      const text = this.#text;
      const logprobs = logprobsOf(result);
      const part = textPart(text, logprobs);
      yield this.#line('response.output_text.done', this.#place({ text, logprobs }));
      yield this.#line('response.content_part.done', this.#place({ part }));
      yield this.#done(this.#textAt, messageItem(this.#of, status, text, logprobs));
    }
    for (const call of this.#calls.values()) {
      const item = this.#callItem(status, call);
      const place = { item_id: item.id, output_index: call.at };
      const { name, arguments: args, input } = item;
      if (item['type'] === 'function_call') {
        const whole = { ...place, name, arguments: args };
        yield this.#line('response.function_call_arguments.done', whole);
      } else if (item['type'] === 'custom_tool_call') {
        yield this.#line('response.custom_tool_call_input.delta', { ...place, delta: input });
        yield this.#line('response.custom_tool_call_input.done', { ...place, input });
      }
      yield this.#done(call.at, item);
    }
  }

  *#whole(result: Answered): Generator<string> {
    const { response: text, toolCalls, reasoning } = result;
    for (const piece of inOrder({ text, toolCalls, reasoning })) {
      if (piece.type === 'reasoning') yield* this.reasoning({ ...piece.block, type: 'reasoning' });
      else if (piece.type === 'text') yield* this.text(piece.text, logprobsOf(result));
      else yield* this.call({ type: 'tool_call', index: piece.index, ...piece.call });
    }
  }

  *#endReasoning(seal?: ReasoningEvent['seal']): Generator<string> {
    const open = this.#openReasoning;
    if (!open) return;
    this.#openReasoning = undefined;
    const { text } = open;
    if (text !== '') {
      const part = summaryPart(text);
      yield this.#line('response.reasoning_summary_text.done', this.#summary(open, { text }));
      yield this.#line('response.reasoning_summary_part.done', this.#summary(open, { part }));
    }
    yield this.#done(open.at, this.#reasoningItem(open, seal));
  }

  #reasoningItem({ position, text }: OpenReasoning, seal?: ReasoningEvent['seal']): OutputItem {
    const after = { text: this.#text.length, calls: this.#calls.size };
    const isFirst = after.text + after.calls === 0;
    const block = { text, ...(seal && { seal }), ...(!isFirst && { after }) };
    return reasoningItem(this.#of, position, block, this.#facts);
  }

  #callItem(status: string, call: OpenCall): OutputItem {
    return callItem(this.#of, status, call.position, call, this.#facts.named);
  }

  #isFunction({ name }: OpenCall): boolean {
    return (namedTool(this.#facts.named, name)?.type ?? 'function') === 'function';
  }

  #added(at: number, item: OutputItem): string {
    return this.#line('response.output_item.added', { output_index: at, item });
  }

  #done(at: number, item: OutputItem): string {
    this.output[at] = item;
    return this.#line('response.output_item.done', { output_index: at, item });
  }

  /** Adds the text's position in the output. */
  #place(data: Record<string, unknown>): Record<string, unknown> {
    const id = itemId('msg', this.#of);
    return { item_id: id, output_index: this.#textAt, content_index: 0, ...data };
  }

  /** Adds the position of a reasoning summary. */
  #summary(
    { at, position }: OpenReasoning,
    data: Record<string, unknown>,
  ): Record<string, unknown> {
    const id = itemId('rs', this.#of, position);
    return { item_id: id, output_index: at, summary_index: 0, ...data };
  }

  #line(type: string, data: Record<string, unknown>): string {
    return this.#numbered.line(type, data);
  }
}
