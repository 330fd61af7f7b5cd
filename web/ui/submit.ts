import { type Action, useAction } from './action.ts';

/** The texts of a form's fields, by name; empty for a missing field. */
export type Fields = (name: string) => string;

/** The sending of a form. */
export interface Submit extends Pick<Action, 'error' | 'isBusy'> {
  onSubmit: (event: SubmitEvent) => void;
}

/** Runs the work when a form is submitted, and keeps its error. */
export function useSubmit(work: (fields: Fields, form: HTMLFormElement) => Promise<void>): Submit {
  const { error, isBusy, run } = useAction();
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    void run(() => work(fieldsOf(form), form));
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
