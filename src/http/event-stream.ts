import type { EventBatch, EventSink, StreamEvent } from '../chat/index.ts';
import { DomainError } from '../lib/errors.ts';
import { Stopper } from '../lib/stop-signal.ts';
import { endsWithin } from '../lib/within.ts';

/** A proxy or client gives up if it receives nothing for long. A comment keeps the connection alive. */
export const KEEP_ALIVE_MS = 10_000;
/** A client that takes nothing for this many beats, two minutes, has left, whatever its connection says. */
const STALLED_BEATS_MAX = 12;
/** Most bytes of one write. */
export const PIECE_BYTES = 64 * 1024;
/** UTF-16 units that may wait for the client. Beyond that, the provider has to wait. */
const WAITING_UNITS_MAX = 1024 * 1024;
/** The same, while all streams together have more than `ALL_WAITING_UNITS_MAX`. */
const WAITING_UNITS_SCARCE = 64 * 1024;
const ALL_WAITING_UNITS_MAX = 32 * 1024 * 1024;
let allWaitingUnits = 0;
/** How long a response waits for its first word, in milliseconds. Then it begins, so that no proxy gives up. */
const FIRST_WORD_MS = 10_000;
const nothing = new Uint8Array();
const encoder = new TextEncoder();
/** A comment, which clients ignore. */
export const KEEP_ALIVE = ': keep-alive\n\n';
const keepAlive = encoder.encode(KEEP_ALIVE);

export const eventHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  // Tells nginx not to hold events back.
  'x-accel-buffering': 'no',
};

/** Writes an event in the shape of an interface: one or several server-sent events, or nothing. */
export type EventWriter = (event: StreamEvent) => string | Promise<string>;

/** An event with a name. */
export function eventLines(name: string, data: unknown): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** The lines of several events, one after the other. */
export function joined(lines: Iterable<string> = []): string {
  return [...lines].join('');
}

type Controller = ReadableStreamDefaultController<Uint8Array>;

/**
 * The body of a `text/event-stream` response. Between a provider's stream and a client with its own pace it keeps the
 * events that the client has not taken yet: a slow client must not slow down the provider's stream, whose time is
 * limited. Events that came together go out in one write, as soon as the client takes more.
 */
export class EventBody implements EventSink, Bun.UnderlyingSource<Uint8Array> {
  readonly #write: EventWriter;
  readonly #beatMs: number;
  readonly #gone: Stopper;
  readonly #waiting: EventBatch[] = [];
  #waitingUnits = 0;
  /** How many of the waiting batches already count as taken. */
  #counted = 0;
  #isSent = false;
  #ended = false;
  #closed = false;
  /** Why the user gets no more events. */
  #refusal: DomainError | undefined;
  /** Called when a batch or the end arrives. */
  #onNews: (() => void) | undefined;
  #onRoom: (() => void) | undefined;
  #onEnd: (() => void) | undefined;
  #timer: Timer | undefined;
  /** The part of the last text that has not been handed over yet. */
  #rest: Uint8Array = nothing;
  /** Consecutive beats at which the client had not taken what was already written. */
  #stalledBeats = 0;
  onTaken: (events: EventBatch) => void = () => undefined;
  /** Called once, when the send has ended and the client has taken all or has left. */
  onClosed: (() => void) | undefined;

  /**
   * @param request its signal shows whether the client has left before there is a response that can be cancelled
   * @param beatMs milliseconds between two looks at the client
   */
  constructor({ signal }: Pick<Request, 'signal'>, write: EventWriter, beatMs = KEEP_ALIVE_MS) {
    this.#gone = Stopper.following(signal);
    this.#write = write;
    this.#beatMs = beatMs;
  }

  get gone(): Stopper {
    return this.#gone;
  }

  push(batch: EventBatch): void {
    if (this.#refusal) return;
    this.#waiting.push(batch);
    this.#count(unitsOf(batch));
    this.#news();
  }

  sent(): void {
    if (this.#isSent) return;
    this.#isSent = true;
    this.#news();
  }

  room(): Promise<void> | undefined {
    if (this.#hasRoom) return undefined;
    return new Promise((resolve) => (this.#onRoom = resolve));
  }

  get #hasRoom(): boolean {
    const max = allWaitingUnits > ALL_WAITING_UNITS_MAX ? WAITING_UNITS_SCARCE : WAITING_UNITS_MAX;
    return this.#waitingUnits <= max;
  }

  #count(units: number): void {
    this.#waitingUnits += units;
    allWaitingUnits += units;
  }

  drop(): void {
    if (this.#refusal) return;
    this.#waiting.length = 0;
    this.#count(-this.#waitingUnits);
    this.#counted = 0;
    this.#onRoom?.();
  }

  end(): void {
    // The send of a refused stream ends it a second time.
    if (this.#ended) return;
    this.#ended = true;
    this.#report();
    this.#news();
    this.#onEnd?.();
  }

  /** Runs the work once the send has ended, or at once if it already has. */
  whenEnded(work: () => void): void {
    if (this.#ended) work();
    else this.#onEnd = work;
  }

  /** Ends the stream with this error, drops waiting events, and continues the send as if the client had left. */
  refuse(error: DomainError): void {
    if (this.#ended || this.#refusal) return;
    this.drop();
    this.push([{ type: 'error', error }]);
    this.#refusal = error;
    this.#gone.abort();
    this.end();
  }

  /**
   * Waits until a provider is called, before the response begins: a send that fails before that gets an HTTP status.
   * @throws the error with which the send ended before that
   */
  async providerCalled(): Promise<void> {
    await this.#until(() => this.#isSent, FIRST_WORD_MS);
    const last = this.#waiting.at(-1)?.at(-1);
    if (!this.#isSent && last?.type === 'error') throw last.error;
  }

  /**
   * Waits for the event after `start`, before the response begins: OpenAI's and Anthropic's clients choose their
   * exceptions and retries by the HTTP status, which can't be changed once a stream has begun. If the answering model
   * is known by then, its event is moved to the front, so that the head of the stream can name it.
   * @throws the error with which the stream ended before its first word
   */
  async firstWord(waitMs = FIRST_WORD_MS): Promise<void> {
    await this.#until(() => this.#waiting.length > 1, waitMs);
    while (this.#counted < Math.min(2, this.#waiting.length)) {
      this.onTaken(this.#waiting[this.#counted++] ?? []);
    }
    if (this.#gone.aborted) {
      this.drop();
      throw (
        this.#refusal ??
        new DomainError('overloaded', 'the client has left', { providerCalled: true })
      );
    }
    const [start = [], early = []] = this.#waiting;
    const [word, ...more] = early;
    if (word?.type === 'error') throw word.error;
    if (word?.type === 'served') this.#waiting.splice(0, 2, [word, ...start], more);
  }

  response(headers: Readonly<Record<string, string>>): Response {
    return new Response(new ReadableStream(this), {
      headers: { ...eventHeaders, ...headers },
    });
  }

  start(controller: Controller): void {
    this.#timer = setInterval(() => this.#beat(controller), this.#beatMs);
  }

  async pull(controller: Controller): Promise<void> {
    this.#stalledBeats = 0;
    if (this.#rest.length > 0) return this.#enqueue(controller, this.#rest);
    try {
      for (;;) {
        const batch = this.#take();
        if (!batch && this.#ended) break;
        if (!batch) {
          await new Promise<void>((resolve) => (this.#onNews = resolve));
          continue;
        }
        let text = '';
        for (const event of batch) {
          const written = this.#write(event);
          text += typeof written === 'string' ? written : await written;
        }
        // Some events write nothing: then the next one is taken.
        if (text !== '') return this.#enqueue(controller, encoder.encode(text));
      }
      this.#close();
      controller.close();
    } catch (error) {
      // Cuts the connection: a clean end would make a broken stream look complete.
      controller.error(error);
      this.cancel();
    }
  }

  /** The client has left: the send is stopped. */
  cancel(): void {
    this.#close();
    this.#gone.abort();
    this.drop();
  }

  #close(): void {
    clearInterval(this.#timer);
    this.#closed = true;
    this.#report();
  }

  #report(): void {
    if (!this.#ended || !this.#closed) return;
    this.onClosed?.();
    this.onClosed = undefined;
  }

  #take(): EventBatch | undefined {
    const batch = this.#waiting.shift();
    if (!batch) return undefined;
    this.#count(-unitsOf(batch));
    if (this.#hasRoom) this.#onRoom?.();
    if (this.#counted > 0) this.#counted--;
    else this.onTaken(batch);
    return batch;
  }

  #news(): void {
    this.#onNews?.();
    this.#onNews = undefined;
  }

  /** Waits until the condition holds or the send ends, at most `waitMs`. */
  async #until(isSo: () => boolean, waitMs: number): Promise<void> {
    const isOver = () => isSo() || this.#ended;
    const over = async () => {
      while (!isOver()) await new Promise<void>((resolve) => (this.#onNews = resolve));
    };
    if (!isOver()) await endsWithin(over(), waitMs);
  }

  /** A large event is sent in pieces, so that a client that takes it slowly is seen to take it. */
  #enqueue(controller: Controller, bytes: Uint8Array): void {
    this.#rest = bytes.subarray(PIECE_BYTES);
    controller.enqueue(bytes.subarray(0, PIECE_BYTES));
  }

  #beat(controller: Controller): void {
    if ((controller.desiredSize ?? 0) > 0) {
      this.#stalledBeats = 0;
      controller.enqueue(keepAlive);
      return;
    }
    this.#stalledBeats++;
    if (this.#stalledBeats < STALLED_BEATS_MAX) return;
    controller.error(new Error('the client takes nothing'));
    this.cancel();
  }
}

function unitsOf(batch: EventBatch): number {
  let units = 0;
  for (const event of batch) {
    if (event.type === 'delta') units += event.text.length;
    else if (event.type === 'tool_call') units += event.arguments.length;
    else if (event.type === 'reasoning') {
      units += event.text.length + (event.seal ? JSON.stringify(event.seal).length : 0);
    }
  }
  return units;
}
