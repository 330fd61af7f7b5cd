import { type Signal, useSignal } from '@preact/signals';

/** The action of a button. */
export interface Action {
  /** The last error; undefined if there was none. */
  error: Signal<unknown>;
  isBusy: Signal<boolean>;
  /** Runs the work, and keeps its error. */
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
