import type { Clock } from '../../lib/clock.ts';
import type { CrawlLimits } from './limits.ts';

/** Waits, at most until the signal; never rejects. Tests replace it together with the clock. */
export type Sleep = (milliseconds: number, signal: AbortSignal) => Promise<void>;

export interface PacerParts {
  clock: Clock;
  sleep: Sleep;
  limits: Pick<CrawlLimits, 'spacingMs' | 'crawlDelayMsMax'>;
  signal: AbortSignal;
}

/** Spaces the requests to one site. It has one user: the node that reads the site. */
export class Pacer {
  readonly #parts: PacerParts;
  #spacingMs: number;
  /** Monotonic milliseconds from which the next request may be made. */
  #nextAt: number;

  /** @param isFresh true when no request can have been made to the site recently */
  constructor(parts: PacerParts, isFresh: boolean) {
    this.#parts = parts;
    this.#spacingMs = parts.limits.spacingMs;
    this.#nextAt = isFresh ? -Infinity : parts.clock.monotonic() + this.#spacingMs;
  }

  /** Applies the site's Crawl-delay, within the limit. */
  slowDown(crawlDelaySeconds: number | null): void {
    const { spacingMs, crawlDelayMsMax } = this.#parts.limits;
    const requested = Math.min((crawlDelaySeconds ?? 0) * 1_000, crawlDelayMsMax);
    this.#spacingMs = Math.max(spacingMs, requested);
  }

  /** Waits for its turn and makes the request; the next spacing begins when it ends. */
  async run<T>(request: () => Promise<T>): Promise<T> {
    const { clock, sleep, signal } = this.#parts;
    const wait = this.#nextAt - clock.monotonic();
    if (wait > 0) await sleep(wait, signal);
    try {
      return await request();
    } finally {
      this.#nextAt = clock.monotonic() + this.#spacingMs;
    }
  }
}
