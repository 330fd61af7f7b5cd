import type { ClientAddress } from './client-address.ts';

/** The part of Bun's server that requests need; tests hand in none. */
export interface Connection {
  requestIP(request: Request): { address: string } | null;
  timeout(request: Request, seconds: number): void;
}

/** What a handler knows about its request, set before routing. Addresses are looked up only when needed. */
export class RequestFacts {
  readonly requestId: string;
  readonly #request: Request;
  readonly #connection: Connection | undefined;
  readonly #clientAddress: ClientAddress;

  constructor(
    requestId: string,
    request: Request,
    connection: Connection | undefined,
    clientAddress: ClientAddress,
  ) {
    this.requestId = requestId;
    this.#request = request;
    this.#connection = connection;
    this.#clientAddress = clientAddress;
  }

  /** True for a HEAD request: it is routed and answered as a GET; the runtime leaves the body out. */
  get isHead(): boolean {
    return this.#request.method === 'HEAD';
  }

  /** The address of the connection itself. */
  get peer(): string {
    return this.#connection?.requestIP(this.#request)?.address ?? '127.0.0.1';
  }

  /** The client's address, behind trusted proxies the one that they name. */
  get address(): string {
    return this.#clientAddress.of(this.peer, this.#request.headers);
  }

  /** The answer may be silent for as long as it takes. */
  disableIdleTimeout(): void {
    this.#connection?.timeout(this.#request, 0);
  }
}
