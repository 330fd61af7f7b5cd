import { CHUNK_MAX } from './chunks.ts';
import type { Param, Sql } from './database.ts';

/** Texts by statement and number of values, so that a long text is made and hashed only once. */
const texts = new Map<string, Map<number, string>>();

/**
 * Runs a statement whose text has `(LIST)` where a list of values goes, for any number of values, and returns its rows.
 * The last value is repeated up to the next power of two.
 * @param before parameters of the text, which come before those of the list
 */
export async function queryIn<R>(
  sql: Sql,
  text: string,
  values: readonly (string | number)[],
  before: readonly Param[] = [],
): Promise<R[]> {
  const results: R[] = [];
  for (let start = 0; start < values.length; start += CHUNK_MAX) {
    const chunk = values.slice(start, start + CHUNK_MAX);
    let size = 1;
    while (size < chunk.length) size *= 2;
    const padded = chunk.concat(
      Array.from({ length: size - chunk.length }, () => chunk[chunk.length - 1] ?? 0),
    );
    results.push(
      ...(await sql.query<R>(listed(text, size, before.length), [...before, ...padded])),
    );
  }
  return results;
}

function listed(text: string, size: number, before: number): string {
  let ofText = texts.get(text);
  if (ofText === undefined) texts.set(text, (ofText = new Map()));
  let made = ofText.get(size);
  if (made === undefined) {
    const list = Array.from({ length: size }, (_, index) => `$${before + index + 1}`).join(',');
    ofText.set(size, (made = text.replace('(LIST)', `(${list})`)));
  }
  return made;
}
