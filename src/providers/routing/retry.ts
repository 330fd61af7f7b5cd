import { pause } from '../../lib/pause.ts';
import type { StopSignal } from '../../lib/stop-signal.ts';
import { ProviderError } from '../spec.ts';
import { NotSentError } from './not-sent.ts';

/** The pause before the one other try when the provider named none, seconds. */
export const RETRY_PAUSE_SECONDS = 0.25;
/** A provider that asks for a longer pause is left to the caller, seconds. */
export const RETRY_PAUSE_MAX_SECONDS = 1;
const MS_PER_SECOND = 1000;

export interface RetryOptions {
  /** Ends the pause. */
  signal: StopSignal;
  /** Waits; resolves early when the signal is aborted. Tests hand in their own. */
  pause?: (seconds: number, signal: StopSignal) => Promise<void>;
  /** Asked when another try is due: false when the provider has had enough of them. */
  allow?: () => boolean;
  /** True when another key takes over: its try is made at once, and is not the other try. */
  elsewhere?: (error: unknown) => boolean;
}

/**
 * Runs the call, and once more when the provider surely took nothing of it and is likely to soon: it
 * refused the connection or said that it is busy. Never after anything was accepted, which would
 * spend the operator's money twice. A key that was refused gives way to another without a pause.
 */
export async function callWithRetry<T>(call: () => Promise<T>, options: RetryOptions): Promise<T> {
  let failure: { error: unknown } | undefined;
  for (let retried = false; ;) {
    try {
      return await call();
    } catch (error) {
      // What the provider said tells more than why it was not asked again.
      if (failure && error instanceof NotSentError) throw failure.error;
      failure = { error };
    }
    if (!options.signal.aborted && options.elsewhere?.(failure.error)) continue;
    if (retried) throw failure.error;
    await pauseBeforeRetry(failure.error, options);
    retried = true;
  }
}

/** Waits when a second try is due. @throws the error itself when none is */
async function pauseBeforeRetry(error: unknown, options: RetryOptions): Promise<void> {
  const seconds = retryPause(error);
  if (seconds === undefined || options.signal.aborted || options.allow?.() === false) throw error;
  if (options.pause) await options.pause(seconds, options.signal);
  else await pause(seconds * MS_PER_SECOND, options.signal);
  if (options.signal.aborted) throw error;
}

/** Seconds to wait before the other try, or undefined when there must be none. */
function retryPause(error: unknown): number | undefined {
  if (!(error instanceof ProviderError) || error.accepted) return undefined;
  // A gate, a breaker or a resting key would say the same again.
  if (error instanceof NotSentError) return undefined;
  if (error.fault !== 'unreachable' && error.fault !== 'busy') return undefined;
  const seconds = error.retryAfterSeconds ?? RETRY_PAUSE_SECONDS;
  return seconds <= RETRY_PAUSE_MAX_SECONDS ? seconds : undefined;
}
