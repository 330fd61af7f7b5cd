import { FetchFailure } from './failures.ts';

/**
 * The task's result, if it comes in time: name services have their own patience, ours ends sooner.
 * @throws FetchFailure `connect_timeout`, or the signal's reason
 */
export async function within<T>(
  task: Promise<T>,
  milliseconds: number,
  signal: AbortSignal,
): Promise<T> {
  const { promise: ended, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  const onLate = () => reject(new FetchFailure('connect_timeout', 'finding the address'));
  const timer = setTimeout(onLate, milliseconds);
  signal.addEventListener('abort', onAbort);
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([task, ended]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}
