import { Stopper, whenAborted, type StopSignal } from '../../lib/stop-signal.ts';
import type { CatalogueModel } from '../../catalogue/index.ts';
import {
  noUsage,
  ProviderError,
  type Attempt,
  type TextPart,
  type ToolCall,
  type Usage,
} from '../../providers/index.ts';
import { endsWithin } from '../../lib/within.ts';
import { CallFailure, openStream, type OpenedStream } from './call-models.ts';
import { afterCall, failSend, slowClientError } from './fail.ts';
import type { EventSink, StreamEvent, SendResult } from './send-result.ts';
import type { HeldSend, SenderParts } from './sender-parts.ts';
import { priceAnswer, priceStopped, priceUncalled, type PricedAnswer } from './pricing.ts';
import { settleAnswer } from './settle.ts';

/** How long a provider's stream may wait for a client that has left no room for more events. */
const READER_WAIT_MS = 120_000;
/** How long a failed stream may take to close before its failure is settled. */
const CLOSE_WAIT_MS = 1_000;

/**
 * Streams a send whose hold is taken. Its events always end in `done` or `error`, after the settle; a stream that
 * breaks at the provider never ends cleanly.
 * @param whole sends without streaming, for models whose answer comes in one piece
 */
export function streamHeld(
  parts: SenderParts,
  held: HeldSend,
  sink: EventSink,
  whole: (held: HeldSend) => Promise<SendResult>,
): void {
  const { input, messageId: id, askedAt } = held;
  sink.push([{ type: 'start', roomId: input.roomId, id, askedAt }]);
  if (input.kind !== 'image') return void new TextStream(parts, held, sink).run();
  // The send continues to its end when the client leaves.
  whole(held)
    .then(
      (result) => sink.push([{ type: 'done', result }]),
      (error: unknown) => sink.push([{ type: 'error', error: afterCall(error) }]),
    )
    .finally(() => sink.end());
}

/**
 * One streamed send. The provider's stream is read at its own pace, and its answer is settled as soon as it is
 * complete, however slowly the client reads.
 */
class TextStream {
  readonly #parts: SenderParts;
  readonly #held: HeldSend;
  readonly #stopping: StopSignal;
  /** Aborted when this server stops, or the client leaves. */
  readonly #signal: StopSignal;
  readonly #sink: EventSink;
  #served: CatalogueModel;
  /** True once the answering model was named to the client. */
  #isServedNamed = false;
  /** True once a request may have left the gateway. */
  #isSent = false;
  #attempts: () => readonly Attempt[] = () => [];
  readonly #received = new PartialAnswer();
  /** The part that the client has taken. A stopped stream is charged for it. */
  readonly #delivered = new PartialAnswer();
  #reported: Usage = noUsage;
  /** True once the provider had to wait for the client. */
  #hasWaited = false;
  #settled = false;

  constructor(parts: SenderParts, held: HeldSend, sink: EventSink) {
    this.#parts = parts;
    this.#held = held;
    this.#sink = sink;
    this.#served = held.model;
    this.#stopping = parts.inFlight.start(held.userId, held.messageId);
    this.#signal = Stopper.following(sink.gone, this.#stopping);
    sink.onTaken = (events) => this.#deliver(events);
  }

  /** Never throws. */
  async run(): Promise<void> {
    const { inFlight, log } = this.#parts;
    const { userId, messageId } = this.#held;
    try {
      await this.#relay(await this.#open());
    } catch (error) {
      try {
        const last = await this.#end(error);
        if (last) this.#sink.push([last]);
      } catch (err) {
        log.error({ err, user: userId, message: messageId }, 'the end of a stream failed');
        this.#sink.push([{ type: 'error', error: afterCall(err) }]);
      }
    } finally {
      inFlight.end(userId, messageId);
      this.#sink.end();
    }
  }

  async #open(): Promise<OpenedStream> {
    const { catalogue, providers } = this.#parts;
    // The client left while the hold was taken.
    if (this.#sink.gone.aborted) throw new Error('the client has left');
    try {
      const call = { ...this.#held, signal: this.#signal };
      const opened = await openStream(catalogue, providers, call);
      this.#isSent = true;
      this.#attempts = opened.attempts;
      this.#served = opened.served;
      this.#reported = opened.usage;
      return opened;
    } catch (failure) {
      if (!(failure instanceof CallFailure)) throw failure;
      this.#isSent = !failure.isUnsent;
      this.#attempts = () => failure.attempts;
      this.#served = failure.served;
      this.#reported = failure.usage;
      throw failure.error;
    }
  }

  async #relay({ first, rest }: OpenedStream): Promise<void> {
    try {
      for (let parts = first; ;) {
        const answer = this.#receive(parts);
        if (answer) return await this.#finish(answer);
        await this.#room();
        const next = await rest.next();
        if (next.done) throw new Error('a provider stream ended without its finish');
        parts = next.value;
      }
    } finally {
      // A failure to close, or a slow close, changes nothing.
      const closed = rest.return(undefined).catch(() => undefined);
      if (!this.#settled) await endsWithin(closed, CLOSE_WAIT_MS);
    }
  }

  /** @returns the end of the answer, if it is among the parts */
  #receive(parts: readonly TextPart[]): FinishedAnswer | undefined {
    const events: StreamEvent[] = [];
    let answer: FinishedAnswer | undefined;
    for (const part of parts) {
      if (part.type === 'finish') answer = part.answer;
      else if (part.type === 'usage') this.#reported = part.usage;
      else events.push(this.#eventOf(part));
    }
    if (answer) events.push(...this.#emptyArguments(answer));
    if (events.length > 0) this.#sink.push(this.#withServed(events));
    return answer;
  }

  #eventOf(part: ContentPart): StreamEvent {
    this.#received.add(part);
    return part.type === 'text' ? { type: 'delta', text: part.text } : part;
  }

  /** A call without arguments gets an empty object as its arguments, since clients parse them as JSON. */
  #emptyArguments({ toolCalls }: FinishedAnswer): StreamEvent[] {
    return this.#received.emptyCalls.map((index) =>
      this.#eventOf({ type: 'tool_call', index, arguments: toolCalls[index]?.arguments ?? '{}' }),
    );
  }

  /** Puts the answering model before the first event with content. */
  #withServed(events: readonly StreamEvent[]): readonly StreamEvent[] {
    if (this.#isServedNamed) return events;
    this.#isServedNamed = true;
    return [{ type: 'served', versionId: this.#served.versionId }, ...events];
  }

  #deliver(events: readonly StreamEvent[]): void {
    for (const event of events) {
      if (event.type === 'delta') this.#delivered.add({ type: 'text', text: event.text });
      else if (event.type === 'tool_call') this.#delivered.add(event);
    }
  }

  /** Waits until the client has taken enough of the waiting events. */
  async #room(): Promise<void> {
    const room = this.#sink.room();
    // Parts that the provider sent before the abort still arrive, but no client takes them.
    if (!room || this.#signal.aborted) return;
    this.#hasWaited = true;
    const stopped = new Promise<void>((resolve) => whenAborted(this.#signal, resolve));
    const { readerWaitMs = READER_WAIT_MS } = this.#parts;
    if (await endsWithin(Promise.race([room, stopped]), readerWaitMs)) return;
    // A client that continues to read gets this error, and so learns that the answer is incomplete.
    throw new ProviderError('timeout', 'The client took nothing for too long.', { accepted: true });
  }

  async #finish(answer: FinishedAnswer): Promise<void> {
    const { text } = this.#received;
    const attempts = this.#attempts();
    const whole = { served: this.#served, answer: { ...answer, text }, attempts };
    const result = await this.#settle(
      await priceAnswer(this.#parts, this.#held, whole, this.#stopping),
    );
    this.#sink.push(this.#withServed([{ type: 'done', result }]));
  }

  /**
   * Settles a stream that did not reach its end.
   * @returns the last event; undefined if the client has left
   */
  async #end(error: unknown): Promise<StreamEvent | undefined> {
    if (this.#settled) return { type: 'error', error: afterCall(error) };
    if (this.#sink.gone.aborted) {
      await this.#stop();
      return undefined;
    }
    // A provider that had to wait may have failed because of that. The client pays for what it took, and gets no more.
    if (this.#hasWaited && error instanceof ProviderError && !this.#stopping.aborted) {
      this.#sink.drop();
      const { charge } = await this.#stop();
      return { type: 'error', error: slowClientError(error, charge) };
    }
    this.#settled = true;
    const failure = { error, served: this.#served, attempts: this.#attempts() };
    const stopped = this.#stopping.aborted;
    return { type: 'error', error: await failSend(this.#parts, this.#held, failure, stopped) };
  }

  async #stop(): Promise<PricedAnswer> {
    const { text, toolCalls } = this.#delivered;
    const delivered = { text, toolCalls, reported: this.#reported };
    const priced = this.#isSent
      ? await priceStopped(this.#held, this.#served, delivered)
      : priceUncalled(this.#held);
    await this.#settle(priced);
    return priced;
  }

  #settle(priced: PricedAnswer): Promise<SendResult> {
    this.#settled = true;
    return settleAnswer(this.#parts, this.#held, priced, this.#attempts());
  }
}

type FinishedAnswer = Extract<TextPart, { type: 'finish' }>['answer'];

type ContentPart = Extract<TextPart, { type: 'text' | 'tool_call' }>;

class PartialAnswer {
  text = '';
  /** By their indexes, with their arguments so far. */
  readonly #calls = new Map<number, ToolCall>();

  add(part: ContentPart): void {
    if (part.type === 'text') {
      this.text += part.text;
      return;
    }
    const { index, id = '', name = '', arguments: piece } = part;
    const call = this.#calls.get(index);
    if (call) call.arguments += piece;
    else this.#calls.set(index, { id, name, arguments: piece });
  }

  get toolCalls(): ToolCall[] {
    return [...this.#calls.values()];
  }

  /** Indexes of the calls without arguments so far. */
  get emptyCalls(): number[] {
    return [...this.#calls].filter(([, call]) => call.arguments === '').map(([index]) => index);
  }
}
