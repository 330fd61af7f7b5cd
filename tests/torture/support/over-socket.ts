/** A response in WebSocket mode: one connection, one request, and its events. */

/** The types of events after which a response has no more. */
export const LAST_EVENT = /^(?:error|response\.(?:completed|incomplete|failed))$/;

/** A message of the server, or the end of the connection. */
type News = { data: string } | { closed: number };

/** The handshake was refused, as a user's connections to a node are limited. */
export class HandshakeRefused extends Error {}

/**
 * Sends one message and yields those that arrive, until the reader stops.
 * @param leave aborted when the client disconnects
 * @throws HandshakeRefused; another error if the connection breaks
 */
export async function* overSocket(
  url: string,
  headers: Record<string, string>,
  message: string,
  leave?: AbortSignal,
): AsyncGenerator<string> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/responses`, { headers });
  const news: News[] = [];
  let wake: () => void = () => undefined;
  let isOpen = false;
  const add = (one: News) => {
    news.push(one);
    wake();
  };
  socket.addEventListener('open', () => {
    isOpen = true;
    socket.send(message);
  });
  socket.addEventListener('message', ({ data }: MessageEvent<string>) => add({ data }));
  socket.addEventListener('close', ({ code }) => add({ closed: code }));
  const hangUp = () => socket.terminate();
  leave?.addEventListener('abort', hangUp);
  try {
    leave?.throwIfAborted();
    for (;;) {
      const next = news.shift();
      if (!next) await new Promise<void>((resolve) => (wake = resolve));
      else if ('data' in next) yield next.data;
      else if (!isOpen) throw new HandshakeRefused();
      else throw new Error(`the connection was closed with ${next.closed}`);
    }
  } finally {
    leave?.removeEventListener('abort', hangUp);
    socket.close();
  }
}
