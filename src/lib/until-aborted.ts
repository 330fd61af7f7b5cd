import { whenAborted, type StopSignal } from './stop-signal.ts';

/**
 * The task's result, unless the signal is aborted first.
 * @param failure makes the error for an abort; by default the signal's reason
 */
export async function untilAborted<T>(
  task: Promise<T>,
  signal: StopSignal,
  failure = (): unknown => signal.reason,
): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const leave = whenAborted(signal, () => reject(failure()));
  try {
    return await Promise.race([task, aborted]);
  } finally {
    leave();
  }
}
