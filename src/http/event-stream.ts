/** A proxy or client that hears nothing for long gives up; a comment is heard and means nothing. */
const KEEP_ALIVE_MS = 10_000;
const keepAlive = new TextEncoder().encode(': keep-alive\n\n');

/**
 * A `text/event-stream` response of already written events, each sent at once. The next event is asked for
 * only when the client has taken the one before, so a slow reader does not fill our memory.
 * @param onGone called when the client has hung up before the end
 */
export function eventStream(events: AsyncGenerator<string>, onGone: () => void): Response {
  const encoder = new TextEncoder();
  let timer: Timer | undefined;
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      timer = setInterval(() => {
        // Nothing to keep alive while the client has not even taken what is there.
        if ((controller.desiredSize ?? 0) > 0) controller.enqueue(keepAlive);
      }, KEEP_ALIVE_MS);
    },
    async pull(controller) {
      try {
        const { done, value } = await events.next();
        if (!done) return controller.enqueue(encoder.encode(value));
        clearInterval(timer);
        controller.close();
      } catch (error) {
        clearInterval(timer);
        // Cut the connection: a clean end would pass off a broken stream as a whole one.
        controller.error(error);
      }
    },
    async cancel() {
      clearInterval(timer);
      onGone();
      await events.return(undefined);
    },
  });
  return new Response(stream, {
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache',
      // Tells nginx not to hold events back.
      'x-accel-buffering': 'no',
    },
  });
}
