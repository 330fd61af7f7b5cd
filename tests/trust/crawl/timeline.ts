import type { Clock } from '../../../src/lib/clock.ts';
import type { Sleep } from '../../../src/trust/crawl/options.ts';

/** Time that passes only while something sleeps: the next sleeper wakes, and the clock shows its time. */
export class Timeline implements Clock {
  #now = 0;
  readonly #sleepers: { at: number; wake: () => void }[] = [];

  now(): number {
    return Date.UTC(2026, 0, 1) + this.#now;
  }

  monotonic(): number {
    return this.#now;
  }

  /** Moves all clocks forward, as if nothing had happened meanwhile. */
  pass(milliseconds: number): void {
    this.#now += milliseconds;
  }

  readonly sleep: Sleep = (milliseconds) =>
    new Promise((resolve) => {
      this.#sleepers.push({ at: this.#now + milliseconds, wake: resolve });
      setImmediate(() => this.#wakeNext());
    });

  #wakeNext(): void {
    const [next] = this.#sleepers.sort((a, b) => a.at - b.at).splice(0, 1);
    if (!next) return;
    this.#now = Math.max(this.#now, next.at);
    next.wake();
  }
}
