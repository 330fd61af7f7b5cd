import type { TextPart } from '../spec.ts';
import { TEXT_ANSWER_MAX_BYTES } from './body.ts';
import { incomprehensible, readFailure } from './failures.ts';
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
  bytes: ReadableStream<Uint8Array>;
  events: EventReader;
}

/** How long a connection may take to end after the last event and still be used again, milliseconds. */
const STREAM_END_MS = 1_000;

/** The part of a reader that is used: Bun's and the web's types of the whole differ. */
interface Reader {
  read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>;
  cancel(): Promise<void>;
}

/**
 * The parts of a streamed answer. Leaving the loop early, by an error or by the consumer, closes the
 * connection to the provider.
 */
export async function* readStream(
  open: () => Promise<OpenedText>,
  signal: AbortSignal,
): AsyncGenerator<TextPart> {
  const { bytes, events } = await open();
  const reader: Reader = bytes.getReader();
  const parser = new SseParser();
  let received = 0;
  try {
    for (let ended = false; !ended && !events.done;) {
      const { done, value } = await reader.read();
      ended = done;
      received += value?.length ?? 0;
      if (received > TEXT_ANSWER_MAX_BYTES) throw incomprehensible('it is too large');
      for (const event of value ? parser.push(value) : parser.end()) {
        for (const part of events.read(event)) yield part;
        if (events.done) break;
      }
    }
    yield events.finish();
  } catch (error) {
    throw readFailure(error, signal);
  } finally {
    if (events.done) void letEnd(reader);
    else await cancel(reader);
  }
}

/**
 * Waits for the end of a body whose answer is complete. Nobody waits for this: it only keeps the
 * connection, and with it a TLS handshake, for the next call.
 */
async function letEnd(reader: Reader): Promise<void> {
  const timer = setTimeout(() => void cancel(reader), STREAM_END_MS);
  timer.unref();
  try {
    while (!(await reader.read()).done);
  } catch {
    // The answer was complete; how its connection ended does not matter.
  } finally {
    clearTimeout(timer);
  }
}

async function cancel(reader: Reader): Promise<void> {
  await reader.cancel().catch(() => undefined);
}
