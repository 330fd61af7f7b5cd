import type { TextAnswer, TextPart, ReasoningPart } from '../../providers/index.ts';
import type { EventSink, SendResult, StreamEvent } from './send-result.ts';
import { PartialAnswer, ShownAnswer, type ContentPart } from './stream-progress.ts';

export type FinishedAnswer = Omit<TextAnswer, 'text'>;

/** Passes the parts of a provider's stream on to its client, and keeps what was received and what was taken. */
export class StreamRelay {
  received = new ShownAnswer();
  /** The part that the client has taken. */
  readonly delivered = new PartialAnswer();
  readonly #sink: EventSink;
  readonly #servedVersion: () => number;
  /** True once the answering model was named to the client. */
  #isServedNamed = false;

  readonly #showsReasoning: boolean;

  /**
   * @param servedVersion the version of the model that answers; called with the first content
   * @param showsReasoning whether the client gets the model's reasoning
   */
  constructor(sink: EventSink, servedVersion: () => number, showsReasoning: boolean) {
    this.#showsReasoning = showsReasoning;
    this.#sink = sink;
    this.#servedVersion = servedVersion;
    sink.onTaken = (events) => this.#deliver(events);
  }

  /** @returns the end of the answer, if it is among the parts */
  receive(parts: readonly TextPart[]): FinishedAnswer | undefined {
    const events: StreamEvent[] = [];
    let answer: FinishedAnswer | undefined;
    for (const part of parts) {
      if (part.type === 'finish') answer = part.answer;
      else if (part.type === 'usage') this.received.note(part);
      else if (part.type === 'reasoning') {
        this.received.note(part);
        if (this.shows(part)) events.push(this.#reasoningEvent(part));
      } else events.push(this.#eventOf(part));
    }
    if (answer) events.push(...this.#emptyArguments(answer));
    this.received.endBatch();
    if (events.length > 0) this.push(events);
    return answer;
  }

  /** Puts the answering model before the first events. Events after the client has left are dropped. */
  push(events: readonly StreamEvent[]): void {
    if (!this.#sink.gone.aborted) this.#put(events);
  }

  /** Ends a send that was stopped, for clients that still follow it. */
  end(result: SendResult): void {
    this.#put([{ type: 'done', result }]);
  }

  #put(events: readonly StreamEvent[]): void {
    if (this.#isServedNamed) return this.#sink.push(events);
    this.#isServedNamed = true;
    this.#sink.push([{ type: 'served', versionId: this.#servedVersion() }, ...events]);
  }

  /** Whether the client gets something of this part. */
  shows(part: TextPart): boolean {
    if (part.type !== 'reasoning') return part.type !== 'usage';
    return this.#showsReasoning && (part.text !== '' || part.seal !== undefined);
  }

  #reasoningEvent({ text, seal }: ReasoningPart): StreamEvent {
    const event = { type: 'reasoning' as const, text, ...(seal && { seal }) };
    this.received.add(event);
    return event;
  }

  #eventOf(part: ContentPart): StreamEvent {
    this.received.add(part);
    return part.type === 'text' ? { type: 'delta', text: part.text } : part;
  }

  /** A call without arguments gets an empty object as its arguments, since clients parse them as JSON. */
  #emptyArguments({ toolCalls }: FinishedAnswer): StreamEvent[] {
    return this.received.emptyCalls.map((index) =>
      this.#eventOf({ type: 'tool_call', index, arguments: toolCalls[index]?.arguments ?? '{}' }),
    );
  }

  #deliver(events: readonly StreamEvent[]): void {
    for (const event of events) {
      if (event.type === 'delta') this.delivered.add({ type: 'text', text: event.text });
      else if (event.type === 'tool_call' || event.type === 'reasoning') this.delivered.add(event);
    }
  }
}
