/** A field for rubles, with a decimal point or comma. */
export const amountInput = {
  inputMode: 'decimal',
  pattern: '\\s*[0-9]{1,10}([.,][0-9]{1,6})?\\s*',
  autocomplete: 'off',
} as const;

/** The typed amount in the form that bodies take; null if nothing was typed. */
export function amountOf(typed: string): string | null {
  return typed.trim().replace(',', '.') || null;
}
