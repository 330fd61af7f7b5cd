import type { Param, Sql } from './database.ts';

/**
 * Every distinct statement text stays prepared, so batches are cut into powers of two: any number of
 * rows needs at most eight texts of one statement.
 */
const CHUNK_MAX = 128;

function* chunks<T>(rows: readonly T[]): Generator<readonly T[]> {
  let start = 0;
  for (let size = CHUNK_MAX; start < rows.length;) {
    if (rows.length - start >= size) {
      yield rows.slice(start, start + size);
      start += size;
    } else size /= 2;
  }
}

/** `($1,$2),($3,$4)` for `rows` rows of `types.length` columns, with CASTs where a type is given. */
function placeholders(types: readonly (string | null)[], rows: number, firstIndex: number): string {
  let index = firstIndex;
  const lines: string[] = [];
  for (let row = 0; row < rows; row++) {
    const cells = types.map((type) =>
      type && row === 0 ? `CAST($${index++} AS ${type})` : `$${index++}`,
    );
    lines.push(`(${cells.join(',')})`);
  }
  return lines.join(',');
}

/** By statement and then by the number of its rows: long texts are hashed once, not at every use. */
const texts = new Map<string, Map<number, string>>();

function cached(statement: string, rows: number, make: () => string): string {
  let ofStatement = texts.get(statement);
  if (ofStatement === undefined) texts.set(statement, (ofStatement = new Map()));
  let text = ofStatement.get(rows);
  if (text === undefined) ofStatement.set(rows, (text = make()));
  return text;
}

/**
 * Inserts many rows with few statements.
 * @param into `table (a, b)`
 * @param width how many columns a row has
 * @param suffix what follows the values, e.g. ` ON CONFLICT DO NOTHING`
 */
export async function insertRows(
  sql: Sql,
  into: string,
  width: number,
  rows: readonly (readonly Param[])[],
  suffix = '',
): Promise<void> {
  const types = (): null[] => Array.from({ length: width }, () => null);
  for (const chunk of chunks(rows)) {
    const text = cached(
      suffix === '' ? into : into + suffix,
      chunk.length,
      () => `INSERT INTO ${into} VALUES ${placeholders(types(), chunk.length, 1)}${suffix}`,
    );
    await sql.query(text, chunk.flat());
  }
}

/**
 * Updates many rows from a table of values named `v`, in few statements.
 * @param columns name and type of each value column, e.g. `{ uid: 'BIGINT', spend: 'BIGINT' }`
 * @param statement what follows the `WITH v(…) AS (VALUES …)`, an UPDATE that reads `v`
 * @returns the rows of its RETURNING clause, of all chunks
 */
export async function updateRows<R>(
  sql: Sql,
  columns: Readonly<Record<string, 'BIGINT' | 'INTEGER' | 'TEXT'>>,
  statement: string,
  rows: readonly (readonly Param[])[],
): Promise<R[]> {
  const results: R[] = [];
  for (const chunk of chunks(rows)) {
    const text = cached(statement, chunk.length, () => {
      const names = Object.keys(columns).join(',');
      const values = placeholders(Object.values(columns), chunk.length, 1);
      return `WITH v(${names}) AS (VALUES ${values}) ${statement}`;
    });
    results.push(...(await sql.query<R>(text, chunk.flat())));
  }
  return results;
}

/**
 * Runs a SELECT whose text has `(LIST)` where a list of values goes, for any number of values.
 * The last value is repeated up to the next power of two.
 */
export async function selectIn<R>(
  sql: Sql,
  text: string,
  values: readonly (string | number)[],
): Promise<R[]> {
  const results: R[] = [];
  for (let start = 0; start < values.length; start += CHUNK_MAX) {
    const chunk = values.slice(start, start + CHUNK_MAX);
    let size = 1;
    while (size < chunk.length) size *= 2;
    const padded = chunk.concat(
      Array.from({ length: size - chunk.length }, () => chunk[chunk.length - 1] ?? 0),
    );
    const listed = cached(text, size, () => {
      const list = Array.from({ length: size }, (_, index) => `$${index + 1}`).join(',');
      return text.replace('(LIST)', `(${list})`);
    });
    results.push(...(await sql.query<R>(listed, padded)));
  }
  return results;
}
