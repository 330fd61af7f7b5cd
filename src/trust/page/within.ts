import { FetchFailure } from './failures.ts';

/** The task's result, unless the signal comes first. @throws the signal's reason */
export async function untilAborted<T>(task: Promise<T>, signal: AbortSignal): Promise<T> {
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

/**
 * The task's result, if it comes in time: name services have their own patience, ours ends sooner.
 * @throws FetchFailure `connect_timeout`, or the signal's reason
 */
export async function within<T>(
  task: Promise<T>,
  milliseconds: number,
  signal: AbortSignal,
): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const onLate = () => reject(new FetchFailure('connect_timeout', 'finding the address'));
  const timer = setTimeout(onLate, milliseconds);
  try {
    return await untilAborted(Promise.race([task, late]), signal);
  } finally {
    clearTimeout(timer);
  }
}
