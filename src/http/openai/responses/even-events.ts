import { eventOf, inOrder, type SendResult } from '../../../chat/index.ts';
import type { ResponseEvent } from './stream-items.ts';

/** The shortest and the longest piece of a text that continues, in UTF-16 units. */
const PIECE_MIN = 24;
const PIECE_MAX = 48;
const SPACE = 0x20;

type Content = Pick<SendResult, 'toolCalls' | 'reasoning'> & { response: string };
type ToolCallEvent = Extract<ResponseEvent, { type: 'tool_call' }>;
type ReasoningEvent = Extract<ResponseEvent, { type: 'reasoning' }>;

/** Cuts a growing text into pieces that do not depend on how it grew: at spaces, if there are any. */
class EvenPieces {
  #rest = '';

  /** @returns the pieces that are complete now */
  *add(text: string): Generator<string> {
    this.#rest += text;
    let start = 0;
    for (let at = PIECE_MIN; at < this.#rest.length; at++) {
      const units = at - start;
      if (units < PIECE_MIN || (units < PIECE_MAX && this.#rest.charCodeAt(at) > SPACE)) continue;
      // Both halves of a character stay together.
      const end = (this.#rest.charCodeAt(at) & 0xfc00) === 0xdc00 ? at - 1 : at;
      yield this.#rest.slice(start, end);
      start = end;
    }
    this.#rest = this.#rest.slice(start);
  }

  /** @returns the rest, which is complete now */
  end(): string {
    const rest = this.#rest;
    this.#rest = '';
    return rest;
  }
}

/**
 * Makes the events of an answer the same whenever it is streamed, so that a client can continue after the number of an
 * event: both while the provider sends the answer piece by piece, and later from the database, which has it whole.
 * Calls of tools, whose pieces may alternate, come whole, after the text before them.
 */
export class EvenEvents {
  readonly #text = new EvenPieces();
  readonly #reasoning = new EvenPieces();
  #isInReasoning = false;
  readonly #calls = new Map<number, ToolCallEvent>();

  *take(event: ResponseEvent): Generator<ResponseEvent> {
    switch (event.type) {
      case 'delta':
        yield* this.#endReasoning();
        for (const text of this.#text.add(event.text)) yield { type: 'delta', text };
        return;
      case 'tool_call':
        yield* this.#endReasoning();
        return this.#keepCall(event);
      case 'reasoning':
        return yield* this.#takeReasoning(event);
      case 'error':
        yield* this.#flush();
        return yield event;
      case 'done':
        // An answer with log probabilities comes in one piece.
        if (event.result.choices) yield* this.#takeWhole(event.result);
        yield* this.#flush();
        return yield event;
      case 'start':
      case 'served':
        yield event;
    }
  }

  *#takeReasoning({ text: added, seal }: ReasoningEvent): Generator<ResponseEvent> {
    if (!this.#isInReasoning) yield* this.#flush();
    this.#isInReasoning = true;
    for (const text of this.#reasoning.add(added)) yield { type: 'reasoning', text };
    if (!seal) return;
    this.#isInReasoning = false;
    yield { type: 'reasoning', text: this.#reasoning.end(), seal };
  }

  *#takeWhole(answer: Content): Generator<ResponseEvent> {
    for (const event of partEvents(answer)) yield* this.take(event);
  }

  #keepCall(event: ToolCallEvent): void {
    const kept = this.#calls.get(event.index);
    if (kept) kept.arguments += event.arguments;
    else this.#calls.set(event.index, { ...event });
  }

  *#endReasoning(): Generator<ResponseEvent> {
    this.#isInReasoning = false;
    const text = this.#reasoning.end();
    if (text !== '') yield { type: 'reasoning', text };
  }

  *#flush(): Generator<ResponseEvent> {
    yield* this.#endReasoning();
    const text = this.#text.end();
    if (text !== '') yield { type: 'delta', text };
    yield* this.#calls.values();
    this.#calls.clear();
  }
}

/** UTF-16 units of a text that are written at a time. */
const SLICE_UNITS = 4096;

/** The parts of a whole answer as events of a stream. */
export function* partEvents(answer: Content): Generator<ResponseEvent> {
  const { response: text, toolCalls, reasoning } = answer;
  for (const piece of inOrder({ text, toolCalls, reasoning })) {
    const event = eventOf(piece);
    if (event.type !== 'delta') {
      yield event;
      continue;
    }
    for (let at = 0; at < event.text.length; at += SLICE_UNITS) {
      yield { type: 'delta', text: event.text.slice(at, at + SLICE_UNITS) };
    }
  }
}
