import { ProviderError, type ProviderCost, type ProviderFault } from '../spec.ts';

/** How an attempt ended; `stopped` is the caller's doing, not the provider's. */
export type AttemptOutcome = 'ok' | 'stopped' | ProviderFault | NotSentReason;

/** One attempt to get an answer out of a provider, as admins see it. */
export interface Attempt {
  /** The provider's code. */
  provider: string;
  /** The model's name at the provider. */
  model: string;
  /** Which key it was, without the key; null without one, and when nothing was sent. */
  keyHint: string | null;
  /** Milliseconds since 1970. */
  startedAt: number;
  /** Whole milliseconds, waiting for a turn included; of a stream until its end. */
  durationMs: number;
  outcome: AttemptOutcome;
  /** The provider's HTTP status where it is known: of errors. */
  status: number | null;
  /** What the call cost the operator, as the provider reports it. */
  cost: ProviderCost | null;
}

/**
 * Why the gateway itself sent nothing:
 *
 *   breaker_open   the provider has not answered for a while
 *   limited        the operator's limit of calls at once or a minute is reached, and waiting took too long
 *   keys_resting   the provider refused every key a moment ago
 *   not_set_up     a variable that its setup refers to is unset, or its key can't be read
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
