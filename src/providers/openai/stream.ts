import { TEXT_ANSWER_MAX_BYTES } from '../shared/body.ts';
import { incomprehensible, readFailure } from '../shared/failures.ts';
import { SseParser } from '../shared/sse.ts';
import type { TextPart } from '../spec.ts';
import type { ChunkReader } from './chunks.ts';

/** How long a connection may take to end after `[DONE]` and still be used again, milliseconds. */
const STREAM_END_MS = 1_000;

/** The part of a reader that is used: Bun's and the web's types of the whole differ. */
interface Reader {
  read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>;
  cancel(): Promise<void>;
}

/**
 * The parts of a streamed completion. Leaving the loop early, by an error or by the consumer, closes the
 * connection to the provider.
 */
export async function* readStream(
  open: () => Promise<ReadableStream<Uint8Array>>,
  chunks: ChunkReader,
  signal: AbortSignal,
): AsyncGenerator<TextPart> {
  const reader: Reader = (await open()).getReader();
  const parser = new SseParser();
  let received = 0;
  try {
    for (let ended = false; !ended && !chunks.done;) {
      const { done, value } = await reader.read();
      ended = done;
      received += value?.length ?? 0;
      if (received > TEXT_ANSWER_MAX_BYTES) throw incomprehensible('it is too large');
      for (const { data } of value ? parser.push(value) : parser.end()) {
        yield* chunks.read(data);
        if (chunks.done) break;
      }
    }
    yield chunks.finish();
  } catch (error) {
    throw readFailure(error, signal);
  } finally {
    if (chunks.done) void letEnd(reader);
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
