interface ChoiceProps<T extends string> {
  label: string;
  /** The values with their words. */
  options: Readonly<Record<T, string>>;
  name?: string;
  value?: T;
  /** Called with the chosen value. */
  onPick?: (value: T) => void;
}

/** One of a few values, with its label. */
export function Choice<T extends string>({
  label,
  options,
  name,
  value: chosen,
  onPick,
}: ChoiceProps<T>) {
  return (
    <label class="field">
      {label}
      <select
        name={name}
        value={chosen}
        onChange={(event) => onPick?.(event.currentTarget.value as T)}
      >
        {Object.entries<string>(options).map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}
