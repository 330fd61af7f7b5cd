import { jsonHeaders } from './errors.ts';

/**
 * A successful answer whose `data` is JSON made in pieces, so that a large one does not fill the memory: each piece is
 * made when the client has taken the one before.
 */
export function successStream(data: AsyncGenerator<string>): Response {
  return new Response(streamOf(enveloped(data)), { headers: jsonHeaders });
}

async function* enveloped(data: AsyncGenerator<string>): AsyncGenerator<string> {
  yield '{"status":"ok","data":';
  yield* data;
  yield '}';
}

function streamOf(pieces: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await pieces.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      } catch (error) {
        // Cut the connection: with a clean end the client would take a part for the whole.
        controller.error(error);
      }
    },
    async cancel() {
      await pieces.return(undefined);
    },
  });
}
