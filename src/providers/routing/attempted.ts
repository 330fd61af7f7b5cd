import type { StopSignal } from '../../lib/stop-signal.ts';
import type { Provider } from '../spec.ts';
import { type AttemptParts, OpenAttempt } from './pool-entry.ts';
import { Retry } from './retry.ts';

/** The work of one attempt with a provider. @param traceparent replaces the caller's, if present */
export type AttemptRun<T> = (
  provider: Provider,
  signal: StopSignal,
  traceparent: string | undefined,
) => Promise<T>;

/**
 * Makes attempts until one has a result.
 * @param signal ends the pause before a retry, and the retries
 * @throws the failure for the caller when no other attempt is due
 */
export async function attempted<T>(
  call: AttemptParts,
  work: AttemptRun<T>,
  signal: StopSignal = call.inTime,
): Promise<{ attempt: OpenAttempt; result: T }> {
  let retry: Retry | undefined;
  for (;;) {
    const attempt = new OpenAttempt(call);
    try {
      const provider = await attempt.begin();
      call.onSent?.();
      return { attempt, result: await work(provider, call.inTime, attempt.traceparent) };
    } catch (thrown) {
      const error = attempt.fail(thrown);
      retry ??= new Retry(signal, call.entry);
      await retry.after(error, attempt.givesWay);
    }
  }
}
