import { query, setQuery } from '../app/routes.ts';
import { Field } from '../ui/field.tsx';

/** A parameter of the URL; an empty one counts as absent. */
export function given(name: string): string | undefined {
  return query.value.get(name) || undefined;
}

/** Other filters start again at their first page. */
export function changeFilter(changes: Readonly<Record<string, string | undefined>>): void {
  setQuery({ ...changes, offset: undefined });
}

interface FilterFieldProps {
  /** The parameter of the URL. */
  name: string;
  label: string;
  value: string | null | undefined;
  type: string;
}

/** A filter that is part of the URL. */
export function FilterField({ name, label, value, type }: FilterFieldProps) {
  return (
    <Field
      label={label}
      type={type}
      value={value ?? ''}
      onChange={(event) => changeFilter({ [name]: event.currentTarget.value })}
    />
  );
}
