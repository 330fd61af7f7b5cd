import { pause } from '../../lib/pause.ts';
import type { StopSignal } from '../../lib/stop-signal.ts';
import type { ProviderError } from '../spec.ts';
import { NotSentError } from './attempt.ts';

/** The pause before a retry if the provider gives no time, seconds. */
export const RETRY_PAUSE_SECONDS = 0.25;
/** If the provider asks for a longer pause, there is no retry, seconds. */
export const RETRY_PAUSE_MAX_SECONDS = 1;
const MS_PER_SECOND = 1000;

export interface RetryOptions {
  /** Ends the pause. */
  signal: StopSignal;
  /** Keys that can take over from the first one. */
  otherKeys: number;
  /** Called before a retry: false if the budget is spent. */
  allow: () => boolean;
  /** Waits; resolves early if the signal is aborted. Tests pass their own. */
  pause?: (ms: number, signal: StopSignal) => Promise<void>;
}

/**
 * Decides after each failed attempt of one call whether there is another. There is one retry if the provider certainly
 * accepted nothing and is likely to soon: it refused the connection, or said that it is busy. A call that was accepted
 * is never repeated, which would spend the operator's money twice. Besides, a key that was refused gives way to another
 * key at once.
 */
export class Retry {
  readonly #options: RetryOptions;
  #otherKeys: number;
  #retried = false;
  #failure: ProviderError | undefined;

  constructor(options: RetryOptions) {
    this.#options = options;
    this.#otherKeys = options.otherKeys;
  }

  /**
   * Resolves when another attempt is due.
   * @param keyGivesWay the failure was one of the key, and another key can take over
   * @throws the failure for the caller when no other attempt is due
   */
  async after(error: ProviderError, keyGivesWay: boolean): Promise<void> {
    // The provider's own failure says more than the reason why it was not called again.
    if (this.#failure && error instanceof NotSentError) throw this.#failure;
    this.#failure = error;
    if (!this.#options.signal.aborted && keyGivesWay && this.#otherKeys-- > 0) return;
    if (this.#retried) throw error;
    await this.#pause(error);
    this.#retried = true;
  }

  async #pause(error: ProviderError): Promise<void> {
    const { signal, allow, pause: wait = pause } = this.#options;
    const seconds = retryPause(error);
    if (seconds === undefined || signal.aborted || !allow()) throw error;
    await wait(seconds * MS_PER_SECOND, signal);
    if (signal.aborted) throw error;
  }
}

/** Seconds to wait before the retry; undefined when there must be none. */
function retryPause(error: ProviderError): number | undefined {
  // A gate, a breaker or a resting key would say the same again.
  if (error.accepted || error instanceof NotSentError) return undefined;
  if (error.fault !== 'unreachable' && error.fault !== 'busy') return undefined;
  const seconds = error.retryAfterSeconds ?? RETRY_PAUSE_SECONDS;
  return seconds <= RETRY_PAUSE_MAX_SECONDS ? seconds : undefined;
}
