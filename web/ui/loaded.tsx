import { type Signal, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { ErrorProblem, Skeleton } from './states.tsx';

/** Data that a screen requests from the server. */
export interface Loaded<T> {
  /** Undefined until it is loaded. While it is requested again, the old value stays. */
  data: Signal<T | undefined>;
  error: Signal<unknown>;
  /** Requests it again. */
  reload: () => void;
}

/**
 * Requests data when the screen opens, and again when a key changes.
 * @param keys what the answer depends on
 */
export function useLoaded<T>(
  load: (signal: AbortSignal) => Promise<T>,
  keys: readonly unknown[] = [],
): Loaded<T> {
  const data = useSignal<T | undefined>(undefined);
  const error = useSignal<unknown>(undefined);
  const round = useSignal(0);
  useEffect(() => {
    const stopper = new AbortController();
    const take = (answer: T) => {
      data.value = answer;
      error.value = undefined;
    };
    load(stopper.signal).then(
      (answer) => (stopper.signal.aborted ? undefined : take(answer)),
      (thrown: unknown) => {
        if (!stopper.signal.aborted) error.value = thrown;
      },
    );
    return () => stopper.abort();
  }, [round.value, ...keys]);
  return { data, error, reload: () => round.value++ };
}

/** Shows loaded data; before that a skeleton, or the error. */
export function Show<T>({
  of: { data, error, reload },
  children,
}: {
  of: Loaded<T>;
  children: (data: T) => ComponentChildren;
}) {
  return (
    <>
      <ErrorProblem error={error.value} onAct={reload} />
      {data.value !== undefined && children(data.value)}
      {data.value === undefined && error.value === undefined && <Skeleton />}
    </>
  );
}
