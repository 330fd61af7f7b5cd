import type { Clock } from '../../lib/clock.ts';
import { FetchFailure, isPassing } from './failures.ts';
import { PRODUCT_TOKEN, type FetchedResponse, type GuardedFetch } from './guarded-fetch.ts';
import {
  ROBOTS_BYTES_MAX,
  ROBOTS_CACHE_BYTES_MAX,
  ROBOTS_CACHE_ORIGINS_MAX,
  ROBOTS_LIFETIME_MS,
  ROBOTS_UNREACHABLE_LIFETIME_MS,
} from './limits.ts';
import { ALLOW_ALL, isAllowed, parseRobots, type RobotsRules } from './robots-rules.ts';

export interface RobotsVerdict {
  allowed: boolean;
  /**
   * Why not: `disallowed` by a rule, or `unreachable`: RFC 9309 has a crawler that can't get the rules
   * (a status of 500 and up, or no answer) stay away. Both show as "не известно" outside.
   */
  reason: 'allowed' | 'disallowed' | 'unreachable';
  /** With `unreachable` by a failure of the fetch. */
  failure: FetchFailure | null;
  crawlDelaySeconds: number | null;
}

interface Found {
  rules: RobotsRules | null;
  failure: FetchFailure | null;
}

interface Entry extends Found {
  expiresAt: number;
}

export interface RobotsOptions {
  fetch: GuardedFetch;
  clock: Clock;
}

/** Asks robots.txt of each origin, through the guard, and remembers the answers for a while. */
export class Robots {
  readonly #options: RobotsOptions;
  /** By origin, the one unused for longest first. */
  readonly #entries = new Map<string, Entry>();
  readonly #running = new Map<string, Promise<Found>>();
  #bytes = 0;

  constructor(options: RobotsOptions) {
    this.#options = options;
  }

  /** Whether `url` may be fetched. @throws FetchFailure `stopped`, `busy` or `site_budget`: not told yet */
  async check(url: URL): Promise<RobotsVerdict> {
    const { rules, failure } = this.#known(url.origin) ?? (await this.#ask(url.origin));
    if (!rules) return { allowed: false, reason: 'unreachable', failure, crawlDelaySeconds: null };
    const allowed = isAllowed(rules, url);
    const { crawlDelaySeconds } = rules;
    return { allowed, reason: allowed ? 'allowed' : 'disallowed', failure, crawlDelaySeconds };
  }

  #known(origin: string): Found | undefined {
    const entry = this.#entries.get(origin);
    if (!entry || entry.expiresAt <= this.#options.clock.monotonic()) return undefined;
    this.#entries.delete(origin);
    this.#entries.set(origin, entry);
    return entry;
  }

  #ask(origin: string): Promise<Found> {
    const running = this.#running.get(origin);
    if (running) return running;
    const asked = this.#fetch(origin).finally(() => this.#running.delete(origin));
    this.#running.set(origin, asked);
    return asked;
  }

  async #fetch(origin: string): Promise<Found> {
    try {
      const request = { accept: 'text/plain, */*;q=0.5', decodedBytesMax: ROBOTS_BYTES_MAX };
      const rules = await this.#options.fetch.get(`${origin}/robots.txt`, request, rulesOf);
      return this.#keep(origin, { rules, failure: null });
    } catch (error) {
      if (!(error instanceof FetchFailure)) throw error;
      if (isPassing(error.reason)) throw error;
      // A chain of redirects that leads nowhere is a file that is not there (RFC 9309, 2.3.1.2).
      const isAbsent = error.reason === 'redirect_loop' || error.reason === 'too_many_redirects';
      const rules = isAbsent ? ALLOW_ALL : null;
      return this.#keep(origin, { rules, failure: isAbsent ? null : error });
    }
  }

  #keep(origin: string, found: Found): Found {
    const lifetime = found.rules ? ROBOTS_LIFETIME_MS : ROBOTS_UNREACHABLE_LIFETIME_MS;
    this.#forget(origin);
    this.#entries.set(origin, {
      ...found,
      expiresAt: this.#options.clock.monotonic() + lifetime,
    });
    this.#bytes += found.rules?.bytes ?? 0;
    for (const oldest of this.#entries.keys()) {
      const fits =
        this.#bytes <= ROBOTS_CACHE_BYTES_MAX && this.#entries.size <= ROBOTS_CACHE_ORIGINS_MAX;
      if (fits) break;
      this.#forget(oldest);
    }
    return found;
  }

  #forget(origin: string): void {
    this.#bytes -= this.#entries.get(origin)?.rules?.bytes ?? 0;
    this.#entries.delete(origin);
  }
}

/** Null: the server can't say now (5xx). Any other status but 2xx: there are no rules. */
async function rulesOf({ status, body }: FetchedResponse): Promise<RobotsRules | null> {
  if (status >= 500) return null;
  if (status < 200 || status >= 300) return ALLOW_ALL;
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body) text += decoder.decode(chunk, { stream: true });
  return parseRobots(text + decoder.decode(), PRODUCT_TOKEN);
}
