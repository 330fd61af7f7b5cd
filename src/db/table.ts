type BaseType = 'BIGINT' | 'INTEGER' | 'TEXT' | 'BYTEA';

/** The SQL type of a column; `NULL` marks a column that may be null. A default is for rows that are written by hand. */
type ColumnType = BaseType | `${BaseType} NULL` | `${BaseType} DEFAULT ${string}`;

export type Columns = Readonly<Record<string, ColumnType>>;

export interface Table<C extends Columns = Columns> {
  readonly name: string;
  readonly columns: C;
}

type ValueOf<T extends ColumnType> = T extends `${infer Base extends BaseType} NULL`
  ? ValueOf<Base> | null
  : T extends `TEXT${string}`
    ? string
    : T extends 'BYTEA'
      ? Uint8Array
      : number;

export type RowOf<C extends Columns> = { -readonly [Name in keyof C]: ValueOf<C[Name]> };

export type RequiredColumn<C extends Columns> = {
  [Name in keyof C]: C[Name] extends `${string} NULL` ? never : Name;
}[keyof C] &
  string;

/** @param columns by table name, the type of each column */
export function defineTables<const M extends Readonly<Record<string, Columns>>>(
  columns: M,
): { readonly [Name in keyof M]: Table<M[Name]> } {
  const tables = Object.entries(columns).map(([name, map]) => [name, { name, columns: map }]);
  return Object.fromEntries(tables) as { [Name in keyof M]: Table<M[Name]> };
}

/**
 * All columns of a table, for a SELECT. With `*` instead, PostgreSQL would refuse already prepared statements once a
 * migration of another node has added a column.
 */
export function columnList({ columns }: Table): string {
  return Object.keys(columns).join(', ');
}

/** A table reduced to the columns that are written. */
export function pickColumns<C extends Columns, Name extends keyof C & string>(
  { name, columns }: Table<C>,
  names: readonly Name[],
): Table<Pick<C, Name>> {
  const picked = Object.fromEntries(names.map((column) => [column, columns[column]]));
  return { name, columns: picked as unknown as Pick<C, Name> };
}

/** Columns of one type. */
export function sumColumns<Name extends string, Type extends string>(
  names: readonly Name[],
  type: Type,
) {
  return Object.fromEntries(names.map((name) => [name, type])) as Record<Name, Type>;
}
