import type { Clock } from '../../lib/clock.ts';
import type { CrawlLimits } from './limits.ts';

/** Waits, at most until the signal; never rejects. Tests hand in their own, with the clock that it moves. */
export type Sleep = (milliseconds: number, signal: AbortSignal) => Promise<void>;

export interface PacerParts {
  clock: Clock;
  sleep: Sleep;
  limits: Pick<CrawlLimits, 'spacingMs' | 'crawlDelayMsMax'>;
  signal: AbortSignal;
}

/** Keeps requests to one site apart. One at a time uses it: whoever reads the site. */
export class Pacer {
  readonly #parts: PacerParts;
  #spacingMs: number;
  /** Monotonic milliseconds from which the next request may be made. */
  #nextAt: number;

  /** @param isFresh nobody can have asked the site just now */
  constructor(parts: PacerParts, isFresh: boolean) {
    this.#parts = parts;
    this.#spacingMs = parts.limits.spacingMs;
    this.#nextAt = isFresh ? -Infinity : parts.clock.monotonic() + this.#spacingMs;
  }

  /** The site's own wish, as far as it is sane. */
  slowDown(crawlDelaySeconds: number | null): void {
    const { spacingMs, crawlDelayMsMax } = this.#parts.limits;
    const wished = Math.min((crawlDelaySeconds ?? 0) * 1_000, crawlDelayMsMax);
    this.#spacingMs = Math.max(spacingMs, wished);
  }

  /** Waits for the turn, makes the request, and begins the next distance at its end. */
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
