import type { Dialect, Tx } from './database.ts';

interface AppendOnlyTable {
  table: string;
  refusal: string;
  remedy?: string;
  /** Rows with this key can't be replaced. Without it, `ON CONFLICT DO NOTHING` would be refused too. */
  key?: readonly string[];
}

/** The tables whose rows the database itself refuses to change. */
const appendOnlyTables: readonly AppendOnlyTable[] = [
  {
    table: 'ledger_entries',
    refusal: 'ledger entries are append-only',
    remedy: 'add a correction',
    key: ['user_id', 'transfer_id', 'account'],
  },
  {
    table: 'model_versions',
    refusal: 'a price once used stays',
    remedy: 'add a new version',
    key: ['id'],
  },
  { table: 'trust_history', refusal: 'the history of scores is append-only' },
];

interface Trigger {
  table: string;
  name: string;
  /** What follows `CREATE TRIGGER name`. */
  definition: string;
}

/** Makes the database refuse changes of the append-only tables. */
export async function createAppendOnlyTriggers(tx: Tx): Promise<void> {
  for (const { table, ...texts } of tx.dialect === 'postgres' ? appendOnlyTables : []) {
    await tx.query(`CREATE FUNCTION ${table}_refuse() RETURNS trigger LANGUAGE plpgsql AS
      $body$ BEGIN RAISE EXCEPTION '${messageOf(texts)}'; END $body$`);
  }
  for (const { name, definition } of appendOnlyTables.flatMap(triggersOf[tx.dialect])) {
    await tx.query(`CREATE TRIGGER ${name} ${definition}`);
  }
}

/** Two queries: the number of triggers that must exist, and those that are missing or disabled. */
export function appendOnlyTriggers(dialect: Dialect): { counts: string; missing: string } {
  const wanted = appendOnlyTables
    .flatMap(triggersOf[dialect])
    .map(({ table, name }) => `('${table}', '${name}')`);
  const from = `WITH wanted (tab, name) AS (VALUES ${wanted.join(', ')})`;
  return {
    counts: `${from} SELECT COUNT(*) AS n FROM wanted`,
    missing: `${from} SELECT tab AS "table", name AS "trigger" FROM wanted
      WHERE NOT EXISTS (${exists[dialect]}) ORDER BY name`,
  };
}

const exists: Record<Dialect, string> = {
  sqlite: `SELECT 1 FROM sqlite_schema s
    WHERE s.type = 'trigger' AND s.tbl_name = wanted.tab AND s.name = wanted.name`,
  postgres: `SELECT 1 FROM pg_trigger t WHERE t.tgrelid = to_regclass(wanted.tab)
    AND t.tgname = wanted.name AND t.tgenabled IN ('O', 'A')`,
};

const triggersOf: Record<Dialect, (table: AppendOnlyTable) => Trigger[]> = {
  sqlite({ table, key, ...texts }) {
    const changes = ['UPDATE', 'DELETE'].map((event) => ({
      table,
      name: `${table}_no_${event.toLowerCase()}`,
      definition: `BEFORE ${event} ON ${table} ${abort(messageOf(texts))}`,
    }));
    if (!key) return changes;
    // INSERT OR REPLACE deletes the other row without running the delete trigger, unless the connection turns that on,
    // and any program may open the file. A row is found by its key or by its rowid, which is -1 for an insert without one.
    const sameKey = key.map((column) => `${column} = NEW.${column}`).join(' AND ');
    const definition = `BEFORE INSERT ON ${table}
      WHEN EXISTS (SELECT 1 FROM ${table} WHERE ${sameKey})
        OR (NEW.rowid <> -1 AND EXISTS (SELECT 1 FROM ${table} WHERE rowid = NEW.rowid))
      ${abort(`${texts.refusal}: this row is there`)}`;
    return [...changes, { table, name: `${table}_no_replace`, definition }];
  },
  postgres: ({ table }) => [
    {
      table,
      name: `${table}_no_change`,
      definition: `BEFORE UPDATE OR DELETE ON ${table}
        FOR EACH ROW EXECUTE FUNCTION ${table}_refuse()`,
    },
    {
      table,
      name: `${table}_no_truncate`,
      definition: `BEFORE TRUNCATE ON ${table}
        FOR EACH STATEMENT EXECUTE FUNCTION ${table}_refuse()`,
    },
  ],
};

function abort(message: string): string {
  return `BEGIN SELECT RAISE(ABORT, '${message}'); END`;
}

function messageOf({ refusal, remedy }: Omit<AppendOnlyTable, 'table'>): string {
  return remedy === undefined ? refusal : `${refusal}: ${remedy}`;
}
