/** Tables as CSV for spreadsheets: UTF-8 with a byte order mark; semicolons where the comma is the decimal point. */

/** A cell; texts are from strangers. */
export type Cell = string | number | null;

/** @param locale decides about comma and semicolon */
export function csvOf(rows: readonly (readonly Cell[])[], locale: string): Blob {
  const isComma = new Intl.NumberFormat(locale).format(1.5).includes(',');
  const separator = isComma ? ';' : ',';
  const lines = rows.map((row) => row.map((cell) => cellOf(cell, isComma)).join(separator));
  return new Blob([`\uFEFF${lines.join('\r\n')}\r\n`], { type: 'text/csv;charset=utf-8' });
}

function cellOf(cell: Cell, isComma: boolean): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return isComma ? String(cell).replace('.', ',') : String(cell);
  // A spreadsheet would run it as a formula.
  const harmless = /^[=+\-@\t\r\0]/.test(cell) ? `'${cell}` : cell;
  return /[",;\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
