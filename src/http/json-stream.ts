import { jsonHeaders } from './errors.ts';

/**
 * A successful answer whose JSON is made in pieces, so that memory does not grow with it: the next piece is made only
 * when the client has taken the one before.
 */
export function jsonStream(pieces: AsyncGenerator<string>): Response {
  return new Response(streamOf(pieces), { headers: jsonHeaders });
}

/** The same, with the pieces as its `data`. */
export function successStream(data: AsyncGenerator<string>): Response {
  return jsonStream(enveloped(data));
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
        // Cut the connection: a clean end would pass off a part as the whole.
        controller.error(error);
      }
    },
    async cancel() {
      await pieces.return(undefined);
    },
  });
}
