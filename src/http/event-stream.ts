import type { StreamEvent, StreamEvents } from '../chat/index.ts';
import { Stopper } from '../lib/stop-signal.ts';

/** A proxy or client that hears nothing for long gives up; a comment is heard and means nothing. */
const KEEP_ALIVE_MS = 10_000;
const encoder = new TextEncoder();
const keepAlive = encoder.encode(': keep-alive\n\n');

/** Aborted when the client has left. Until there is a response to cancel, only the request tells. */
export function leaving({ signal }: Request): Stopper {
  return Stopper.following(signal);
}

/** Writes an event as a dialect tells it: one or several server-sent events, or nothing. */
export type EventWriter = (event: StreamEvent) => string | Promise<string>;

/** Lines of one event, written one after the other. */
export function joined(lines: Iterable<string> = []): string {
  return [...lines].join('');
}

/**
 * A `text/event-stream` response: events that came together go out in one write, at once. The next are asked
 * for only when the client has taken those before, so a slow reader does not fill our memory.
 * @param onGone called when the client has hung up before the end
 */
export function eventStream(
  events: StreamEvents,
  write: EventWriter,
  onGone: () => void,
): Response {
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
        // Nothing may be written for what came: then the next is asked for.
        for (let next = await events.next(); !next.done; next = await events.next()) {
          let text = '';
          for (const event of next.value) {
            const written = write(event);
            text += typeof written === 'string' ? written : await written;
          }
          if (text !== '') return controller.enqueue(encoder.encode(text));
        }
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
