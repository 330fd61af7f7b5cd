import type { Database } from '../../src/db/index.ts';

/**
 * Everything that a database enforces, as sorted lines: columns, keys, checks, indexes, triggers. The order of columns
 * and the layout of statements do not count.
 */
export async function schemaFacts(db: Database): Promise<string[]> {
  const lines = db.dialect === 'sqlite' ? await sqliteFacts(db) : await postgresFacts(db);
  return lines.toSorted();
}

async function sqliteFacts(db: Database): Promise<string[]> {
  const objects = await db.query<{ type: string; name: string; sql: string | null }>(
    'SELECT type, name, sql FROM sqlite_schema',
  );
  const columns = await db.query(
    // A key is never null, whether or not its table says so.
    `SELECT m.name AS tab, c.name AS col, c.type, c."notnull" OR c.pk > 0 AS required, c.pk, c.dflt_value AS preset
     FROM sqlite_schema m, pragma_table_info(m.name) c WHERE m.type = 'table'`,
  );
  const references = await db.query(
    `SELECT m.name AS tab, f."from", f."table", f."to", f.on_update, f.on_delete
     FROM sqlite_schema m, pragma_foreign_key_list(m.name) f WHERE m.type = 'table'`,
  );
  const indexes = await db.query(
    `SELECT m.name AS tab, l."unique", l.origin, l.partial, i.seqno, i.name AS col, i."desc", i.coll
     FROM sqlite_schema m, pragma_index_list(m.name) l, pragma_index_xinfo(l.name) i
     WHERE m.type = 'table' AND i.key = 1`,
  );
  const texts = objects.flatMap(({ type, name, sql }) => {
    const text = (sql ?? '').replaceAll(/\s+/g, ' ').trim();
    return type === 'table'
      ? checksIn(text).map((check) => `${name} ${check}`)
      : [`${name} ${text}`];
  });
  return [...texts, ...[...columns, ...references, ...indexes].map((row) => JSON.stringify(row))];
}

/** Every `CHECK (…)` of a statement, with the parentheses inside it. */
function checksIn(text: string): string[] {
  return text
    .split(/(?=CHECK \()/)
    .slice(1)
    .map((rest) => {
      let depth = 0;
      const end = rest.split('').findIndex((character) => {
        if (character === '(') depth++;
        return character === ')' && --depth === 0;
      });
      return rest.slice(0, end + 1);
    });
}

async function postgresFacts(db: Database): Promise<string[]> {
  const queries = [
    `SELECT table_name, column_name, udt_name, is_nullable, column_default, collation_name
     FROM information_schema.columns WHERE table_schema = 'public'`,
    `SELECT CAST(CAST(conrelid AS regclass) AS TEXT) AS tab, CAST(conname AS TEXT) AS name, pg_get_constraintdef(oid) AS def
     FROM pg_constraint WHERE connamespace = CAST('public' AS regnamespace)`,
    `SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'`,
    `SELECT pg_get_triggerdef(oid) AS def, CAST(tgenabled AS TEXT) AS enabled FROM pg_trigger WHERE NOT tgisinternal`,
    `SELECT regexp_replace(pg_get_functiondef(oid), '\\s+', ' ', 'g') AS def FROM pg_proc
     WHERE pronamespace = CAST('public' AS regnamespace)`,
  ];
  const lines: string[] = [];
  for (const query of queries) {
    for (const row of await db.query(query)) lines.push(JSON.stringify(row));
  }
  return lines;
}
