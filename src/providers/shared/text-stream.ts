import type { StopSignal } from '../../lib/stop-signal.ts';
import type { TextAnswer, TextPart } from '../spec.ts';
import { wholeAnswer, type EventReader } from './answer-reader.ts';
import { TEXT_ANSWER_MAX_BYTES } from './body.ts';
import { malformedAnswer, readFailure } from './failures.ts';
import type { ByteReader } from './http1/exchange.ts';
import { type SseEvent, SseParser } from './sse.ts';

/** A connection is reused if the stream ends within this time after its last event, milliseconds. */
const STREAM_END_MS = 1_000;

/** A stream whose head has arrived, and the reader of its events. */
export interface RawStream {
  bytes: ByteReader;
  events: EventReader;
}

/**
 * The parts of a streamed answer; parts that arrive together are in one list. An error, or a consumer that leaves
 * the loop early, closes the connection to the provider.
 * @param open resolves when the head of the stream has arrived
 */
export async function* readStream(
  open: () => Promise<RawStream>,
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

/** A streamed answer as a whole, for servers that close a connection on which nothing is sent for minutes. */
export async function collected(stream: AsyncIterable<readonly TextPart[]>): Promise<TextAnswer> {
  const content: TextPart[] = [];
  for await (const parts of stream) {
    for (const part of parts) {
      if (part.type === 'finish') return wholeAnswer(content, part);
      if (part.type !== 'usage') content.push(part);
    }
  }
  throw malformedAnswer('it ended before its end');
}

/** The parts of these events, up to the first one that fails: earlier parts are still delivered. */
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

/** Reads the rest of a body after the last event, in the background, so that the connection can be reused. */
async function letEnd(bytes: ByteReader): Promise<void> {
  const timer = setTimeout(() => bytes.discard(), STREAM_END_MS);
  timer.unref();
  try {
    while ((await bytes.read()) !== undefined);
  } catch {
    // The answer is complete; a failure of its connection does not matter.
  } finally {
    clearTimeout(timer);
  }
}
