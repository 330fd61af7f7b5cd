import type { Param, Sql } from './database.ts';

/**
 * Every distinct statement text stays prepared, so batches are cut: into powers of two, and what is left into
 * one chunk of its own size. So a statement has at most 34 texts, and the usual batch needs one of them.
 */
const CHUNK_MAX = 128;
/** Up to so many rows, each number of rows has a statement text of its own. */
const OWN_TEXT_MAX = 32;

function* chunks<T>(rows: readonly T[]): Generator<readonly T[]> {
  let start = 0;
  for (let size = CHUNK_MAX; rows.length - start > OWN_TEXT_MAX;) {
    if (rows.length - start >= size) {
      yield rows.slice(start, start + size);
      start += size;
    } else size /= 2;
  }
  if (start < rows.length) yield rows.slice(start);
}

/** `(CAST($1 AS BIGINT)),($2)` for two rows of one BIGINT: the first row tells the types of all. */
function typedRows(types: readonly string[], rows: number): string {
  const first = `(${types.map((type, index) => `CAST($${index + 1} AS ${type})`).join(',')})`;
  return [first, ...shifted(rowOf(types.length), types.length, rows).slice(1)].join(',');
}

/** `($1,$2,$3)` for 3. */
function rowOf(width: number): string {
  return `(${Array.from({ length: width }, (_, index) => `$${index + 1}`).join(',')})`;
}

/**
 * One row of SQL, `($1, 'open', $2)`, as often as asked for: the numbers of each begin after those of the one
 * before. Text that is a `$` and digits can't stand in it.
 */
function shifted(row: string, width: number, times: number): string[] {
  return Array.from({ length: times }, (_, at) =>
    row.replace(/\$(\d+)/g, (_dollar, number) => `$${Number(number) + at * width}`),
  );
}

/** Statement texts by statement and number of rows, so that a long text is made and hashed only once. */
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
 * @param shape how many columns a row has; or, where some of them are the same in all rows, what a row
 *   becomes: `($1, 'open', $2)`. It may become two, with the same values in both
 * @param suffix what follows the values, e.g. ` ON CONFLICT DO NOTHING`
 */
export async function insertRows(
  sql: Sql,
  into: string,
  shape: number | string,
  rows: readonly (readonly Param[])[],
  suffix = '',
): Promise<void> {
  const width = rows[0]?.length ?? 0;
  const statement = `${into} VALUES ${shape}${suffix}`;
  for (const chunk of chunks(rows)) {
    const text = cached(statement, chunk.length, () => {
      const row = typeof shape === 'string' ? shape : rowOf(shape);
      return `INSERT INTO ${into} VALUES ${shifted(row, width, chunk.length).join(',')}${suffix}`;
    });
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
      const values = typedRows(Object.values(columns), chunk.length);
      return `WITH v(${names}) AS (VALUES ${values}) ${statement}`;
    });
    results.push(...(await sql.query<R>(text, chunk.flat())));
  }
  return results;
}

/**
 * Runs a SELECT whose text has `(LIST)` where a list of values goes, for any number of values.
 * The last value is repeated up to the next power of two.
 * @param before parameters of the text, which come before those of the list
 */
export async function selectIn<R>(
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
    const listed = cached(text, size, () => {
      const first = before.length + 1;
      const list = Array.from({ length: size }, (_, index) => `$${first + index}`).join(',');
      return text.replace('(LIST)', `(${list})`);
    });
    results.push(...(await sql.query<R>(listed, [...before, ...padded])));
  }
  return results;
}
