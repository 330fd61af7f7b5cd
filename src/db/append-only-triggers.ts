import type { Dialect } from './database.ts';

const tables = ['ledger_entries', 'model_versions', 'trust_history'] as const;

/** The triggers that the migrations create, with which the database itself refuses changes. */
const triggers: Record<Dialect, [table: string, name: string][]> = {
  sqlite: [
    ...tables.flatMap((table) => named(table, 'no_update', 'no_delete')),
    ...named('ledger_entries', 'no_replace'),
    ...named('model_versions', 'no_replace'),
  ],
  postgres: tables.flatMap((table) => named(table, 'no_change', 'no_truncate')),
};

const exists: Record<Dialect, string> = {
  sqlite: `SELECT 1 FROM sqlite_schema s
    WHERE s.type = 'trigger' AND s.tbl_name = wanted.tab AND s.name = wanted.name`,
  postgres: `SELECT 1 FROM pg_trigger t WHERE t.tgrelid = to_regclass(wanted.tab)
    AND t.tgname = wanted.name AND t.tgenabled IN ('O', 'A')`,
};

/** Two queries: the number of triggers that must exist, and those that are missing or disabled. */
export function appendOnlyTriggers(dialect: Dialect): { counts: string; missing: string } {
  const wanted = triggers[dialect].map(([table, name]) => `('${table}', '${name}')`);
  const from = `WITH wanted (tab, name) AS (VALUES ${wanted.join(', ')})`;
  return {
    counts: `${from} SELECT COUNT(*) AS n FROM wanted`,
    missing: `${from} SELECT tab AS "table", name AS "trigger" FROM wanted
      WHERE NOT EXISTS (${exists[dialect]}) ORDER BY name`,
  };
}

function named(table: string, ...events: string[]): [table: string, name: string][] {
  return events.map((event) => [table, `${table}_${event}`]);
}
