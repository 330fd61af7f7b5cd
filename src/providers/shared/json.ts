/** Readers for JSON of others: each takes anything and gives the type asked for, or says that it is not. */

export type JsonRecord = Readonly<Record<string, unknown>>;

export function asRecord(value: unknown): JsonRecord | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return value as JsonRecord;
}

export function asArray(value: unknown): readonly unknown[] | undefined {
  return Array.isArray(value) ? value : undefined;
}

/** Longest identifier or finish reason of a provider that is kept, in UTF-16 units. */
const LABEL_MAX = 255;

/** A short text such as an id: null when it is none, empty, or too long to be one. */
export function asLabel(value: unknown): string | null {
  if (typeof value !== 'string' || value === '' || value.length > LABEL_MAX) return null;
  return storable(value);
}

/**
 * PostgreSQL refuses U+0000 and SQLite garbles lone surrogates. An answer that is paid for must not be
 * lost to them, so both become U+FFFD.
 */
export function storable(text: string): string {
  const clean = text.includes('\0') ? text.replaceAll('\0', '\uFFFD') : text;
  return clean.isWellFormed() ? clean : clean.toWellFormed();
}
