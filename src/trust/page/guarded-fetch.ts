import type { IncomingHttpHeaders } from 'node:http';
import type { Clock } from '../../lib/clock.ts';
import { AddressGuard, type Cidr } from '../../lib/network/addresses.ts';
import { systemResolver, type Resolver } from '../../lib/network/resolver.ts';
import { untilAborted } from '../../lib/until-aborted.ts';
import { domainOfHost } from '../identity.ts';
import { readBody, type BodyMeter } from './body.ts';
import { openExchange } from './exchange.ts';
import { FetchFailure, type FetchFailureReason } from './failures.ts';
import { FETCH_LIMITS, type FetchLimits } from './limits.ts';
import type { FixedAddresses } from './settings.ts';
import { SiteBudget } from './site-budget.ts';
import { SiteSlots } from './site-slots.ts';
import { TargetFinder } from './target.ts';
import { within } from './within.ts';

export interface GuardedFetchOptions {
  clock: Clock;
  /** ZASTAVA_FETCH_ALLOW, see `parseFetchAllow`. */
  allow?: readonly Cidr[];
  /** ZASTAVA_FETCH_RESOLVE, see `parseFetchResolve`. */
  resolve?: FixedAddresses;
  resolver?: Resolver;
  limits?: Partial<FetchLimits>;
  /** Should name a way to reach the operator. */
  userAgent?: string;
  /** Certificate authorities to trust instead of the well-known ones, in PEM. */
  ca?: readonly string[];
  /** Told of every fetch that ended, for metrics. */
  onFetch?: (event: FetchEvent) => void;
}

export interface FetchEvent {
  outcome: 'ok' | 'consumer_error' | FetchFailureReason;
  milliseconds: number;
  hops: number;
  wireBytes: number;
  decodedBytes: number;
}

export interface FetchRequest {
  /** The Accept header. */
  accept?: string;
  /** Ends the fetch with `stopped`, or with its reason when that is a FetchFailure. */
  signal?: AbortSignal;
  /** Tighter limits for this fetch's body. */
  decodedBytesMax?: number;
  /** Asked before every hop, the first one too; throws to stop there (robots.txt). */
  beforeHop?: (url: URL) => Promise<void>;
}

/** An answer that is no redirect, whatever its status. */
export interface FetchedResponse {
  /** Of the last hop. */
  url: URL;
  status: number;
  headers: IncomingHttpHeaders;
  /** The addresses that redirected here, the first asked one first. */
  redirects: readonly URL[];
  /** The decoded body; read it once, or not at all. */
  body: AsyncIterable<Uint8Array>;
  meter: Readonly<BodyMeter>;
}

type Hop<T> = { next: URL } | { value: T };

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** The product token of our robots.txt rules. */
export const PRODUCT_TOKEN = 'ZastavaBot';

/**
 * The only way to an address that a user gave. Connects to public addresses alone, within limits of
 * time, size and rate; sends no cookies and no credentials; verifies TLS.
 */
export class GuardedFetch {
  readonly #options: GuardedFetchOptions;
  readonly #limits: FetchLimits;
  readonly #targets: TargetFinder;
  readonly #budget: SiteBudget;
  readonly #slots: SiteSlots;
  readonly #stop = new AbortController();

  constructor(options: GuardedFetchOptions) {
    this.#options = options;
    this.#limits = { ...FETCH_LIMITS, ...options.limits };
    this.#targets = new TargetFinder({
      guard: new AddressGuard(options.allow ?? []),
      fixed: options.resolve ?? new Map(),
      resolver: options.resolver ?? systemResolver,
      ports: this.#limits.ports,
      addressesMax: this.#limits.addressesMax,
    });
    this.#budget = new SiteBudget(this.#limits, options.clock);
    this.#slots = new SiteSlots(this.#limits);
  }

  /**
   * GETs an address, follows redirects, and hands the answer to `consume`; the connection lasts until
   * that returns.
   * @throws FetchFailure, and whatever `consume` and `beforeHop` throw
   */
  async get<T>(
    address: string | URL,
    request: FetchRequest,
    consume: (response: FetchedResponse) => Promise<T>,
  ): Promise<T> {
    const started = this.#options.clock.monotonic();
    const redirects: URL[] = [];
    const meter: BodyMeter = { wireBytes: 0, decodedBytes: 0, truncated: false };
    let outcome: FetchEvent['outcome'] = 'ok';
    const deadline = this.#deadline(request.signal);
    try {
      return await this.#follow(this.#parse(address), redirects, meter, request, deadline, consume);
    } catch (error) {
      outcome = error instanceof FetchFailure ? error.reason : 'consumer_error';
      throw error;
    } finally {
      deadline.clear();
      const milliseconds = this.#options.clock.monotonic() - started;
      this.#options.onFetch?.({ outcome, milliseconds, hops: redirects.length + 1, ...meter });
    }
  }

  /** Ends what runs and refuses what comes, both with `stopped`. */
  close(): void {
    this.#stop.abort(new FetchFailure('stopped', 'the fetcher was closed'));
  }

  async #follow<T>(
    first: URL,
    redirects: URL[],
    meter: BodyMeter,
    request: FetchRequest,
    deadline: Deadline,
    consume: (response: FetchedResponse) => Promise<T>,
  ): Promise<T> {
    const seen = new Set<string>();
    let url = first;
    for (;;) {
      seen.add(url.href);
      const { signal } = deadline;
      if (request.beforeHop) await untilAborted(request.beforeHop(url), signal);
      signal.throwIfAborted();
      const site = domainOfHost(url.hostname) ?? url.hostname;
      this.#budget.take(site);
      const hop = await this.#slots.run(site, signal, () =>
        this.#hop(url, redirects, meter, request, signal, consume),
      );
      if ('value' in hop) return hop.value;
      redirects.push(url);
      if (seen.has(hop.next.href)) throw new FetchFailure('redirect_loop', hop.next.host);
      if (redirects.length > this.#limits.redirectsMax) {
        throw new FetchFailure('too_many_redirects', first.host);
      }
      url = hop.next;
    }
  }

  async #hop<T>(
    url: URL,
    redirects: readonly URL[],
    meter: BodyMeter,
    request: FetchRequest,
    signal: AbortSignal,
    consume: (response: FetchedResponse) => Promise<T>,
  ): Promise<Hop<T>> {
    const limits = { ...this.#limits, ...bodyLimit(request) };
    const target = await within(this.#targets.find(url), limits.connectTimeoutMs, signal);
    const headers = this.#headers(request);
    const { ca } = this.#options;
    const exchange = await openExchange(url, target, { limits, headers, signal, ca });
    try {
      const { statusCode: status = 0, headers: answered } = exchange.response;
      const location = REDIRECTS.has(status) ? answered.location : undefined;
      if (location !== undefined) return { next: this.#parse(utf8Of(location), url) };
      const body = readBody(exchange, limits, meter);
      const response = { url, status, headers: answered, redirects, body, meter };
      return { value: await consume(response) };
    } finally {
      // Whatever of the answer was not read is not wanted any more.
      exchange.close();
    }
  }

  #headers(request: FetchRequest): Record<string, string> {
    return {
      'user-agent': this.#options.userAgent ?? `Mozilla/5.0 (compatible; ${PRODUCT_TOKEN}/1.0)`,
      accept: request.accept ?? '*/*',
      'accept-language': 'ru,en;q=0.8,*;q=0.5',
      'accept-encoding': 'gzip, deflate, br',
    };
  }

  /** Credentials and fragments are dropped; whatever is left of them is never sent. */
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

  #deadline(outer: AbortSignal | undefined): Deadline {
    const controller = new AbortController();
    const end = (reason: unknown) =>
      controller.abort(
        reason instanceof FetchFailure ? reason : new FetchFailure('stopped', 'by the caller'),
      );
    const timer = setTimeout(
      () => end(new FetchFailure('total_timeout', `${this.#limits.totalTimeoutMs} ms`)),
      this.#limits.totalTimeoutMs,
    );
    const sources = [this.#stop.signal, ...(outer ? [outer] : [])];
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

interface Deadline {
  /** Aborted with a FetchFailure. */
  signal: AbortSignal;
  clear: () => void;
}

/** Headers come as Latin-1; servers write Cyrillic addresses into them as UTF-8. */
function utf8Of(header: string): string {
  return Buffer.from(header, 'latin1').toString('utf8');
}

function bodyLimit({ decodedBytesMax }: FetchRequest): Partial<FetchLimits> {
  return decodedBytesMax === undefined ? {} : { decodedBytesMax };
}
