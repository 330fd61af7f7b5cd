import { ProviderError, type ProviderCost, type ProviderFault, type Usage } from '../spec.ts';

/** How an attempt ended; `stopped` by the caller, not by the provider. */
export type AttemptOutcome = 'ok' | 'stopped' | ProviderFault | NotSentReason;

/** One attempt of a call to a provider, as admins see it. */
export interface Attempt {
  /** The provider's code. */
  provider: string;
  /** The model's name at the provider. */
  model: string;
  /** Identifies the key without revealing it; null if there was no key or nothing was sent. */
  keyHint: string | null;
  startedAt: number;
  /**
   * Whole milliseconds for which the gateway waited before it sent the request: for a turn at the provider's limits, or
   * in the pause after a failed attempt. Null: not recorded.
   */
  waitedMs: number | null;
  /** Whole milliseconds from the request to the end of the (possibly streamed) answer; 0 if nothing was sent. */
  durationMs: number;
  outcome: AttemptOutcome;
  /** The provider's HTTP status, if it answered with an error. */
  status: number | null;
  /** What the call cost the operator, as the provider reports it. */
  cost: ProviderCost | null;
  /** The usage that the provider reports; null: not reported, or not of this process. */
  usage: Usage | null;
}

/** A call that has ended, with all of its attempts. */
export interface ObservedCall {
  /** The provider's code. */
  provider: string;
  modelId?: number | undefined;
  outcome: AttemptOutcome;
  /** Seconds that its attempts spent at the provider; undefined if nothing was sent. */
  seconds: number | undefined;
}

/**
 * Why the gateway sent nothing:
 *
 *   breaker_open   the provider has not answered for a while
 *   limited        the operator's limit of concurrent calls or calls a minute is reached, and the wait was too long
 *   keys_resting   the provider refused every key recently
 *   not_set_up     a variable of its setup is unset, or its key cannot be read
 */
export const notSentReasons = ['breaker_open', 'limited', 'keys_resting', 'not_set_up'] as const;
export type NotSentReason = (typeof notSentReasons)[number];

/** A call that was never sent. It says nothing about the provider, and a retry would not help. */
export class NotSentError extends ProviderError {
  readonly reason: NotSentReason;

  /** @param options `detail` is for the log */
  constructor(
    reason: NotSentReason,
    message: string,
    options: { retryAfterSeconds?: number; detail?: string | undefined } = {},
  ) {
    const isSilent = reason === 'breaker_open' || reason === 'not_set_up';
    super(isSilent ? 'unreachable' : 'busy', message, { accepted: false, ...options });
    this.reason = reason;
  }
}
