import type { Dialect, Tx } from './database.ts';

interface AppendOnlyTable {
  table: string;
  /** The error of the database when it refuses a change. */
  refusal: string;
  /**
   * Rows that can't be replaced. `trust_history` has no such rule, since it would also refuse `ON CONFLICT DO NOTHING`.
   */
  unique?: { key: readonly string[]; refusal: string };
}

const appendOnlyTables: readonly AppendOnlyTable[] = [
  {
    table: 'ledger_entries',
    refusal: 'ledger entries are append-only: add a correction',
    unique: {
      key: ['user_id', 'transfer_id', 'account'],
      refusal: 'ledger entries are append-only: this row is there',
    },
  },
  {
    table: 'model_versions',
    refusal: 'a price once used stays: add a new version',
    unique: { key: ['id'], refusal: 'a price once used stays: this row is there' },
  },
  { table: 'trust_history', refusal: 'the history of scores is append-only' },
  {
    table: 'audit_entries',
    refusal: 'the audit is append-only',
    unique: { key: ['number'], refusal: 'the audit is append-only: this row is there' },
  },
];

/** Makes the database refuse changes of the append-only tables. @param only if given, just this table */
export async function createAppendOnlyTriggers(tx: Tx, only?: string): Promise<void> {
  for (const one of appendOnlyTables) {
    if (only !== undefined && one.table !== only) continue;
    if (tx.dialect === 'postgres') {
      await tx.query(`CREATE FUNCTION ${one.table}_refuse() RETURNS trigger LANGUAGE plpgsql AS
        $body$ BEGIN RAISE EXCEPTION '${one.refusal}'; END $body$`);
    }
    for (const [name, definition] of triggersOf[tx.dialect](one)) {
      await tx.query(`CREATE TRIGGER ${one.table}_${name} ${definition}`);
    }
  }
}

/** The triggers that must exist: see `queriesOfTriggers`. */
export function appendOnlyTriggers(dialect: Dialect): TriggerQueries {
  return queriesOfTriggers(
    dialect,
    appendOnlyTables.flatMap((one) =>
      triggersOf[dialect](one).map(([name]): Trigger => [one.table, `${one.table}_${name}`]),
    ),
  );
}

type Trigger = readonly [table: string, name: string];

export interface TriggerQueries {
  counts: string;
  missing: string;
}

/** Two queries: the number of these triggers, and the names of those that are missing or disabled. */
export function queriesOfTriggers(dialect: Dialect, triggers: readonly Trigger[]): TriggerQueries {
  const wanted = triggers.map(([table, name]) => `('${table}', '${name}')`);
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

/** The triggers of a table: their names without the table's name, and the text after `CREATE TRIGGER name`. */
type TriggersOf = (table: AppendOnlyTable) => [name: string, definition: string][];

const triggersOf: Record<Dialect, TriggersOf> = {
  sqlite: ({ table, refusal, unique }) => [
    ['no_update', `BEFORE UPDATE ON ${table} ${abort(refusal)}`],
    ['no_delete', `BEFORE DELETE ON ${table} ${abort(refusal)}`],
    ...(unique ? [['no_replace', beforeReplacement(table, unique)] as [string, string]] : []),
  ],
  postgres: ({ table }) => [
    [
      'no_change',
      `BEFORE UPDATE OR DELETE ON ${table} FOR EACH ROW EXECUTE FUNCTION ${table}_refuse()`,
    ],
    [
      'no_truncate',
      `BEFORE TRUNCATE ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION ${table}_refuse()`,
    ],
  ],
};

/**
 * `INSERT OR REPLACE` deletes the other row without running the delete trigger, unless the connection turns that on,
 * and any program may open the file. The other row has the same key or rowid (an insert without a rowid shows -1).
 */
function beforeReplacement(
  table: string,
  { key, refusal }: NonNullable<AppendOnlyTable['unique']>,
): string {
  const sameKey = key.map((column) => `${column} = NEW.${column}`).join(' AND ');
  return `BEFORE INSERT ON ${table}
    WHEN EXISTS (SELECT 1 FROM ${table} WHERE ${sameKey})
      OR (NEW.rowid <> -1 AND EXISTS (SELECT 1 FROM ${table} WHERE rowid = NEW.rowid))
    ${abort(refusal)}`;
}

function abort(message: string): string {
  return `BEGIN SELECT RAISE(ABORT, '${message}'); END`;
}
