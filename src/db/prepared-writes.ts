import { chunks, LAST_CHUNK_MAX } from './query-in.ts';
import type { Param, Tx } from './database.ts';
import type { Columns, RequiredColumn, RowOf, Table } from './table.ts';

/** A row without columns other than those of `Row`. */
type Exactly<Row, R extends Row> = R & { [Name in Exclude<keyof R & string, keyof Row>]: never };

/** Writes any number of rows with few statements. @returns the rows of the RETURNING clause */
export interface WriteRows<Row, Returned = never> {
  <R extends Row>(tx: Tx, rows: readonly Exactly<Row, R>[]): Promise<Returned[]>;
  /** Exists only as a type: see `RowFor`. */
  readonly row?: Row;
}

/** The rows that a prepared write takes. */
export type RowFor<W> = W extends { readonly row?: infer Row } ? NonNullable<Row> : never;

interface InsertOptions<Column extends string, Returning, RequiredOnly extends boolean, Made> {
  /** Omits all columns that may be null; they become null. */
  requiredOnly?: RequiredOnly;
  /**
   * Columns that are not given, with their SQL: `{ state: "'pending'", asked_version_id: 'version_id' }`. The names of
   * given columns in it are their values. Each given value takes time of a send.
   */
  made?: Readonly<Record<Made & string, string>>;
  /** Writes a second row for each given one, with this SQL in some columns. */
  second?: Readonly<Partial<Record<Column, string>>>;
  /** The text after the values, such as `ON CONFLICT DO NOTHING`. */
  onConflict?: string;
  returning?: readonly Returning[];
}

/**
 * Prepares an INSERT into all columns of a table:
 * `INSERT INTO counters (name,value) VALUES ($1,$2),($3,$4) ON CONFLICT DO NOTHING`.
 */
export function prepareInsert<
  C extends Columns,
  Returning extends keyof C & string = never,
  RequiredOnly extends boolean = false,
  Made extends keyof C & string = never,
>(
  { name, columns }: Table<C>,
  options: InsertOptions<keyof C & string, Returning, RequiredOnly, Made> = {},
): WriteRows<
  Omit<Pick<RowOf<C>, RequiredOnly extends true ? RequiredColumn<C> : keyof C>, Made>,
  Pick<RowOf<C>, Returning>
> {
  const { requiredOnly, onConflict = '', returning = [], second } = options;
  const made: Readonly<Record<string, string>> = options.made ?? {};
  const written = Object.keys(columns).filter(
    (column) => !requiredOnly || !columns[column]?.endsWith(' NULL'),
  );
  const given = written.filter((column) => made[column] === undefined);
  const each = [made, ...(second ? [{ ...made, ...second }] : [])];
  const into = `INSERT INTO ${name} (${written.join(',')}) VALUES`;
  const end = `${onConflict} ${returningClause(name, returning)}`;
  return prepare(given, (rows) => {
    const values = Array.from({ length: rows }, (_, row) =>
      each.map((sql) => {
        const texts = written.map((column) => valueText(sql[column] ?? column, given, row));
        return `(${texts.join(',')})`;
      }),
    );
    return `${into} ${values.join(',')} ${end}`;
  });
}

/** The SQL of a value, with the parameters of a row in place of the names of given columns. */
function valueText(sql: string, given: readonly string[], row: number): string {
  return sql.replace(/'[^']*'|\w+/g, (word) => {
    const at = given.indexOf(word);
    return at < 0 ? word : `$${row * given.length + at + 1}`;
  });
}

interface UpdateOptions<Key, Set, Changed extends string, Returning, Given> {
  /** The columns that find the row to update. */
  key: readonly Key[];
  /** Columns that only `where` reads, as columns of `v`. */
  given?: readonly Given[];
  /** Columns that take the given values. */
  set: readonly Set[];
  /**
   * Columns that take the values of expressions, which see the given row as `v`: `{ spend: 'rooms.spend + v.spend' }`.
   */
  change?: Readonly<Record<Changed, string>>;
  /** A further condition on the row: `messages.state = 'pending'`. */
  where?: string;
  returning?: readonly Returning[];
}

/**
 * Prepares an UPDATE of rows by their keys: `WITH v(room_id,title) AS (VALUES (…)) UPDATE rooms SET title = v.title
 * FROM v WHERE rooms.room_id = v.room_id`. Keys without a row are ignored.
 */
export function prepareUpdate<
  C extends Columns,
  Key extends keyof C & string,
  Set extends keyof C & string,
  Changed extends keyof C & string = never,
  Returning extends keyof C & string = never,
  Given extends keyof C & string = never,
>(
  { name, columns }: Table<C>,
  options: UpdateOptions<Key, Set, Changed, Returning, Given>,
): WriteRows<Pick<RowOf<C>, Key | Set | Changed | Given>, Pick<RowOf<C>, Returning>> {
  const { key, set, change, where, returning = [] } = options;
  const changes = Object.entries<string>(change ?? {});
  const given: string[] = [
    ...key,
    ...(options.given ?? []),
    ...set,
    ...changes.map(([column]) => column),
  ];
  const assigned = [...set.map((column) => [column, `v.${column}`]), ...changes];
  const found = key.map((column) => `${name}.${column} = v.${column}`);
  if (where !== undefined) found.push(where);
  const update = `UPDATE ${name} SET ${assigned.map((pair) => pair.join(' = ')).join(', ')}
    FROM v WHERE ${found.join(' AND ')} ${returningClause(name, returning)}`;
  const types = given.map((column) => columns[column]);
  return prepare(
    given,
    (rows) => `WITH v(${given.join(',')}) AS (${valuesText(types, rows)}) ${update}`,
  );
}

/** Prepares a DELETE of rows by their keys. */
export function prepareDelete<C extends Columns, Key extends keyof C & string>(
  { name, columns }: Table<C>,
  key: readonly Key[],
): WriteRows<Pick<RowOf<C>, Key>> {
  const types = key.map((column) => columns[column]);
  return prepare(
    key,
    (rows) => `DELETE FROM ${name} WHERE (${key.join(',')}) IN (${valuesText(types, rows)})`,
  );
}

/** A write whose text is made only once for each number of rows. */
function prepare<Row, Returned>(
  columns: readonly string[],
  textOf: (rows: number) => string,
): WriteRows<Row, Returned> {
  const texts = new Map<number, string>();
  const write = (tx: Tx, rows: readonly ValueRow[]): Promise<Returned[]> => {
    let text = texts.get(rows.length);
    if (text === undefined) texts.set(rows.length, (text = textOf(rows.length)));
    return tx.query<Returned>(text, valuesOf(rows, columns));
  };
  return async (tx: Tx, given: readonly unknown[]) => {
    const rows = given as readonly ValueRow[];
    // Nearly all writes of a send are one chunk, or none.
    if (rows.length === 0) return [];
    if (rows.length <= LAST_CHUNK_MAX) return write(tx, rows);
    const returned: Returned[] = [];
    for (const chunk of chunks(rows)) returned.push(...(await write(tx, chunk)));
    return returned;
  };
}

/** The values of all columns, row by row. They are read column by column, which takes half the time. */
function valuesOf(rows: readonly ValueRow[], columns: readonly string[]): Param[] {
  const values: Param[] = [];
  values.length = rows.length * columns.length;
  columns.forEach((column, first) => {
    let at = first;
    for (const row of rows) {
      values[at] = row[column] ?? null;
      at += columns.length;
    }
  });
  return values;
}

/** A row by the names of its columns. */
type ValueRow = Readonly<Record<string, Param>>;

/** `($4,$5,$6)` for the second row of three columns. */
function rowText(width: number, row: number): string {
  return `(${Array.from({ length: width }, (_, column) => `$${row * width + column + 1}`).join(',')})`;
}

/** `VALUES (CAST($1 AS BIGINT)),($2)`: the types of the first row determine those of all rows. */
function valuesText(types: readonly (string | undefined)[], rows: number): string {
  const first = types.map((type, at) => `CAST($${at + 1} AS ${type?.split(' ')[0]})`);
  const others = Array.from({ length: rows - 1 }, (_, row) => rowText(types.length, row + 1));
  return `VALUES ${[`(${first.join(',')})`, ...others].join(',')}`;
}

function returningClause(table: string, columns: readonly string[]): string {
  if (columns.length === 0) return '';
  return `RETURNING ${columns.map((column) => `${table}.${column}`).join(', ')}`;
}
