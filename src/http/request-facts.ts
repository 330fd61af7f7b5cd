import type { Context, Hono, MiddlewareHandler } from 'hono';
import type { ClientAddress } from './client-address.ts';
import { uuidHex } from '../lib/ids.ts';
import type { IdempotencyKey, SendTrace } from '../chat/index.ts';
import { DomainError, invalidField } from '../lib/errors.ts';
import type { Caller, LoginTrace, RefusedLogin } from '../users/index.ts';
import type { Micro } from '../lib/money.ts';
import type { Room } from '../lib/room.ts';
import type { RequestSpans } from '../lib/spans.ts';
import type { SocketEvents } from './sockets.ts';

/** The part of Bun's server that requests need. Tests pass none. */
export interface Connection {
  requestIP(request: Request): { address: string } | null;
  timeout(request: Request, seconds: number): void;
  /** Turns the connection into a WebSocket. Absent if there is no connection. */
  upgrade?(request: Request, options: { data: SocketEvents }): boolean;
}

/**
 * What routes know about a request, and what they record about it for the access log. Addresses are looked up only when
 * needed.
 */
export class RequestFacts implements SendTrace, LoginTrace {
  readonly requestId: string;
  /** The pattern of the route that answers. */
  route: string | undefined;
  userId: number | undefined;
  keyId: string | undefined;
  messageId: number | undefined;
  modelId: number | undefined;
  charged: Micro | undefined;
  providerMs: number | undefined;
  loweredCap: { requested: number; allowed: number } | undefined;
  refusedLogin: RefusedLogin | undefined;
  /** An error code, or `stopped`; undefined after success. */
  outcome: string | undefined;
  /** Undefined if traces are off. */
  spans: RequestSpans | undefined;
  /**
   * Reserves memory in addition to that of the body; it is not released at the end. Undefined before the body is read.
   */
  reserve: (() => Room) | undefined;
  readonly #request: Request;
  readonly #connection: Connection | undefined;
  readonly #clientAddress: ClientAddress;
  #atEnd: (() => void)[] | undefined;
  /** Counts the head of the answer, and a stream that follows it. */
  #openParts = 1;
  #whenOver: (() => void) | undefined;

  /** @param request as the client sent it, before `asGet` */
  constructor(request: Request, connection: Connection | undefined, clientAddress: ClientAddress) {
    this.requestId = requestIdOf(request);
    this.#request = request;
    this.#connection = connection;
    this.#clientAddress = clientAddress;
  }

  get method(): string {
    return this.#request.method;
  }

  /** The client's name for itself; null if it sends none. */
  get userAgent(): string | null {
    return this.#request.headers.get('user-agent');
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

  /** Runs the work when the request has its response. */
  atEnd(work: () => void): void {
    (this.#atEnd ??= []).push(work);
  }

  /** Takes over the work that was to run at the end. @returns a function that runs it */
  takeAtEnd(): () => void {
    const works = this.#atEnd ?? [];
    this.#atEnd = undefined;
    return () => {
      for (const work of works) work();
    };
  }

  /** The request has its response. */
  end(): void {
    if (this.#atEnd) for (const work of this.#atEnd) work();
  }

  /** False if `address` may be that of a proxy. */
  get isAddressCertain(): boolean {
    return this.#clientAddress.isCertain(this.peer, this.#request.headers);
  }

  /**
   * The answer is a stream, which continues after its head. @returns a function to call once, at the end of the stream
   */
  streams(): () => void {
    this.#openParts++;
    return () => this.#partEnded();
  }

  /** Call it when the head of the answer is ready. Runs the work at once, or at the end of a stream. */
  whenOver(work: () => void): void {
    this.#whenOver = work;
    this.#partEnded();
  }

  #partEnded(): void {
    if (--this.#openParts === 0) this.#whenOver?.();
  }

  /** Turns the connection into a WebSocket. @returns false if the request is not a valid handshake */
  upgrade(data: SocketEvents): boolean {
    return this.#connection?.upgrade?.(this.#request, { data }) ?? false;
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

const requestIdPattern = /^[0-9A-Za-z._-]{1,128}$/;

/** The id that the client sent if it is safe in headers and logs, or else a new one. */
export function requestIdOf(request: Request): string {
  const given = request.headers.get('x-request-id');
  return given !== null && requestIdPattern.test(given) ? given : uuidHex();
}

/** Adds the headers that every answer has. */
export function markAnswer(response: Response, requestId: string): Response {
  response.headers.set('x-request-id', requestId);
  response.headers.set('x-content-type-options', 'nosniff');
  // Answers contain balances, texts, tokens and keys. An answer that may be cached, such as an image, has its own
  // header.
  if (!response.headers.has('cache-control')) response.headers.set('cache-control', 'no-store');
  return response;
}

/** The host of a request that names none. No real host can have this name (RFC 2606). */
const NO_HOST = 'http://host.invalid';
const SLASH = 0x2f;

/**
 * Completes `request.url`. Without a usable Host header (HTTP/1.0, as health checks send it, or an empty header) Bun
 * gives only the path, but routing needs a full URL. The request object stays the same, since its connection and body
 * depend on it.
 */
export function nameOrigin(request: Request): void {
  const { url } = request;
  if (url.charCodeAt(0) === SLASH) {
    Object.defineProperty(request, 'url', { value: NO_HOST + url });
  }
}

/**
 * Turns HEAD into GET. Hono would answer HEAD without a body, and then `content-length` is 0. If the answer has its
 * body, Bun sends its length and leaves out the body.
 */
export function asGet(request: Request): Request {
  return request.method === 'HEAD' ? new Request(request, { method: 'GET' }) : request;
}

/** Records who sent the request. */
export function noteCaller(facts: RequestFacts, { userId, credential }: Caller): void {
  facts.userId = userId;
  if (credential.kind === 'key') facts.keyId = credential.keyId;
}

/** The bearer token or API key of the Authorization header; empty if the header has another form. */
export function credentialOf(request: Request): string | undefined {
  const header = request.headers.get('authorization');
  if (header === null) return undefined;
  return /^bearer +(\S+)$/i.exec(header.trim())?.[1] ?? '';
}

/**
 * W3C Trace Context in the form of version 00. Version ff and all-zero ids are invalid. Anything else is not passed on.
 */
const traceparentPattern =
  /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/** The caller's trace context, to pass on to the provider. */
export function traceparentOf(request: Request): string | undefined {
  const traceparent = request.headers.get('traceparent') ?? '';
  return traceparentPattern.test(traceparent) ? traceparent : undefined;
}

/**
 * The header, with the value `true`, of an answer that was stored for an idempotency key. New answers do not have it.
 */
export const REPLAYED_HEADER = 'idempotent-replayed';

export const IDEMPOTENCY_KEY_MAX_CHARS = 255;

/**
 * The caller's Idempotency-Key, bound to the operation and to the bytes of the body.
 * @param digest SHA-256 of the bytes, in hex
 */
export function idempotencyKey(
  operation: string,
  request: Request,
  digest: () => string,
): IdempotencyKey | undefined {
  const key = request.headers.get('idempotency-key');
  if (key === null) return undefined;
  if (key === '' || key.length > IDEMPOTENCY_KEY_MAX_CHARS) {
    throw invalidField('Idempotency-Key', `must have 1 to ${IDEMPOTENCY_KEY_MAX_CHARS} characters`);
  }
  return { operation, key, bodySha256: digest() };
}

/**
 * The error for a caller whose answer was charged, but could not be delivered. With a key, a repeat gets the stored
 * answer; without one a repeat would be charged again, so the error says where to find the answer.
 */
export function undelivered(cause: unknown, key: IdempotencyKey | undefined): unknown {
  if (key) return cause;
  return new DomainError(
    'internal_error',
    'the answer is charged and in your history, but could not be delivered now: read it there',
    { providerCalled: true, cause },
  );
}
