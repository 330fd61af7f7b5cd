import type { StreamEvent, StreamEvents } from './stream-event.ts';

/** UTF-16 units that may wait for the reader before no more are made. */
const WAITING_UNITS_MAX = 1024 * 1024;

type Batch = readonly StreamEvent[];

export interface EventQueueOptions {
  /** Called with the events that the reader has taken. */
  onTaken: (events: Batch) => void;
  /** The reader wants no more; resolves once nothing is made any more. */
  onLeave: () => Promise<void>;
}

/**
 * A queue of events between a provider's stream and a reader with its own pace: a slow reader must not slow down the
 * provider's stream, whose time is limited. The queue is bounded: see `room`.
 */
export class EventQueue implements StreamEvents {
  readonly #options: EventQueueOptions;
  readonly #waiting: Batch[] = [];
  #units = 0;
  #ended = false;
  #reader: ((taken: IteratorResult<Batch, undefined>) => void) | undefined;
  #onRoom: (() => void) | undefined;

  constructor(options: EventQueueOptions) {
    this.#options = options;
  }

  push(batch: Batch): void {
    const reader = this.#reader;
    if (reader) {
      this.#reader = undefined;
      this.#options.onTaken(batch);
      reader({ done: false, value: batch });
      return;
    }
    this.#waiting.push(batch);
    this.#units += unitsOf(batch);
  }

  /** Undefined while there is room for more; otherwise resolves once the reader has made some. */
  room(): Promise<void> | undefined {
    if (this.#units <= WAITING_UNITS_MAX) return undefined;
    return new Promise((resolve) => (this.#onRoom = resolve));
  }

  /** Nothing is pushed after it. */
  end(): void {
    this.#ended = true;
    this.#reader?.({ done: true, value: undefined });
    this.#reader = undefined;
  }

  next(): Promise<IteratorResult<Batch, undefined>> {
    const batch = this.#waiting.shift();
    if (batch) {
      this.#units -= unitsOf(batch);
      if (this.#units <= WAITING_UNITS_MAX) this.#onRoom?.();
      this.#options.onTaken(batch);
      return Promise.resolve({ done: false, value: batch });
    }
    if (this.#ended) return Promise.resolve({ done: true, value: undefined });
    return new Promise((resolve) => (this.#reader = resolve));
  }

  /** What waits is never taken. */
  drop(): void {
    this.#waiting.length = 0;
    this.#units = 0;
    this.#onRoom?.();
  }

  /** The reader leaves: what waits is dropped. Resolves once the send has ended. */
  async return(): Promise<void> {
    this.drop();
    if (!this.#ended) await this.#options.onLeave();
  }
}

function unitsOf(batch: Batch): number {
  let units = 0;
  for (const event of batch) {
    if (event.type === 'delta') units += event.text.length;
    else if (event.type === 'tool_call') units += event.arguments.length;
  }
  return units;
}
