/** Rows of SQLite copied to PostgreSQL: the same values, or an error that names the column. */
import { describe, expect, test } from 'bun:test';
import {
  copyTables,
  filledTables,
  prepareInsert,
  tables,
  type Database,
} from '../../src/db/index.ts';
import { dialects, openTestDatabase } from '../support/databases.ts';
import { failure } from '../support/failure.ts';

const texts = ['', 'Привет 👋', 'e\u0301 \u202Eabc', "'); DROP TABLE users; --", '\\x00', '$1 ?1'];
const numbers = [0, -1, 8_000_000_000_000_000, -8_000_000_000_000_000, Number.MAX_SAFE_INTEGER];
const bytes = [new Uint8Array(), new Uint8Array([0, 255, 92, 39]), new Uint8Array(300_000).fill(7)];

async function fill(db: Database): Promise<void> {
  await db.transaction(async (tx) => {
    await prepareInsert(tables.settings)(
      tx,
      // More rows than one statement takes, and not a multiple of that number.
      Array.from({ length: 201 }, (_, at) => ({
        name: `${at}`,
        value: texts[at % texts.length] ?? '',
      })),
    );
    await prepareInsert(tables.counters)(
      tx,
      numbers.map((value, at) => ({ name: `${at}`, value })),
    );
    await prepareInsert(tables.image_bytes)(
      tx,
      bytes.map((data, at) => ({ id: `${at}`, data })),
    );
    // The search index is built again, since PostgreSQL has a different one.
    await tx.query('INSERT INTO search_cursors (user_id, through_id) VALUES (1, 1)');
    await tx.query(`INSERT INTO search_texts (user_id, message_id, words) VALUES (1, 1, '1xa')`);
    // Removed rows leave gaps in the row numbers.
    await tx.query(`DELETE FROM settings WHERE name IN ('3', '64', '65', '199')`);
  });
}

async function rowsOf(db: Database, table: string, key: string): Promise<unknown[]> {
  const rows = await db.query(`SELECT * FROM ${table}`);
  rows.sort((a, b) => String(a[key]).localeCompare(String(b[key])));
  return rows.map(({ data, ...row }) =>
    data instanceof Uint8Array ? { ...row, data: Bun.hash(data), size: data.length } : row,
  );
}

describe.if(dialects.includes('postgres'))('a copy to PostgreSQL', () => {
  test('has every row, value for value', async () => {
    await using sqlite = await openTestDatabase('sqlite');
    await using postgres = await openTestDatabase('postgres');
    await fill(sqlite.db);
    const copiedRows = new Map<string, number>();
    const copied = await sqlite.db.snapshot((from) =>
      postgres.db.transaction(async (to) => {
        expect(await filledTables(to)).toEqual([]);
        return copyTables(from, to, ({ name, done, total }) => {
          expect(done).toBeLessThanOrEqual(total);
          copiedRows.set(name, done);
        });
      }),
    );
    expect(copied.filter(({ rows }) => rows > 0)).toEqual([
      { name: 'counters', rows: numbers.length },
      { name: 'settings', rows: 197 },
      { name: 'image_bytes', rows: bytes.length },
    ]);
    expect(copiedRows.get('settings')).toBe(197);
    expect(copied.map(({ name }) => name)).toContain('messages');
    for (const [table, key] of [
      ['settings', 'name'],
      ['counters', 'name'],
      ['image_bytes', 'id'],
    ] as const) {
      expect(await rowsOf(postgres.db, table, key)).toEqual(await rowsOf(sqlite.db, table, key));
    }
    await postgres.db.snapshot(async (sql) => {
      expect((await filledTables(sql)).sort()).toEqual(['counters', 'image_bytes', 'settings']);
    });
  });

  test('is refused as a whole if the target does not store what it was sent', async () => {
    await using sqlite = await openTestDatabase('sqlite');
    await using postgres = await openTestDatabase('postgres');
    await fill(sqlite.db);
    await postgres.db.transaction(async (tx) => {
      await tx.query(
        `CREATE FUNCTION bend() RETURNS trigger LANGUAGE plpgsql AS $$
         BEGIN IF NEW.name = '150' THEN NEW.value := 'another'; END IF; RETURN NEW; END $$`,
      );
      await tx.query(
        'CREATE TRIGGER bend BEFORE INSERT ON settings FOR EACH ROW EXECUTE FUNCTION bend()',
      );
    });
    const copying = sqlite.db.snapshot((from) =>
      postgres.db.transaction((to) => copyTables(from, to)),
    );
    expect(await failure(copying)).toMatchObject({
      message: 'settings.value was stored with another value',
    });
    expect(await postgres.db.query('SELECT * FROM counters')).toEqual([]);
  });

  test('puts each table after those that it refers to', async () => {
    await using sqlite = await openTestDatabase('sqlite');
    await using postgres = await openTestDatabase('postgres');
    const copied = await sqlite.db.snapshot((from) =>
      postgres.db.transaction((to) => copyTables(from, to)),
    );
    const names = copied.map(({ name }) => name);
    for (const [first, second] of [
      ['users', 'accounts'],
      ['users', 'rooms'],
      ['providers', 'models'],
    ] as const) {
      expect(names.indexOf(first)).toBeLessThan(names.indexOf(second));
    }
  });
});
