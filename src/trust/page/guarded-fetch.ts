import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Clock } from '../../lib/clock.ts';
import { AddressGuard, type Cidr } from '../../lib/network/addresses.ts';
import { openPinned, type PinnedAnswer } from '../../lib/network/pinned-request.ts';
import { systemResolver, type Resolver } from '../../lib/network/resolver.ts';
import { untilAborted } from '../../lib/until-aborted.ts';
import { domainOfHost } from '../identity.ts';
import { basicCredentials } from './basic-credentials.ts';
import { readBody, type BodyMeter } from './body.ts';
import { FetchFailure, type FetchFailureReason } from './failures.ts';
import { FETCH_LIMITS, type FetchLimits } from './limits.ts';
import type { FixedAddresses } from './settings.ts';
import { SiteLimits } from './site-limits.ts';
import { TargetFinder } from './target.ts';

export interface GuardedFetchOptions {
  clock: Clock;
  /** ZASTAVA_FETCH_ALLOW, see `parseFetchAllow`. */
  allow?: readonly Cidr[];
  /** ZASTAVA_FETCH_RESOLVE, see `parseFetchResolve`. */
  resolve?: FixedAddresses;
  resolver?: Resolver;
  limits?: Partial<FetchLimits>;
  /** Should say how to reach the operator. */
  userAgent?: string;
  /** Certificate authorities to trust instead of the well-known ones, in PEM. */
  ca?: readonly string[];
  /** Called after every fetch, for metrics. */
  onFetch?: (event: FetchEvent) => void;
}

export interface FetchEvent extends BodyMeter {
  outcome: 'ok' | 'consumer_error' | FetchFailureReason;
}

export interface FetchRequest {
  accept?: string;
  /** Ends the fetch, with the signal's reason if that is a FetchFailure, otherwise with `stopped`. */
  signal?: AbortSignal;
  /** A tighter limit for this fetch. */
  decodedBytesMax?: number;
  /** Called before every hop, including the first; throws to stop the fetch (robots.txt). */
  beforeHop?: (url: URL) => Promise<void>;
}

/** The first answer that is not a redirect, whatever its status. */
export interface FetchedResponse {
  /** The address of the last hop. */
  url: URL;
  status: number;
  headers: IncomingHttpHeaders;
  /** The addresses that redirected here, the requested one first. */
  redirects: readonly URL[];
  /** The decoded body; read it at most once. */
  body: AsyncIterable<Uint8Array>;
}

/** One fetch, over all its hops. */
interface Fetching<T> {
  request: FetchRequest;
  consume: (response: FetchedResponse) => Promise<T>;
  meter: BodyMeter;
  signal: AbortSignal;
}

/** A response whose body is not read yet. */
export interface RemoteFile {
  status: number;
  /** @param name in lower case */
  header: (name: string) => string | null;
  body: AsyncIterable<Uint8Array>;
}

type Hop<T> = { next: URL } | { value: T };

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** The name by which robots.txt addresses us. */
export const PRODUCT_TOKEN = 'ZastavaBot';

/**
 * Every request to a URL from a user goes through this class. It connects only to public addresses, within limits of
 * time, size and rate, sends no cookies and no credentials, and verifies TLS.
 */
export class GuardedFetch {
  readonly #options: GuardedFetchOptions;
  readonly #limits: FetchLimits;
  readonly #targets: TargetFinder;
  readonly #sites: SiteLimits;
  readonly #stop = new AbortController();

  constructor(options: GuardedFetchOptions) {
    this.#options = options;
    this.#limits = { ...FETCH_LIMITS, ...options.limits };
    this.#targets = new TargetFinder({
      guard: new AddressGuard(options.allow ?? []),
      fixed: options.resolve ?? new Map(),
      resolver: options.resolver ?? systemResolver,
      limits: this.#limits,
    });
    this.#sites = new SiteLimits(this.#limits, options.clock);
  }

  /**
   * GETs an address, follows redirects, and passes the answer to `consume` while the connection is open.
   * @throws FetchFailure, and what `consume` and `beforeHop` throw
   */
  async get<T>(
    address: string | URL,
    request: FetchRequest,
    consume: (response: FetchedResponse) => Promise<T>,
  ): Promise<T> {
    const meter: BodyMeter = { wireBytes: 0, decodedBytes: 0, truncated: false };
    let outcome: FetchEvent['outcome'] = 'ok';
    const { signal, clear } = this.#deadline(request.signal);
    try {
      return await this.#follow(this.#parse(address), { request, consume, meter, signal });
    } catch (error) {
      outcome = error instanceof FetchFailure ? error.reason : 'consumer_error';
      throw error;
    } finally {
      clear();
      this.#options.onFetch?.({ outcome, ...meter });
    }
  }

  /**
   * Opens a file that may take hours to read: undecoded, without limits of size, rate and total time. The guard is the
   * same, at each hop. User and password of the URL are sent only to its own origin.
   * @param signal also ends the reading of the body
   * @throws FetchFailure
   */
  async download(
    address: string,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<RemoteFile> {
    const first = this.#parse(address);
    const credentials = basicCredentials(new URL(address));
    let url = first;
    for (let redirects = 0; redirects <= this.#limits.redirectsMax; redirects++) {
      const own = url.origin === first.origin ? credentials : {};
      const headersSent = { ...this.#headers({}), ...headers, ...own };
      const { response, close } = await this.#open(url, headersSent, signal);
      const { statusCode: status = 0, headers: answered } = response;
      const location = redirectOf(response);
      if (location === undefined) {
        const header = (name: string) => [answered[name]].flat()[0] ?? null;
        return { status, header, body: response };
      }
      close();
      url = this.#parse(location, url);
    }
    throw new FetchFailure('too_many_redirects', first.host);
  }

  /**
   * POSTs a text, with user and password of the address, follows no redirect, and reads no body of the answer.
   * @returns the status @throws FetchFailure
   */
  async post(
    address: string,
    headers: Readonly<Record<string, string>>,
    body: string,
    outer: AbortSignal,
  ): Promise<number> {
    const { signal, clear } = this.#deadline(outer);
    try {
      const url = this.#parse(address);
      const headersSent = {
        ...this.#headers({}),
        ...headers,
        ...basicCredentials(new URL(address)),
      };
      const { response, close } = await this.#open(url, headersSent, signal, body);
      close();
      return response.statusCode ?? 0;
    } finally {
      clear();
    }
  }

  /** Ends running fetches and refuses new ones, both with `stopped`. */
  close(): void {
    this.#stop.abort(new FetchFailure('stopped', 'the fetcher was closed'));
  }

  async #follow<T>(first: URL, fetching: Fetching<T>): Promise<T> {
    const { request, signal } = fetching;
    const redirects: URL[] = [];
    const seen = new Set<string>();
    let url = first;
    for (;;) {
      seen.add(url.href);
      if (request.beforeHop) await untilAborted(request.beforeHop(url), signal);
      signal.throwIfAborted();
      const site = domainOfHost(url.hostname) ?? url.hostname;
      const hop = await this.#sites.run(site, signal, () => this.#hop(url, redirects, fetching));
      if ('value' in hop) return hop.value;
      redirects.push(url);
      if (seen.has(hop.next.href)) throw new FetchFailure('redirect_loop', hop.next.host);
      if (redirects.length > this.#limits.redirectsMax) {
        throw new FetchFailure('too_many_redirects', first.host);
      }
      url = hop.next;
    }
  }

  async #hop<T>(url: URL, redirects: readonly URL[], fetching: Fetching<T>): Promise<Hop<T>> {
    const { request, consume, meter, signal } = fetching;
    const { decodedBytesMax = this.#limits.decodedBytesMax } = request;
    const limits = { ...this.#limits, decodedBytesMax };
    const exchange = await this.#open(url, this.#headers(request), signal);
    try {
      const { statusCode: status = 0, headers: answered } = exchange.response;
      const location = redirectOf(exchange.response);
      if (location !== undefined) return { next: this.#parse(location, url) };
      const body = readBody(exchange, limits, meter);
      const response = { url, status, headers: answered, redirects, body };
      return { value: await consume(response) };
    } finally {
      exchange.close();
    }
  }

  /** @param body makes it a POST */
  async #open(
    url: URL,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
    body?: string,
  ): Promise<PinnedAnswer> {
    const target = await this.#targets.find(url, signal);
    return openPinned(url, target, {
      limits: this.#limits,
      headers,
      ...(body !== undefined && { body }),
      signal,
      ca: this.#options.ca,
      failure: (reason, detail, cause) => new FetchFailure(reason, detail, { cause }),
    });
  }

  #headers(request: FetchRequest): Record<string, string> {
    return {
      'user-agent': this.#options.userAgent ?? `Mozilla/5.0 (compatible; ${PRODUCT_TOKEN}/1.0)`,
      accept: request.accept ?? '*/*',
      'accept-language': 'ru,en;q=0.8,*;q=0.5',
      'accept-encoding': 'gzip, deflate, br',
    };
  }

  /** Removes credentials and the fragment, so that neither is ever sent. */
  #parse(address: string | URL, base?: URL): URL {
    const text = String(address);
    const tooLong = text.length > this.#limits.urlCharactersMax;
    const url = tooLong ? null : URL.parse(text, base?.href);
    if (url === null) throw new FetchFailure('invalid_url', text.slice(0, 100));
    if (url.protocol !== 'http:' && url.protocol !== 'https:') {
      throw new FetchFailure('scheme', url.protocol);
    }
    url.username = '';
    url.password = '';
    url.hash = '';
    return url;
  }

  /** @returns a signal that is aborted with a FetchFailure */
  #deadline(outer: AbortSignal | undefined): { signal: AbortSignal; clear: () => void } {
    const controller = new AbortController();
    const end = (reason: unknown) =>
      controller.abort(
        reason instanceof FetchFailure ? reason : new FetchFailure('stopped', 'by the caller'),
      );
    const timer = setTimeout(
      () => end(new FetchFailure('total_timeout', `${this.#limits.totalTimeoutMs} ms`)),
      this.#limits.totalTimeoutMs,
    );
    const sources = [this.#stop.signal, outer].filter((source) => source !== undefined);
    const onAbort = (event: Event) => end((event.target as AbortSignal).reason);
    for (const source of sources) {
      if (source.aborted) end(source.reason);
      source.addEventListener('abort', onAbort);
    }
    const clear = () => {
      clearTimeout(timer);
      for (const source of sources) source.removeEventListener('abort', onAbort);
    };
    return { signal: controller.signal, clear };
  }
}

/** Where a response redirects to; undefined if it does not. */
function redirectOf({ statusCode = 0, headers }: IncomingMessage): string | undefined {
  const { location } = headers;
  if (location === undefined || !REDIRECTS.has(statusCode)) return undefined;
  // Node decodes headers as Latin-1; servers write Cyrillic addresses into them as UTF-8.
  return Buffer.from(location, 'latin1').toString('utf8');
}
