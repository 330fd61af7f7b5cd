import { useSignal } from '@preact/signals';
import { Field } from './field.tsx';
import { ErrorProblem } from './states.tsx';

interface FileFieldProps {
  label: string;
  hint?: string;
  /** Kinds of files that the browser offers first, e.g. `.csv`. */
  accept: string;
  onText: (text: string) => void;
}

/** Reads a text file of the user. It stays in the browser until a form sends it. */
export function FileField({ label, hint, accept, onText }: FileFieldProps) {
  const error = useSignal<unknown>(undefined);
  const read = (file: File | undefined) => {
    error.value = undefined;
    file?.text().then(onText, (thrown: unknown) => (error.value = thrown));
  };
  return (
    <>
      <Field
        label={label}
        {...(hint !== undefined && { hint })}
        type="file"
        accept={accept}
        onChange={(event) => read(event.currentTarget.files?.[0])}
      />
      <ErrorProblem error={error.value} />
    </>
  );
}
