import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ApiError } from '../api/client.ts';

/** The seconds that an error asks to wait, counted down. */
export function useCountdown(error: unknown): number {
  const left = useSignal(0);
  useEffect(() => {
    const seconds = error instanceof ApiError ? error.retryAfterSeconds : undefined;
    left.value = seconds ?? 0;
    if (seconds === undefined) return undefined;
    const timer = setInterval(() => (left.value = Math.max(0, left.value - 1)), 1000);
    return () => clearInterval(timer);
  }, [error]);
  return left.value;
}
