import { stoppingError, type DomainError } from '../lib/errors.ts';
import { endsWithin } from '../lib/within.ts';

/** These answer to the end: how else would a load balancer hear that this node is leaving? */
const probePattern = /^[a-z]+:\/\/[^/]+\/(?:healthz|readyz|metrics)(?:[?#]|$)/i;

/** Counts the requests that are being handled, and tells which ones to refuse once the server is stopping. */
export class Drain {
  #handled = 0;
  #stopping = false;
  #idle: (() => void)[] = [];

  get stopping(): boolean {
    return this.#stopping;
  }

  /** Why a new request is not taken; undefined when it is. */
  refusal(request: Request): DomainError | undefined {
    if (!this.#stopping || probePattern.test(request.url)) return undefined;
    return stoppingError(false);
  }

  /** Counts a request; call `end` once its response is there. */
  begin(): void {
    this.#handled++;
  }

  end(): void {
    this.#handled--;
    if (this.#handled === 0) for (const resolve of this.#idle.splice(0)) resolve();
  }

  /** Refuses new requests from now on. */
  stop(): void {
    this.#stopping = true;
  }

  /** Resolves once every request has its response, at the latest after `timeoutMs`. */
  async idle(timeoutMs: number): Promise<void> {
    if (this.#handled === 0) return;
    await endsWithin(new Promise<void>((resolve) => this.#idle.push(resolve)), timeoutMs);
  }
}
