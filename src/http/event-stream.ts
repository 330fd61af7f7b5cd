/** A proxy or client that hears nothing for long gives up; a comment is heard and means nothing. */
const KEEP_ALIVE_MS = 10_000;
const keepAlive = new TextEncoder().encode(': keep-alive\n\n');

/** Aborted when the client has left. Until there is a response to cancel, only the request tells. */
export function leaving({ signal }: Request): AbortController {
  const gone = new AbortController();
  if (signal.aborted) gone.abort();
  else signal.addEventListener('abort', () => gone.abort(), { once: true });
  return gone;
}

/** Events that are sent together, characters: what is there at once goes out in one write. */
const GATHER_MAX_CHARS = 64 * 1024;

/** Takes events that are there at the same turn of the event loop together; waits for none. */
class Gatherer {
  readonly #events: AsyncGenerator<string>;
  /** The event that did not come in time for those before it. */
  #late: Promise<IteratorResult<string>> | undefined;

  constructor(events: AsyncGenerator<string>) {
    this.#events = events;
  }

  /** @returns at least one event, or undefined at the end @throws what the events end in */
  async take(): Promise<string | undefined> {
    const first = await this.#next();
    this.#late = undefined;
    if (first.done) return undefined;
    let text = first.value;
    const turn = new Promise<undefined>((resolve) => setImmediate(resolve));
    while (text.length < GATHER_MAX_CHARS) {
      // An error is kept until those before it are sent.
      const more = await Promise.race([this.#next(), turn]).catch(() => undefined);
      if (more === undefined || more.done) return text;
      this.#late = undefined;
      text += more.value;
    }
    return text;
  }

  #next(): Promise<IteratorResult<string>> {
    if (this.#late === undefined) {
      this.#late = this.#events.next();
      this.#late.catch(() => undefined);
    }
    return this.#late;
  }
}

/**
 * A `text/event-stream` response of already written events, each sent at once. The next event is asked for
 * only when the client has taken the one before, so a slow reader does not fill our memory.
 * @param onGone called when the client has hung up before the end
 */
export function eventStream(events: AsyncGenerator<string>, onGone: () => void): Response {
  const encoder = new TextEncoder();
  const gatherer = new Gatherer(events);
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
        const text = await gatherer.take();
        if (text !== undefined) return controller.enqueue(encoder.encode(text));
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
