/** A server of any dialect on loopback, which answers with the given bytes. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';

export interface WireCall {
  method: string;
  /** Including the query. */
  path: string;
  headers: Readonly<Record<string, string>>;
  /** The body as received: JSON, except in calls with forms. */
  text: string;
  /** Settles when the answer was sent whole (`answered`) or the connection was lost (`dropped`). */
  ended: Promise<'answered' | 'dropped'>;
}

export interface Reply {
  status?: number;
  /** By default JSON, or events for text that begins like them. */
  type?: string;
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
  /** `cut` breaks the connection after the body, `hold` leaves it open; by default the answer ends. */
  end?: 'cut' | 'hold';
}

export type Answer = (call: WireCall) => Reply;

/** Milliseconds. A reader may drop bytes that arrive together with the end of the connection. */
const CUT_AFTER_MS = 20;

export class WireServer implements AsyncDisposable {
  readonly calls: WireCall[] = [];
  readonly #server: Server;
  #answer: Answer = () => ({ status: 501 });
  #waiting: (() => void)[] = [];

  private constructor(tls: { cert: string; key: string } | undefined) {
    const serve = (request: IncomingMessage, response: ServerResponse) =>
      void this.#serve(request, response);
    this.#server = tls ? createSecureServer(tls, serve) : createServer(serve);
  }

  static async start(tls?: { cert: string; key: string }): Promise<WireServer> {
    const wire = new WireServer(tls);
    await new Promise<void>((resolve) => wire.#server.listen(0, '127.0.0.1', resolve));
    return wire;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Sets the answer to all calls from now on. */
  script(answer: Answer): void {
    this.#answer = answer;
  }

  /** Resolves with the next call. */
  next(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await closed;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const call = await record(request, response);
    this.calls.push(call);
    for (const resolve of this.#waiting.splice(0)) resolve();
    const { status = 200, type, headers, body = '', end } = this.#answer(call);
    response.writeHead(status, { 'content-type': type ?? typeOf(body), ...headers });
    if (end === undefined) return void response.end(body);
    response.write(body);
    if (end === 'cut') setTimeout(() => response.socket?.destroy(), CUT_AFTER_MS);
  }
}

function typeOf(body: string | Uint8Array): string {
  const start = typeof body === 'string' ? body : Buffer.from(body.subarray(0, 8)).toString();
  return /^(?:data|event):/.test(start) ? 'text/event-stream' : 'application/json';
}

async function record(request: IncomingMessage, response: ServerResponse): Promise<WireCall> {
  const ended = new Promise<'answered' | 'dropped'>((resolve) => {
    response.on('close', () => resolve(response.writableFinished ? 'answered' : 'dropped'));
  });
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return {
    method: request.method ?? '',
    path: request.url ?? '',
    headers: Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    ),
    text: Buffer.concat(chunks).toString(),
    ended,
  };
}
