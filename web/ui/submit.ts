import { type Signal, useSignal } from '@preact/signals';

/** The texts of a form's fields, by name; empty for a field that has none. */
export type Fields = (name: string) => string;

/** The sending of a form. */
export interface Submit {
  /** What went wrong the last time. */
  error: Signal<unknown>;
  isBusy: Signal<boolean>;
  onSubmit: (event: SubmitEvent) => void;
}

/** Does the work when a form is sent, and keeps what goes wrong. */
export function useSubmit(work: (fields: Fields, form: HTMLFormElement) => Promise<void>): Submit {
  const error = useSignal<unknown>(undefined);
  const isBusy = useSignal(false);
  const run = async (form: HTMLFormElement) => {
    isBusy.value = true;
    error.value = undefined;
    try {
      await work(fieldsOf(form), form);
    } catch (thrown) {
      error.value = thrown;
    } finally {
      isBusy.value = false;
    }
  };
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    void run(event.currentTarget as HTMLFormElement);
  };
  return { error, isBusy, onSubmit };
}

/** Reads a form. */
export function fieldsOf(form: HTMLFormElement): Fields {
  const data = new FormData(form);
  return (name) => {
    const value = data.get(name);
    return typeof value === 'string' ? value : '';
  };
}
