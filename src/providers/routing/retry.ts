import { pause } from '../../lib/pause.ts';
import type { StopSignal } from '../../lib/stop-signal.ts';
import type { ProviderError } from '../spec.ts';
import { NotSentError } from './attempt.ts';

/** The pause before a retry if the provider gives no time, seconds. */
export const RETRY_PAUSE_SECONDS = 0.25;
/** If the provider asks for a longer pause, there is no retry, seconds. */
export const RETRY_PAUSE_MAX_SECONDS = 1;
const MS_PER_SECOND = 1000;

/** The keys of a provider, and its budget of retries. */
interface RetrySource {
  keys: { readonly size: number };
  retries: { take(): boolean };
}

/**
 * Decides after each failed attempt of one call whether there is another. There is one retry if the provider certainly
 * accepted nothing and will probably accept the call soon: it refused the connection, or reported that it is busy. A
 * call that was accepted is never repeated, since that would spend the operator's money twice. In addition, another key
 * replaces a refused one at once.
 */
export class Retry {
  readonly #signal: StopSignal;
  readonly #budget: RetrySource['retries'];
  readonly #wait: typeof pause;
  #otherKeys: number;
  #retried = false;
  #failure: ProviderError | undefined;

  /** @param signal ends the pause @param wait tests pass their own pause */
  constructor(signal: StopSignal, { keys, retries }: RetrySource, wait = pause) {
    this.#signal = signal;
    this.#budget = retries;
    this.#wait = wait;
    this.#otherKeys = keys.size - 1;
  }

  /**
   * Resolves when another attempt is due.
   * @param keyGivesWay the failure was caused by the key, and another key can take over
   * @throws the failure for the caller when no other attempt is due
   */
  async after(error: ProviderError, keyGivesWay: boolean): Promise<void> {
    // The provider's own failure says more than the reason why it was not called again.
    if (this.#failure && error instanceof NotSentError) throw this.#failure;
    this.#failure = error;
    if (!this.#signal.aborted && keyGivesWay && this.#otherKeys-- > 0) return;
    if (this.#retried) throw error;
    const seconds = retryPause(error);
    if (seconds === undefined || this.#signal.aborted || !this.#budget.take()) throw error;
    await this.#wait(seconds * MS_PER_SECOND, this.#signal);
    if (this.#signal.aborted) throw error;
    this.#retried = true;
  }
}

/** Seconds to wait before the retry; undefined when there must be none. */
function retryPause(error: ProviderError): number | undefined {
  // A gate, a breaker or a resting key would give the same answer again.
  if (error.accepted || error instanceof NotSentError) return undefined;
  if (error.fault !== 'unreachable' && error.fault !== 'busy') return undefined;
  const seconds = error.retryAfterSeconds ?? RETRY_PAUSE_SECONDS;
  return seconds <= RETRY_PAUSE_MAX_SECONDS ? seconds : undefined;
}
