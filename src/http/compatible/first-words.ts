import type { StopSignal } from '../../lib/stop-signal.ts';
import type { StreamEvent, StreamEvents } from '../../chat/index.ts';
import { DomainError } from '../../lib/errors.ts';
import { endsWithin } from '../../lib/within.ts';

/** Milliseconds that a response may wait for the first word. Then it begins without it, so that no proxy gives up. */
const FIRST_WORD_MS = 10_000;

/**
 * Waits for what comes after `start`, before the response begins: OpenAI's and Anthropic's clients choose their
 * exceptions and retries by the HTTP status, which can't be changed once a stream has begun. If it is known by then
 * which model answers, that event is put first, so that the head of the stream can name it.
 * @param gone aborted when the client has hung up; the stream is then closed here
 * @returns the same events, none lost; `served` goes before `start`, if it has come
 * @throws the error that the stream ended in before its first word
 */
export async function firstWords(
  events: StreamEvents,
  gone: StopSignal,
  waitMs = FIRST_WORD_MS,
): Promise<StreamEvents> {
  const start = await events.next();
  const second = events.next();
  // It may fail while the response has begun and nobody has asked for it yet; whoever asks is told.
  second.catch(() => undefined);
  const early = (await endsWithin(second, waitMs)) ? await second : undefined;
  if (gone.aborted) {
    await events.return(undefined);
    throw new DomainError('overloaded', 'the client has left', { providerCalled: true });
  }
  const [word, ...more] = early && !early.done ? early.value : [];
  if (word?.type === 'error') {
    // Lets the stream end; its hold is settled already.
    await events.return(undefined);
    throw word.error;
  }
  if (word?.type === 'served' && !start.done) {
    return new Resumed([come([word, ...start.value]), come(more)], events);
  }
  return new Resumed([start, second], events);
}

type Batch = IteratorResult<readonly StreamEvent[], unknown>;

function come(value: readonly StreamEvent[]): Batch {
  return { done: false, value };
}

/** Events of which some were taken before: these come first. */
class Resumed implements StreamEvents {
  readonly #taken: (Batch | Promise<Batch>)[];
  readonly #events: StreamEvents;

  constructor(taken: (Batch | Promise<Batch>)[], events: StreamEvents) {
    this.#taken = taken;
    this.#events = events;
  }

  async next(): Promise<Batch> {
    return this.#taken.shift() ?? this.#events.next();
  }

  return(): Promise<unknown> {
    return this.#events.return(undefined);
  }
}
