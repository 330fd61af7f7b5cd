/** Upgrades of databases with rows from every earlier schema: nothing is lost, and the gateway serves them. */
import { ConstraintError } from '../../src/db/database.ts';
import { beforeAll, describe, expect, test } from 'bun:test';
import { migrate, type Database, type Dialect, type Param, type Tx } from '../../src/db/index.ts';
import { migrations } from '../../src/db/migrations/index.ts';
import { dialects, openTestDatabase } from '../support/databases.ts';
import { openGateway } from '../support/gateway.ts';
import { schemaFacts } from '../support/schema-facts.ts';
import { chatterOf, expectBooksHold, openWorld, type World } from '../support/world.ts';
import { OLDEST, openOldestSchema } from './schema-12.ts';

type Row = Record<string, Param>;
/** Rows by table. */
type Dump = Map<string, Row[]>;

/** Columns by table, of the product's own tables. FTS5 fills its own from `search_texts`. */
async function columnsOf(db: Database): Promise<Map<string, string[]>> {
  const rows = await db.query<{ tab: string; col: string }>(
    db.dialect === 'sqlite'
      ? `SELECT m.name AS tab, c.name AS col FROM sqlite_master m, pragma_table_info(m.name) c
         WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' AND m.name NOT LIKE 'search_fts%' ORDER BY m.name, c.cid`
      : `SELECT table_name AS tab, column_name AS col FROM information_schema.columns
         WHERE table_schema = 'public' ORDER BY table_name, ordinal_position`,
  );
  const columns = Map.groupBy(rows, ({ tab }) => tab);
  columns.delete('migrations');
  return new Map([...columns].map(([tab, list]) => [tab, list.map(({ col }) => col)]));
}

async function dump(db: Database): Promise<Dump> {
  const tables: Dump = new Map();
  for (const [table, columns] of await columnsOf(db)) {
    const order = columns.join(', ');
    tables.set(table, await db.query<Row>(`SELECT ${order} FROM ${table} ORDER BY ${order}`));
  }
  return tables;
}

/** Writes the rows into an older schema. A column that was dropped later is a number. */
async function fill(db: Database, rows: Dump): Promise<void> {
  let left = [...(await columnsOf(db))];
  // A table that refers to another comes after it; the database shows which ones do.
  while (left.length > 0) {
    const refused: typeof left = [];
    for (const [table, columns] of left) {
      try {
        await db.transaction((tx) => insert(tx, table, columns, rows.get(table) ?? []));
      } catch (error) {
        if (!(error instanceof ConstraintError)) throw error;
        refused.push([table, columns]);
      }
    }
    if (refused.length === left.length) throw new Error(`can not fill ${refused.join('; ')}`);
    left = refused;
  }
}

async function insert(tx: Tx, table: string, columns: string[], rows: Row[]): Promise<void> {
  const numbers = columns.map((_, at) => `$${at + 1}`);
  const text = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${numbers.join(', ')})`;
  for (const row of rows) {
    await tx.query(
      text,
      columns.map((name) => row[name] ?? (name in row ? null : 0)),
    );
  }
}

/** An example of everything that a gateway writes. */
async function live({ gateway, provider, user }: World): Promise<void> {
  const alice = await user({ credit: 10 });
  await alice.send({ message: 'Привет' }, { headers: { 'idempotency-key': 'kept' } });
  await alice.send({ ai: 103, message: 'a gate' });
  await provider.script('500');
  await alice.code({ message: 'fails' });
  await provider.script('good');
  await gateway.data<object>('/account/keys/', { name: 'laptop' }, alice);
  await gateway.login(alice.login);
  await gateway.data<object>('/auth/logout/', {}, await user());
  const gone = await user();
  await gone.send();
  await gateway.data<object>('/ai/room/delete/', { room_id: gone.room }, gone);
}

/** The rows that a gateway writes. */
async function rowsOn(dialect: Dialect): Promise<Dump> {
  await using world = await openWorld(dialect);
  await live(world);
  const rows = await dump(world.gateway.core.db);
  expect(rows.get('messages')).toHaveLength(4);
  return rows;
}

for (const dialect of dialects) {
  describe(`${dialect}: upgrade`, () => {
    // The same rows for all schemas: each gets the columns that it has.
    let written: Dump;
    beforeAll(async () => {
      written = await rowsOn(dialect);
    });

    test('an upgraded database has the same schema as a new one', async () => {
      await using older = await openOldestSchema(dialect);
      await migrate(older.db);
      await using newer = await openTestDatabase(dialect);
      const facts = await schemaFacts(newer.db);
      expect(facts.length).toBeGreaterThan(300);
      expect(await schemaFacts(older.db)).toEqual(facts);
    });

    test('standing API rooms stay the rooms of API calls', async () => {
      await using database = await openOldestSchema(dialect);
      const room = (id: number) => `api-room-${String(id).padStart(23, '0')}`;
      await database.db.transaction(async (tx) => {
        for (const id of [1, 2]) {
          await tx.query(
            `INSERT INTO users (id, login, login_folded, password_hash, is_admin, is_blocked,
               token_epoch, created_at) VALUES ($1, $2, $2, '', 0, 0, 1, 0)`,
            [id, `user-${id}`],
          );
        }
        for (const id of [room(1), 'a'.repeat(32)]) {
          await tx.query(
            `INSERT INTO rooms (room_id, user_id, title, message_count, spend, created_at,
               last_used_at, erased_through) VALUES ($1, 1, '', 0, 0, 0, 0, 0)`,
            [id],
          );
        }
      });
      await migrate(database.db);
      await using gateway = await openGateway(dialect, { database });
      const { rooms } = gateway.core;
      expect(await rooms.apiRoom(1)).toBe(room(1));
      const other = await rooms.apiRoom(2);
      expect(other).toMatch(/^[0-9a-f]{32}$/);
      expect(await rooms.apiRoom(2)).toBe(other);
    });

    test('logins with a capital sharp s are found in any case', async () => {
      await using database = await openOldestSchema(dialect);
      await migrate(database.db, 41);
      const folded = ['straße', 'weiße', 'weisse', 'ßss', 'ssß'];
      await database.db.transaction(async (tx) => {
        for (const [at, login] of folded.entries()) {
          await tx.query(
            `INSERT INTO users (id, login, login_folded, password_hash, is_admin, is_blocked, token_epoch, created_at)
             VALUES ($1, $2, $2, '', 0, 0, 1, 0)`,
            [at + 1, login],
          );
        }
      });
      await migrate(database.db);
      const rows = await database.db.query('SELECT login_folded FROM users ORDER BY id');
      const unmistakable = ['strasse', ...folded.slice(1)];
      expect(rows).toEqual(unmistakable.map((login_folded) => ({ login_folded })));
    });

    for (const number of [OLDEST, ...migrations.map((step) => step.number)]) {
      test(`from schema ${number}`, async () => {
        await using older = await openOldestSchema(dialect);
        await migrate(older.db, number);
        await fill(older.db, written);
        const before = await dump(older.db);
        expect(before.get('ledger_entries')).toEqual(written.get('ledger_entries') ?? []);
        const newer = migrations.map((step) => step.number).filter((step) => step > number);
        expect(await migrate(older.db)).toEqual(newer);

        const after = await dump(older.db);
        for (const [table, rows] of before) {
          // Sums of other tables, which no longer exist since schema 41.
          if (table === 'usage_periods') continue;
          const kept = after.get(table) ?? [];
          const expected = rows.map((row) => pick(row, kept[0]));
          expect(kept.map((row) => pick(row, rows[0]))).toEqual(expected);
        }
        // The counts in the account are computed again.
        expect(after.get('accounts')?.length).toBeGreaterThan(0);
        expect(after.get('accounts')).toEqual(written.get('accounts') ?? []);
        await using gateway = await openGateway(dialect, { database: older });
        await expectBooksHold(gateway);
        const login = String(written.get('users')?.[0]?.['login']);
        const token = await gateway.login(login);
        const room = await gateway.data<{ data: object[] }>(
          '/ai/history/',
          { room_id: null, include_failed: true },
          { token },
        );
        expect(room.data).toHaveLength(3);
        const user = { userId: 1, login, token };
        expect((await (await chatterOf(gateway, user)).send({ ai: 1 })).response).toContain(
          'Hello',
        );
        await expectBooksHold(gateway);
      });
    }
  });
}

/** The columns that the other row has too. */
function pick(row: Row, other: Row | undefined): Row {
  return Object.fromEntries(Object.entries(row).filter(([name]) => other && name in other));
}
