/** One request of a client and its answer. */
export interface Exchange {
  path: string;
  status: number;
  /** The start of the answer's body when it is an error. */
  error: string;
}

const ERROR_CHARACTERS = 2000;

/** Stands between client and gateway, changes nothing, and writes down what is said. */
export class Recorder {
  exchanges: Exchange[] = [];
  readonly #server: Bun.Server<undefined>;

  constructor(gateway: string) {
    this.#server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      idleTimeout: 0,
      fetch: (request) => this.#pass(request, gateway),
    });
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.port}`;
  }

  /** Forgets what was said before. */
  reset(): void {
    this.exchanges = [];
  }

  async stop(): Promise<void> {
    await this.#server.stop(true);
  }

  async #pass(request: Request, gateway: string): Promise<Response> {
    const { pathname, search } = new URL(request.url);
    const exchange: Exchange = { path: pathname, status: 0, error: '' };
    this.exchanges.push(exchange);
    const body = request.method === 'POST' ? await request.arrayBuffer() : null;
    const headers = new Headers(request.headers);
    headers.delete('accept-encoding');
    const answer = await fetch(gateway + pathname + search, {
      method: request.method,
      headers,
      body,
      signal: request.signal,
      redirect: 'manual',
      decompress: false,
    });
    exchange.status = answer.status;
    if (answer.status < 400) return answer;
    const text = await answer.text();
    exchange.error = text.slice(0, ERROR_CHARACTERS);
    return new Response(text, answer);
  }
}
