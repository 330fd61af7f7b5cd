import {
  openPinned,
  type PinnedAnswer,
  type PinnedTarget,
} from '../../lib/network/pinned-request.ts';
import { FetchFailure } from './failures.ts';
import type { FetchLimits } from './limits.ts';

export interface ExchangeOptions {
  limits: FetchLimits;
  headers: Readonly<Record<string, string>>;
  /** Ends the exchange; its reason is a FetchFailure. */
  signal: AbortSignal;
  /** Certificate authorities to trust instead of the well-known ones. */
  ca: readonly string[] | undefined;
}

/** One answer. `close` must be called once it was used; it cuts the connection. */
export type Exchange = PinnedAnswer;

/**
 * Sends one GET to vetted addresses and waits for the answer's header.
 * @throws FetchFailure
 */
export function openExchange(
  url: URL,
  target: PinnedTarget,
  options: ExchangeOptions,
): Promise<Exchange> {
  return openPinned(url, target, {
    ...options,
    failure: (reason, detail, cause) => new FetchFailure(reason, detail, { cause }),
  });
}
