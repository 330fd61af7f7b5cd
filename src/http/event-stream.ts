import type { StreamEvent, StreamEvents } from '../chat/index.ts';
import { Stopper } from '../lib/stop-signal.ts';

/** A proxy or client that hears nothing for long gives up; a comment is heard and means nothing. */
const KEEP_ALIVE_MS = 10_000;
/** A client that takes nothing for so many beats, two minutes, has left, whatever its connection says. */
const STALLED_BEATS_MAX = 12;
/** Of one write. */
const PIECE_BYTES = 64 * 1024;
const nothing = new Uint8Array();
const encoder = new TextEncoder();
const keepAlive = encoder.encode(': keep-alive\n\n');

/**
 * A signal that is aborted when the client has left: as the request tells, until there is a response to be cancelled.
 */
export function leaving({ signal }: Request): Stopper {
  return Stopper.following(signal);
}

/** Writes an event as a dialect tells it: one or several server-sent events, or nothing. */
export type EventWriter = (event: StreamEvent) => string | Promise<string>;

/** Lines of one event, written one after the other. */
export function joined(lines: Iterable<string> = []): string {
  return [...lines].join('');
}

/**
 * A `text/event-stream` response: events that came together go out in one write, at once. The next are asked
 * for only when the client has taken those before, so a slow reader does not fill our memory.
 * @param onGone called when the client has hung up before the end, or takes nothing any more
 */
export function eventStream(
  events: StreamEvents,
  write: EventWriter,
  onGone: () => void,
  beatMs = KEEP_ALIVE_MS,
): Response {
  const stream = new ReadableStream(new EventSource({ events, write, onGone, beatMs }));
  return new Response(stream, {
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache',
      // Tells nginx not to hold events back.
      'x-accel-buffering': 'no',
    },
  });
}

interface SourceParts {
  events: StreamEvents;
  write: EventWriter;
  onGone: () => void;
  /** Milliseconds from one look at the client to the next. */
  beatMs: number;
}

type Controller = ReadableStreamDefaultController<Uint8Array>;

class EventSource implements Bun.UnderlyingSource<Uint8Array> {
  readonly #parts: SourceParts;
  #timer: Timer | undefined;
  /** The part of the last text that was not handed over yet. */
  #rest: Uint8Array = nothing;
  /** Beats in a row at which the client had not taken what was already written. */
  #stalled = 0;

  constructor(parts: SourceParts) {
    this.#parts = parts;
  }

  start(controller: Controller): void {
    this.#timer = setInterval(() => this.#beat(controller), this.#parts.beatMs);
  }

  async pull(controller: Controller): Promise<void> {
    const { events, write } = this.#parts;
    this.#stalled = 0;
    if (this.#rest.length > 0) return this.#enqueue(controller, this.#rest);
    try {
      // An event may write nothing: then the next one is asked for.
      for (let next = await events.next(); !next.done; next = await events.next()) {
        let text = '';
        for (const event of next.value) {
          const written = write(event);
          text += typeof written === 'string' ? written : await written;
        }
        if (text !== '') return this.#enqueue(controller, encoder.encode(text));
      }
      clearInterval(this.#timer);
      controller.close();
    } catch (error) {
      // Cut the connection: a clean end would pass off a broken stream as a whole one.
      controller.error(error);
      await this.cancel();
    }
  }

  /** A large event goes out in pieces, so that a client that takes it slowly is seen to take it. */
  #enqueue(controller: Controller, bytes: Uint8Array): void {
    this.#rest = bytes.subarray(PIECE_BYTES);
    controller.enqueue(bytes.subarray(0, PIECE_BYTES));
  }

  async cancel(): Promise<void> {
    clearInterval(this.#timer);
    this.#parts.onGone();
    await this.#parts.events.return(undefined);
  }

  #beat(controller: Controller): void {
    if ((controller.desiredSize ?? 0) > 0) {
      this.#stalled = 0;
      controller.enqueue(keepAlive);
      return;
    }
    this.#stalled++;
    if (this.#stalled < STALLED_BEATS_MAX) return;
    controller.error(new Error('the client takes nothing'));
    // Its end is told in the log by the send itself.
    this.cancel().catch(() => undefined);
  }
}
