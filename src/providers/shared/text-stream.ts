import type { StopSignal } from '../../lib/stop-signal.ts';
import type { TextPart } from '../spec.ts';
import { TEXT_ANSWER_MAX_BYTES } from './body.ts';
import { malformedAnswer, readFailure } from './failures.ts';
import type { ByteReader } from './http1/index.ts';
import { SseParser, type SseEvent } from './sse.ts';

/** Reads the events of one streamed answer in a dialect: events in, parts and at last the finish out. */
export interface EventReader {
  /** True after the dialect's last event: what follows is not part of the answer. */
  readonly done: boolean;
  /**
   * @returns what the event adds to the answer, often nothing
   * @throws ProviderError for an event of an error, or one that is not what the dialect says
   */
  read(event: SseEvent): TextPart[];
  /**
   * The end of the stream.
   * @throws ProviderError `failed` when it broke off before its end; `content_refused` with the told
   *   usage when the safety system left nothing of the answer
   */
  finish(): Extract<TextPart, { type: 'finish' }>;
}

/** An answer that has begun to come. */
export interface OpenedText {
  bytes: ByteReader;
  events: EventReader;
}

/** How long a connection may take to end after the last event and still be used again, milliseconds. */
const STREAM_END_MS = 1_000;

/**
 * The parts of a streamed answer, those of one read together. Leaving the loop early, by an error or by the
 * consumer, closes the connection to the provider.
 */
export async function* readStream(
  open: () => Promise<OpenedText>,
  signal: StopSignal,
): AsyncGenerator<TextPart[]> {
  const { bytes, events } = await open();
  const parser = new SseParser();
  let received = 0;
  try {
    for (let ended = false; !ended;) {
      const value = await bytes.read();
      received += value?.length ?? 0;
      if (received > TEXT_ANSWER_MAX_BYTES) throw malformedAnswer('it is too large');
      const read = value ? parser.push(value) : parser.end();
      ended = value === undefined;
      const { parts, failure } = partsOf(read, events, ended);
      ended ||= events.done;
      if (parts.length > 0) yield parts;
      if (failure) throw failure.error;
    }
  } catch (error) {
    throw readFailure(error, signal);
  } finally {
    if (events.done) void letEnd(bytes);
    else bytes.discard();
  }
}

/** What events add to the answer, up to the one that fails: what came before it was said. */
function partsOf(
  read: readonly SseEvent[],
  events: EventReader,
  ended: boolean,
): { parts: TextPart[]; failure: { error: unknown } | undefined } {
  const parts: TextPart[] = [];
  try {
    for (const event of read) {
      parts.push(...events.read(event));
      if (events.done) break;
    }
    if (ended || events.done) parts.push(events.finish());
    return { parts, failure: undefined };
  } catch (error) {
    return { parts, failure: { error } };
  }
}

/**
 * Waits for the end of a body whose answer is complete. Nobody waits for this: it only keeps the
 * connection, and with it a TLS handshake, for the next call.
 */
async function letEnd(bytes: ByteReader): Promise<void> {
  const timer = setTimeout(() => bytes.discard(), STREAM_END_MS);
  timer.unref();
  try {
    while ((await bytes.read()) !== undefined);
  } catch {
    // The answer was complete; how its connection ended does not matter.
  } finally {
    clearTimeout(timer);
  }
}
