import type { StopSignal } from '../../lib/stop-signal.ts';
import type { StreamEvent, StreamEvents } from '../../chat/index.ts';
import { DomainError } from '../../lib/errors.ts';

/** So long a response may wait for the first word; then it begins, so that no proxy gives it up. */
const FIRST_WORD_MS = 10_000;

/**
 * Waits for what comes after `start`. OpenAI's and Anthropic's clients choose their exceptions and
 * retries by the HTTP status, which is out once a stream has begun.
 * @param gone aborted when the client has hung up; the stream is then closed here
 * @returns the same events, none lost
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
  let timer: Timer | undefined;
  const tooLong = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), waitMs);
  });
  const early = await Promise.race([second, tooLong]).finally(() => clearTimeout(timer));
  if (gone.aborted) {
    await events.return(undefined);
    throw new DomainError('overloaded', 'the client has left', { providerCalled: true });
  }
  const [word] = early?.value ?? [];
  if (word?.type === 'error') {
    // Lets the stream end; its hold is settled already.
    await events.return(undefined);
    throw word.error;
  }
  return again([Promise.resolve(start), second], events);
}

async function* again(
  taken: Promise<IteratorResult<readonly StreamEvent[]>>[],
  events: StreamEvents,
): StreamEvents {
  try {
    for (const next of taken) {
      const { done, value } = await next;
      if (done) return;
      yield value;
    }
    yield* events;
  } finally {
    await events.return(undefined);
  }
}
