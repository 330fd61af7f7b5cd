import { whenAborted, type StopSignal } from './stop-signal.ts';
import { endsWithin } from './within.ts';

/** Waits. Resolves early when the signal is aborted. */
export async function pause(milliseconds: number, signal: StopSignal): Promise<void> {
  const { promise: aborted, resolve } = Promise.withResolvers<void>();
  const leave = whenAborted(signal, resolve);
  await endsWithin(aborted, milliseconds);
  leave();
}
