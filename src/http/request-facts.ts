import type { Context, Hono, MiddlewareHandler } from 'hono';
import type { ClientAddress } from './client-address.ts';
import { requestIdOf } from './request-id.ts';

/** The part of Bun's server that requests need. Tests pass none. */
export interface Connection {
  requestIP(request: Request): { address: string } | null;
  timeout(request: Request, seconds: number): void;
}

/** What routes and middleware know about a request. Addresses are looked up only when needed. */
export class RequestFacts {
  readonly requestId: string;
  readonly #request: Request;
  readonly #connection: Connection | undefined;
  readonly #clientAddress: ClientAddress;

  /** @param request as the client sent it, before `asGet` */
  constructor(request: Request, connection: Connection | undefined, clientAddress: ClientAddress) {
    this.requestId = requestIdOf(request);
    this.#request = request;
    this.#connection = connection;
    this.#clientAddress = clientAddress;
  }

  /** Routes see a HEAD as a GET. */
  get isHead(): boolean {
    return this.#request.method === 'HEAD';
  }

  /** The address of the connection itself. */
  get peer(): string {
    return this.#connection?.requestIP(this.#request)?.address ?? '127.0.0.1';
  }

  /** The client's address; behind a trusted proxy, the address that the proxy reports. */
  get address(): string {
    return this.#clientAddress.of(this.peer, this.#request.headers);
  }

  /** Keeps the connection open however long the answer takes. */
  disableIdleTimeout(): void {
    this.#connection?.timeout(this.#request, 0);
  }
}

export type HttpApp = Hono<HttpEnv>;
export type HttpContext = Context<HttpEnv>;
export type Middleware = MiddlewareHandler<HttpEnv>;

export interface HttpEnv {
  Bindings: RequestFacts;
}
