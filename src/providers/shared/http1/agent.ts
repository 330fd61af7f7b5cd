import { lruCache } from '../../../lib/lru-cache.ts';
import { unbracketed } from '../../../lib/network/vetted-host.ts';
import type { StopSignal } from '../../../lib/stop-signal.ts';
import { Connection, IDLE_MAX_MS, type Origin } from './connection.ts';
import type { WireAnswer } from './exchange.ts';

/** The most idle connections that are kept for one origin. */
export const IDLE_MAX_CONNECTIONS = 256;
/** The most URLs whose parsed form is kept. */
const TARGETS_MAX = 500;

export interface WireCall {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string | readonly Uint8Array[];
  signal: StopSignal;
}

interface Target {
  origin: Origin;
  /** Request line and Host. */
  requestHead: string;
  /** The headers that were sent last, and the head made from them: nearly all requests have the same headers. */
  last: { headers: WireCall['headers']; head: string } | undefined;
}

/** The signal was aborted before anything was sent. */
export class NeverSent extends Error {
  override readonly name = 'NeverSent';
}

/**
 * A client for POST over HTTP/1.1 with kept connections; it reads answers whole or in pieces. It supports the part of
 * `fetch` that the send path needs, at half the cost, because it does not use a separate thread:
 * docs/decisions/2026-11-21-send-path-performance.md. It does not support redirects, compression or proxies.
 */
export class WireAgent {
  readonly #targets = lruCache<string, Target>(TARGETS_MAX);
  /** By origin. The most recently used one is last, so the first ones expire first. */
  readonly #idle = new Map<string, Connection[]>();
  #sweep: Timer | undefined;

  /**
   * @returns once the head of the answer is there
   * @throws NeverSent; ConnectionLost (the signal's abort, too), MalformedResponse, or the error of
   * connecting, with its `code`; TypeError for a URL or header that can't be sent
   */
  post(call: WireCall): Promise<WireAnswer> {
    try {
      let target = this.#targets.get(call.url);
      if (!target) this.#targets.set(call.url, (target = targetOf(call.url)));
      const request = requestBytes(target, call);
      const { signal } = call;
      if (signal.aborted) throw new NeverSent();
      // If a kept connection breaks, the request is not repeated: the server may have read it.
      const kept = this.#take(target.origin);
      if (kept) return exchange(kept, request, signal);
      return this.#open(target, signal).then((fresh) => exchange(fresh, request, signal));
    } catch (error) {
      return Promise.reject(error);
    }
  }

  async #open({ origin }: Target, signal: StopSignal): Promise<Connection> {
    let fresh: Connection | undefined;
    try {
      fresh = await Connection.open(origin, signal, (idle) => this.#keep(origin, idle));
    } catch (error) {
      if (!signal.aborted) throw error;
    }
    if (fresh && !signal.aborted) return fresh;
    fresh?.close();
    throw new NeverSent();
  }

  #take({ key }: Origin): Connection | undefined {
    const idle = this.#idle.get(key);
    for (let kept = idle?.pop(); kept; kept = idle?.pop()) {
      if (!kept.closed && performance.now() < kept.idleUntil) return kept;
      kept.close();
    }
    return undefined;
  }

  #keep({ key }: Origin, connection: Connection): void {
    const idle = this.#idle.get(key) ?? [];
    this.#idle.set(key, idle);
    if (idle.length < IDLE_MAX_CONNECTIONS) idle.push(connection);
    else connection.close();
    this.#sweep ??= setInterval(() => this.#closeOld(), IDLE_MAX_MS).unref();
  }

  #closeOld(): void {
    const now = performance.now();
    for (const [key, idle] of this.#idle) {
      const young = idle.filter((kept) => !kept.closed && now < kept.idleUntil);
      for (const kept of idle) if (!young.includes(kept)) kept.close();
      if (young.length > 0) this.#idle.set(key, young);
      else this.#idle.delete(key);
    }
    if (this.#idle.size > 0) return;
    clearInterval(this.#sweep);
    this.#sweep = undefined;
  }
}

/** @throws TypeError if it is not an http or https URL */
function targetOf(text: string): Target {
  const url = new URL(text);
  const secure = url.protocol === 'https:';
  if (!secure && url.protocol !== 'http:')
    throw new TypeError(`${url.protocol} is not http or https`);
  const port = url.port === '' ? (secure ? 443 : 80) : Number(url.port);
  const hostname = unbracketed(url.hostname);
  return {
    origin: { key: url.origin, hostname, port, secure },
    last: undefined,
    requestHead: `POST ${url.pathname}${url.search} HTTP/1.1\r\nhost: ${url.host}\r\n`,
  };
}

/** Closes the connection if the signal aborts before the whole body has arrived. */
function exchange(
  connection: Connection,
  request: readonly Uint8Array[],
  signal: StopSignal,
): Promise<WireAnswer> {
  const onAbort = (): void => running.discard();
  const running = connection.send(request, () => signal.removeEventListener('abort', onAbort));
  signal.addEventListener('abort', onAbort);
  return running.answer;
}

/** Takes a third of the time of `Buffer.from`. */
const encoder = new TextEncoder();
const printable = /^[\t\x20-\x7e]*$/;

/** The bytes of a request, in pieces. */
function requestBytes(target: Target, { headers, body }: WireCall): Uint8Array[] {
  if (target.last?.headers !== headers) {
    target.last = { headers, head: headOf(target.requestHead, headers) };
  }
  const { head } = target.last;
  if (typeof body === 'string') {
    return [encoder.encode(`${head}${Buffer.byteLength(body)}\r\n\r\n${body}`)];
  }
  const length = body.reduce((sum, piece) => sum + piece.length, 0);
  return [encoder.encode(`${head}${length}\r\n\r\n`), ...body];
}

function headOf(requestHead: string, headers: WireCall['headers']): string {
  let head = requestHead;
  for (const name in headers) {
    const value = headers[name] ?? '';
    // A line end in a header would allow a forged request.
    if (!printable.test(value)) throw new TypeError(`the header ${name} can't be sent`);
    head += `${name}: ${value}\r\n`;
  }
  return `${head}accept-encoding: identity\r\ncontent-length: `;
}
