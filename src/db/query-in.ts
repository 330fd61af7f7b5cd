import type { Param, Sql } from './database.ts';

/** Texts by statement and number of values, so that a long text is built and hashed only once. */
const texts = new Map<string, Map<number, string>>();

/**
 * Runs a statement whose text contains `(LIST)` in place of a list of values, for any number of values, and returns its
 * rows. The last value is repeated up to the next power of two.
 * @param before parameters of the text, which come before those of the list
 */
export async function queryIn<R>(
  sql: Sql,
  text: string,
  values: readonly (string | number)[],
  before: readonly Param[] = [],
): Promise<R[]> {
  if (values.length <= CHUNK_MAX) return queryChunk(sql, text, values, before);
  const results: R[] = [];
  for (let start = 0; start < values.length; start += CHUNK_MAX) {
    const chunk = values.slice(start, start + CHUNK_MAX);
    results.push(...(await queryChunk<R>(sql, text, chunk, before)));
  }
  return results;
}

async function queryChunk<R>(
  sql: Sql,
  text: string,
  values: readonly (string | number)[],
  before: readonly Param[],
): Promise<R[]> {
  const last = values.at(-1);
  if (last === undefined) return [];
  let size = 1;
  while (size < values.length) size *= 2;
  const parameters = [...before, ...values];
  while (parameters.length < before.length + size) parameters.push(last);
  return sql.query<R>(listed(text, size, before.length), parameters);
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

/**
 * Every distinct statement text stays prepared, so rows are cut into chunks of few different sizes: powers of two, and
 * one last chunk of any size. A statement then has at most 34 texts, and the usual batch needs one of them.
 */
export const CHUNK_MAX = 128;
/** The largest size of the last chunk. */
export const LAST_CHUNK_MAX = 32;

export function* chunks<T>(rows: readonly T[]): Generator<readonly T[]> {
  let start = 0;
  for (let size = CHUNK_MAX; rows.length - start > LAST_CHUNK_MAX;) {
    if (rows.length - start >= size) {
      yield rows.slice(start, start + size);
      start += size;
    } else size /= 2;
  }
  if (start < rows.length) yield rows.slice(start);
}

/**
 * Waits for statements of one transaction that were started at the same time. They run in the order of their start, and
 * on PostgreSQL they share a round trip. When this returns or throws, all of them have ended.
 * @throws the error of the first statement that failed; on PostgreSQL the later ones then fail too
 */
export async function together<const Work extends readonly Promise<unknown>[]>(
  statements: Work,
): Promise<{ -readonly [At in keyof Work]: Awaited<Work[At]> }> {
  const ended = await Promise.allSettled(statements);
  const failed = ended.find((one) => one.status === 'rejected');
  if (failed) throw failed.reason;
  return ended.map((one) => (one as PromiseFulfilledResult<unknown>).value) as never;
}
