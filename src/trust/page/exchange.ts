import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import { pinned } from '../../lib/network/pinned-lookup.ts';
import { FetchFailure, type FetchFailureReason } from './failures.ts';
import type { FetchLimits } from './limits.ts';
import type { Target } from './target.ts';

export interface ExchangeOptions {
  limits: FetchLimits;
  headers: Readonly<Record<string, string>>;
  /** Ends the exchange; its reason is a FetchFailure. */
  signal: AbortSignal;
  /** Certificate authorities to trust instead of the well-known ones. */
  ca: readonly string[] | undefined;
}

/** One answer. `close` must be called once it was used; it cuts the connection. */
export interface Exchange {
  response: IncomingMessage;
  /** Rejects the reading of the body with this failure. */
  fail: (failure: FetchFailure) => void;
  close: () => void;
}

/**
 * Sends one GET to vetted addresses and waits for the answer's header. `lookup` hands node the vetted
 * addresses, so that the name is not resolved a second time; a literal was vetted as it stands.
 * @throws FetchFailure
 */
export function openExchange(
  url: URL,
  target: Target,
  options: ExchangeOptions,
): Promise<Exchange> {
  const { limits, signal } = options;
  return new Promise((resolve, reject) => {
    const request = startRequest(url, target, options);
    let timer: Timer | undefined;
    let phase: FetchFailureReason = 'connect';
    let answer: IncomingMessage | undefined;
    const close = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      request.destroy();
    };
    const fail = (failure: FetchFailure) => {
      reject(failure);
      // Whoever reads the body learns the reason from it.
      answer?.destroy(failure);
      request.destroy(failure);
      close();
    };
    const onAbort = () => fail(signal.reason as FetchFailure);
    const within = (milliseconds: number, reason: FetchFailureReason) => {
      clearTimeout(timer);
      timer = setTimeout(() => fail(new FetchFailure(reason, url.host)), milliseconds);
    };

    within(limits.connectTimeoutMs, 'connect_timeout');
    signal.addEventListener('abort', onAbort);
    request.on('socket', (socket) => {
      socket.once('connect', () => (phase = url.protocol === 'https:' ? 'tls' : 'protocol'));
      socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
        phase = 'protocol';
        within(limits.headersTimeoutMs, 'headers_timeout');
      });
    });
    request.on('error', (cause) => fail(failureOf(cause, phase)));
    // Bun ends some failed connections without an error.
    request.on('close', () => fail(new FetchFailure(phase, 'closed without an answer')));
    request.on('upgrade', (response, socket) => {
      ignoreErrors(response, socket);
      socket.destroy();
      fail(new FetchFailure('protocol', 'an upgrade nobody asked for'));
    });
    request.on('response', (response) => {
      ignoreErrors(response);
      clearTimeout(timer);
      request.removeAllListeners('close');
      answer = response;
      resolve({ response, fail, close });
    });
    if (signal.aborted) onAbort();
    else request.end();
  });
}

/** A stream that fails while nobody reads it would end the process; who reads it is told all the same. */
function ignoreErrors(
  ...streams: Readonly<{ on(event: 'error', on: () => void): unknown }>[]
): void {
  for (const stream of streams) stream.on('error', () => {});
}

function startRequest(url: URL, target: Target, options: ExchangeOptions): ClientRequest {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const shared = {
    hostname: isIP(host) === 0 ? host : (target.addresses[0] ?? host),
    port: target.port,
    path: `${url.pathname}${url.search}`,
    method: 'GET',
    // A connection of its own, which is gone afterwards: nothing is shared between sites.
    agent: false as const,
    lookup: pinned(target.addresses),
    maxHeaderSize: options.limits.headerBytesMax,
    headers: { ...options.headers, host: url.host, connection: 'close' },
  };
  if (url.protocol === 'http:') return http.request(shared);
  // Stated, since NODE_TLS_REJECT_UNAUTHORIZED in the environment would switch it off.
  const tls = { rejectUnauthorized: true, ALPNProtocols: ['http/1.1'] };
  return https.request({ ...shared, ...tls, ...(options.ca && { ca: [...options.ca] }) });
}

function failureOf(cause: Error & { code?: string }, phase: FetchFailureReason): FetchFailure {
  if (cause instanceof FetchFailure) return cause;
  const reason = cause.code === 'HPE_HEADER_OVERFLOW' ? 'header_limit' : phase;
  return new FetchFailure(reason, cause.code ?? cause.message, { cause });
}
