import { endsWithin } from '../lib/within.ts';

/** Counts the requests that are being handled, and knows whether the server is stopping. */
export class Drain {
  #handled = 0;
  #leaving = false;
  #stopping = false;
  #idle: (() => void)[] = [];

  get stopping(): boolean {
    return this.#stopping;
  }

  /** Whether clients should go to other servers: this one is leaving or stopping. */
  get isLeaving(): boolean {
    return this.#leaving || this.#stopping;
  }

  /** Counts a request. Call `end` when its response is ready. */
  begin(): void {
    this.#handled++;
  }

  end(): void {
    this.#handled--;
    if (this.#handled === 0) for (const resolve of this.#idle.splice(0)) resolve();
  }

  /** From now on, each connection ends with its next answer. */
  leave(): void {
    this.#leaving = true;
  }

  /** From now on, new requests are refused. */
  stop(): void {
    this.#stopping = true;
  }

  /** Resolves when every request has its response, at the latest after `timeoutMs`. */
  async idle(timeoutMs: number): Promise<void> {
    if (this.#handled === 0) return;
    await endsWithin(new Promise<void>((resolve) => this.#idle.push(resolve)), timeoutMs);
  }
}
