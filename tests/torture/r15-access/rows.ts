/** All rows that the database stores for a user, to see that nobody changed them. */
import type { Database } from '../../../src/db/index.ts';

export async function rowsOf(db: Database, userId: number): Promise<string> {
  const tables = await tablesWithUsers(db);
  const parts: string[] = [];
  for (const table of tables.sort()) {
    const rows = await db.query(`SELECT * FROM ${table} WHERE user_id = $1`, [userId]);
    parts.push(table, ...rows.map((row) => JSON.stringify(row)).sort());
  }
  const users = await db.query('SELECT * FROM users WHERE id = $1', [userId]);
  return [...parts, JSON.stringify(users)].join('\n');
}

async function tablesWithUsers(db: Database): Promise<string[]> {
  const rows = await db.query<{ name: string }>(
    db.dialect === 'sqlite'
      ? `SELECT m.name FROM sqlite_schema m JOIN pragma_table_info(m.name) c
         WHERE m.type = 'table' AND c.name = 'user_id'`
      : `SELECT table_name AS name FROM information_schema.columns
         WHERE table_schema = 'public' AND column_name = 'user_id'`,
  );
  // The audit is not data of users: it records the acts of operators about a user.
  return rows.map(({ name }) => name).filter((name) => name !== 'audit_entries');
}
