import { untilAborted } from '../../lib/until-aborted.ts';
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
  const { promise: late, reject } = Promise.withResolvers<never>();
  const onLate = () => reject(new FetchFailure('connect_timeout', 'finding the address'));
  const timer = setTimeout(onLate, milliseconds);
  try {
    return await untilAborted(Promise.race([task, late]), signal);
  } finally {
    clearTimeout(timer);
  }
}
