import type { StopSignal } from './stop-signal.ts';

/** The task's result, unless the signal comes first. @throws the signal's reason */
export async function untilAborted<T>(task: Promise<T>, signal: StopSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener('abort', onAbort);
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([task, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
