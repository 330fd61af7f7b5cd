import { query, setQuery } from '../app/routes.ts';
import { Field } from '../ui/field.tsx';

/** A parameter of the address; an empty one counts as absent. */
export function given(name: string): string | undefined {
  return query.value.get(name) || undefined;
}

/** Other filters begin at their first page. */
export function changeFilter(changes: Readonly<Record<string, string | undefined>>): void {
  setQuery({ ...changes, offset: undefined });
}

interface FilterFieldProps {
  /** The parameter of the address. */
  name: string;
  label: string;
  value: string | null | undefined;
  type: string;
}

/** A filter that stands in the address. */
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
