import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { StopSignal } from '../stop-signal.ts';
import { unbracketed } from './vetted-host.ts';

/** Where a request goes: addresses that were vetted (`vetHost`), and nothing else is connected to. */
export interface PinnedTarget {
  /** At least one. */
  addresses: readonly string[];
  port: number;
}

/** How far a request came that has no answer, or what was too much for it. */
export type RequestFault =
  'connect' | 'connect_timeout' | 'tls' | 'headers_timeout' | 'header_limit' | 'protocol';

export interface RequestLimits {
  /** Connecting, with the TLS handshake. */
  connectTimeoutMs: number;
  /** From the request being sent to the whole header. */
  headersTimeoutMs: number;
  /** The header as it came over the wire. */
  headerBytesMax: number;
}

export interface PinnedRequestOptions {
  /** `host` and `connection` are set by the request itself. */
  headers: Readonly<Record<string, string>>;
  /** Ends the request, or the reading of its answer, with its reason. */
  signal: StopSignal;
  /** Certificate authorities to trust instead of the well-known ones, in PEM. */
  ca?: readonly string[] | undefined;
  /** Without them, the signal alone ends a request that takes long. */
  limits?: RequestLimits;
  /** The caller's own error for a fault; also what the reading of the body ends with. `detail` is for logs. */
  failure: (fault: RequestFault, detail: string, cause?: Error) => Error;
}

/** One answer, its body unread: read it to its end, or call `close`. */
export interface PinnedAnswer {
  response: IncomingMessage;
  /** Cuts the connection; whoever reads the body learns this error from it. */
  fail: (error: Error) => void;
  /** Cuts the connection, and what was not read of the body. */
  close: () => void;
}

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

/** The port that a URL leads to; undefined where it is neither http nor https. */
export function portOf(url: URL): number | undefined {
  const standard = DEFAULT_PORTS[url.protocol];
  return url.port === '' || standard === undefined ? standard : Number(url.port);
}

/**
 * Sends one GET to vetted addresses and waits for the answer's header. Follows no redirects; TLS is verified by the
 * URL's name. The connection is of this request alone.
 * @throws what `failure` makes of it, or the signal's reason
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
      // Destroying the request brings the same error back.
      if (failed) return;
      failed = true;
      reject(error);
      // Whoever reads the body learns the reason from it.
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
      // Bun ends some failed connections without an error.
      if (!answer) fail(failure(phase, 'closed without an answer'));
    });
    request.on('upgrade', (response, socket) => {
      ignoreErrors(response, socket);
      socket.destroy();
      fail(failure('protocol', 'an upgrade nobody asked for'));
    });
    request.on('response', (response) => {
      ignoreErrors(response);
      // Read to its end, broken off or not wanted any more.
      response.on('close', close);
      clearTimeout(timer);
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

function startRequest(
  url: URL,
  { addresses, port }: PinnedTarget,
  { headers, limits, ca }: PinnedRequestOptions,
): ClientRequest {
  const [first] = addresses;
  if (first === undefined) throw new Error('a request needs an address to go to');
  const host = unbracketed(url.hostname);
  const shared = {
    // `lookup` is not asked about an address.
    hostname: isIP(host) === 0 ? host : first,
    port,
    path: `${url.pathname}${url.search}`,
    method: 'GET',
    // A connection of its own, which is gone afterwards: nothing is shared between sites.
    agent: false as const,
    lookup: pinned(addresses, first),
    headers: { ...headers, host: url.host, connection: 'close' },
    ...(limits && { maxHeaderSize: limits.headerBytesMax }),
  };
  if (url.protocol === 'http:') return http.request(shared);
  // Stated, since NODE_TLS_REJECT_UNAUTHORIZED in the environment would switch it off.
  const tls = { rejectUnauthorized: true, ALPNProtocols: ['http/1.1'] };
  return https.request({ ...shared, ...tls, ...(ca && { ca: [...ca] }) });
}

/** A lookup that knows one answer: the name is not resolved a second time. */
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
