/** Readers for untrusted JSON. */

export type JsonRecord = Readonly<Record<string, unknown>>;

export function asRecord(value: unknown): JsonRecord | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return value as JsonRecord;
}

export function asArray(value: unknown): readonly unknown[] | undefined {
  return Array.isArray(value) ? value : undefined;
}

/** The longest identifier or finish reason of a provider that is kept, in UTF-16 units. */
const LABEL_MAX = 255;

/** A short string such as an id; null if it is empty, too long or not a string. */
export function asLabel(value: unknown): string | null {
  if (typeof value !== 'string' || value === '' || value.length > LABEL_MAX) return null;
  return storable(value);
}

/**
 * Replaces what databases cannot store by U+FFFD, so that an answer that is paid for is not lost: PostgreSQL refuses
 * U+0000, and SQLite garbles lone surrogates.
 */
export function storable(text: string): string {
  const clean = text.includes('\0') ? text.replaceAll('\0', '\uFFFD') : text;
  return clean.isWellFormed() ? clean : clean.toWellFormed();
}
