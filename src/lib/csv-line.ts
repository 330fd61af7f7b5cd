/** The beginnings of a cell that spreadsheets take for a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/**
 * A line of CSV (RFC 4180), with its line end. A text that a spreadsheet would run as a formula is prefixed with an
 * apostrophe: users choose their logins and the names of their keys.
 */
export function csvLine(fields: readonly (string | number | null)[]): string {
  return `${fields.map(cell).join(',')}\r\n`;
}

function cell(field: string | number | null): string {
  if (typeof field === 'number') return String(field);
  const text = FORMULA.test(field ?? '') ? `'${field}` : (field ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
