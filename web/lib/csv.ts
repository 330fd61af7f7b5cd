/** Tables as CSV files that spreadsheets open without asking. */
import { decimalOf } from './money.ts';

/** The separators follow the language of the page. */
type Language = 'en' | 'ru';

/** A text; a number; an amount in micro-rubles; null: an empty cell. */
export type Cell = string | number | { micro: number } | null;

/** Without this mark, spreadsheets read a file in the encoding of the system. */
const BOM = '\uFEFF';

/**
 * Rows as CSV (RFC 4180) in UTF-8. Russian spreadsheets separate cells with semicolons, since their decimals contain
 * commas.
 */
export function csvText(rows: readonly (readonly Cell[])[], language: Language): string {
  const separator = language === 'ru' ? ';' : ',';
  const lines = rows.map((row) => row.map((cell) => cellText(cell, language)).join(separator));
  return `${BOM}${lines.join('\r\n')}\r\n`;
}

/** The same as a file. */
export function csvOf(rows: readonly (readonly Cell[])[], language: Language): Blob {
  return new Blob([csvText(rows, language)], { type: 'text/csv;charset=utf-8' });
}

function cellText(cell: Cell, language: Language): string {
  if (cell === null) return '';
  if (typeof cell === 'string') return quoted(harmless(cell));
  const text = typeof cell === 'number' ? String(cell) : decimalOf(cell.micro);
  return language === 'ru' ? text.replace('.', ',') : text;
}

/** A spreadsheet runs a text with such a beginning as a formula. */
function harmless(text: string): string {
  return /^[=+\-@\t\r\0]/.test(text) ? `'${text}` : text;
}

function quoted(text: string): string {
  return /[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
