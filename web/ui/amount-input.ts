/** A field for rubles, with a point or a comma. */
export const amountInput = {
  inputMode: 'decimal',
  pattern: '\\s*[0-9]{1,10}([.,][0-9]{1,6})?\\s*',
  autocomplete: 'off',
} as const;

/** What somebody typed, as bodies take it; null: nothing. */
export function amountOf(typed: string): string | null {
  return typed.trim().replace(',', '.') || null;
}
