import type { ComponentProps } from 'preact';

interface ChoiceProps<T extends string> extends Omit<ComponentProps<'select'>, 'value'> {
  label: string;
  /** The values with their words. */
  options: Readonly<Record<T, string>>;
  value?: T;
  /** Called with the value that was chosen. */
  onPick?: (value: T) => void;
}

/** One of a few values, with its label. */
export function Choice<T extends string>({ label, options, onPick, ...select }: ChoiceProps<T>) {
  return (
    <label class="field">
      {label}
      <select {...select} onChange={(event) => onPick?.(event.currentTarget.value as T)}>
        {Object.entries<string>(options).map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}
