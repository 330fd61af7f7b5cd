import type { NotSentReason } from './not-sent.ts';
import type { ProviderCost, ProviderFault } from '../spec.ts';

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
  /** What the provider told that it cost the operator. */
  cost: ProviderCost | null;
}
