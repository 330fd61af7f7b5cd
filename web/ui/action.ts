import { type Signal, useSignal } from '@preact/signals';

/** What a button does. */
export interface Action {
  /** What went wrong the last time; undefined if nothing did. */
  error: Signal<unknown>;
  isBusy: Signal<boolean>;
  /** Does the work, and keeps what goes wrong. */
  run: (work: () => Promise<unknown>) => Promise<void>;
}

export function useAction(): Action {
  const error = useSignal<unknown>(undefined);
  const isBusy = useSignal(false);
  const run = async (work: () => Promise<unknown>) => {
    isBusy.value = true;
    error.value = undefined;
    try {
      await work();
    } catch (thrown) {
      error.value = thrown;
    } finally {
      isBusy.value = false;
    }
  };
  return { error, isBusy, run };
}
