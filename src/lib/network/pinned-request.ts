import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { StopSignal } from '../stop-signal.ts';
import { unbracketed } from './vetted-host.ts';

/** Where a request goes: connections are only made to these vetted addresses (`vetHost`). */
export interface PinnedTarget {
  /** At least one. */
  addresses: readonly string[];
  port: number;
}

/** The phase in which a request failed, or the limit that it exceeded. */
export type RequestFault =
  'connect' | 'connect_timeout' | 'tls' | 'headers_timeout' | 'header_limit' | 'protocol';

export interface RequestLimits {
  /** The time for connecting, including the TLS handshake. */
  connectTimeoutMs: number;
  /** The time from sending the request to the end of the header. */
  headersTimeoutMs: number;
  /** The size of the header as received. */
  headerBytesMax: number;
}

export interface PinnedRequestOptions {
  /** Sent with POST; without it, the request is a GET. */
  body?: string;
  /** `host`, `connection` and the length of the body are set by the request itself. */
  headers: Readonly<Record<string, string>>;
  /** Ends the request, or the reading of its response, with the signal's reason. */
  signal: StopSignal;
  /** Trusted certificate authorities instead of the well-known ones, in PEM. */
  ca?: readonly string[] | undefined;
  /** Without them, only the signal ends a slow request. */
  limits?: RequestLimits;
  /** Makes the caller's error for a fault, including one while the body is read. `detail` is for logs. */
  failure: (fault: RequestFault, detail: string, cause?: Error) => Error;
}

/** A response with an unread body: read it to its end, or call `close`. */
export interface PinnedAnswer {
  response: IncomingMessage;
  /** Cuts the connection; the reader of the body gets this error. */
  fail: (error: Error) => void;
  /** Cuts the connection and discards the rest of the body. */
  close: () => void;
}

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

/** The port of a URL; undefined if it is neither http nor https. */
export function portOf(url: URL): number | undefined {
  const standard = DEFAULT_PORTS[url.protocol];
  return url.port === '' || standard === undefined ? standard : Number(url.port);
}

/**
 * Sends one request to vetted addresses, on a separate connection, and waits for the header of the response. Follows no
 * redirects; TLS is verified for the URL's host.
 * @throws the error of `failure`, or the signal's reason
 */
export function openPinned(
  url: URL,
  target: PinnedTarget,
  options: PinnedRequestOptions,
): Promise<PinnedAnswer> {
  const { limits, signal, failure } = options;
  return new Promise((resolve, reject) => {
    const request = startRequest(url, target, options);
    let timer: Timer | undefined;
    let phase: RequestFault = 'connect';
    let answer: IncomingMessage | undefined;
    let failed = false;
    const close = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      answer?.destroy();
      request.destroy();
    };
    const fail = (error: Error) => {
      // Destroying the request emits the same error again.
      if (failed) return;
      failed = true;
      reject(error);
      answer?.destroy(error);
      request.destroy(error);
      close();
    };
    const onAbort = () => fail(errorOf(signal.reason));
    const within = (milliseconds: number | undefined, fault: RequestFault) => {
      clearTimeout(timer);
      if (milliseconds === undefined) return;
      timer = setTimeout(() => fail(failure(fault, url.host)), milliseconds);
    };

    within(limits?.connectTimeoutMs, 'connect_timeout');
    signal.addEventListener('abort', onAbort);
    request.on('socket', (socket) => {
      const isSecure = url.protocol === 'https:';
      socket.once('connect', () => (phase = isSecure ? 'tls' : 'protocol'));
      socket.once(isSecure ? 'secureConnect' : 'connect', () => {
        phase = 'protocol';
        within(limits?.headersTimeoutMs, 'headers_timeout');
      });
    });
    request.on('error', (cause: Error & { code?: string }) => {
      const fault = cause.code === 'HPE_HEADER_OVERFLOW' ? 'header_limit' : phase;
      fail(failure(fault, cause.code ?? cause.message, cause));
    });
    request.on('close', () => {
      // Bun closes some failed connections without an error.
      if (!answer) fail(failure(phase, 'closed without an answer'));
    });
    request.on('upgrade', (response, socket) => {
      ignoreErrors(response, socket);
      socket.destroy();
      fail(failure('protocol', 'an unrequested upgrade'));
    });
    request.on('response', (response) => {
      ignoreErrors(response);
      // The body was read to its end, broke off, or was discarded.
      response.on('close', close);
      clearTimeout(timer);
      answer = response;
      resolve({ response, fail, close });
    });
    if (signal.aborted) onAbort();
    else request.end(options.body);
  });
}

/** Without a listener, the error of a stream that nobody reads would end the process. */
function ignoreErrors(
  ...streams: Readonly<{ on(event: 'error', on: () => void): unknown }>[]
): void {
  for (const stream of streams) stream.on('error', () => {});
}

function startRequest(
  url: URL,
  { addresses, port }: PinnedTarget,
  { headers, limits, ca, body }: PinnedRequestOptions,
): ClientRequest {
  const [first] = addresses;
  if (first === undefined) throw new Error('a request needs an address to go to');
  const host = unbracketed(url.hostname);
  const shared = {
    // `lookup` is not called for an address.
    hostname: isIP(host) === 0 ? host : first,
    port,
    path: `${url.pathname}${url.search}`,
    method: body === undefined ? 'GET' : 'POST',
    // A separate connection: sites share nothing.
    agent: false as const,
    lookup: pinned(addresses, first),
    headers: { ...headers, ...lengthOf(body), host: url.host, connection: 'close' },
    ...(limits && { maxHeaderSize: limits.headerBytesMax }),
  };
  if (url.protocol === 'http:') return http.request(shared);
  // Set explicitly, since NODE_TLS_REJECT_UNAUTHORIZED in the environment could switch it off.
  const tls = { rejectUnauthorized: true, ALPNProtocols: ['http/1.1'] };
  return https.request({ ...shared, ...tls, ...(ca && { ca: [...ca] }) });
}

function lengthOf(body: string | undefined): Record<string, number> {
  return body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
}

/** A look-up that always returns the vetted addresses: the name is not resolved a second time. */
function pinned(addresses: readonly string[], first: string): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_host, options, callback) => {
    if (options.all) callback(null, all);
    else callback(null, first, isIP(first));
  };
}

function errorOf(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error('stopped', { cause: reason });
}
