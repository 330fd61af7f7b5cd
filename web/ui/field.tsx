import type { ComponentProps } from 'preact';
import { useId } from 'preact/hooks';

/** The types of an element tie roles to the values of `type`, which a field may change. */
type FieldProps = Omit<ComponentProps<'input'>, 'type' | 'role'> & {
  type?: string;
  /** The id of a `datalist`. */
  list?: string;
  label: string;
  hint?: string;
  /** The problem with the value. */
  error?: string | undefined;
};

/** An input with its label, its hint and its error. */
export function Field({ label, hint, error, ...input }: FieldProps) {
  const id = useId();
  const about = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`];
  const describedBy = about.filter(Boolean).join(' ');
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        {...(input as ComponentProps<'input'>)}
        id={id}
        aria-invalid={error !== undefined}
        aria-describedby={describedBy === '' ? undefined : describedBy}
      />
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error !== undefined && (
        <p class="error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}
