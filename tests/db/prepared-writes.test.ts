/** Writes of many rows, which name their columns. The types are tested where this is compiled. */
import { describe, expect, test } from 'bun:test';
import {
  defineTables,
  noUsageCounts,
  prepareDelete,
  prepareInsert,
  prepareUpdate,
  queryIn,
  tables,
  type RowFor,
  type Tx,
} from '../../src/db/index.ts';
import { dialects, openTestDatabase } from '../support/databases.ts';

/** Around every boundary between powers of two and chunks, and up to 300. */
const sizes = [...Array(20).keys(), 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 300];

const { stored } = defineTables({ stored: { id: 'BIGINT', amount: 'BIGINT', note: 'TEXT NULL' } });
const insert = prepareInsert(stored);
const update = prepareUpdate(stored, {
  key: ['id'],
  set: ['note'],
  change: { amount: 'stored.amount + v.amount' },
  where: 'stored.amount >= 0',
  returning: ['id'],
});
const insertBoth = prepareInsert(stored, {
  made: { note: "'id'" },
  second: { amount: '-amount', note: "'other'" },
});
const remove = prepareDelete(stored, ['id', 'amount']);

type Stored = RowFor<typeof insert>;

for (const dialect of dialects) {
  describe(`${dialect}: prepared writes`, () => {
    test('insert, update and delete any number of rows', async () => {
      await using database = await openTestDatabase(dialect, { migrated: false });
      const { db } = database;
      await db.transaction((tx) =>
        tx.query('CREATE TABLE stored (id BIGINT PRIMARY KEY, amount BIGINT NOT NULL, note TEXT)'),
      );
      for (const size of sizes) {
        // The first of every three notes is null: a column's type must not be derived from its first value.
        const rows = Array.from({ length: size }, (_, id): Stored => ({
          id,
          amount: id * 2 ** 33,
          note: id % 3 === 0 ? null : `note ${id}`,
        }));
        const ids = rows.map((row) => row.id);
        const other = { id: 1_000_000, amount: 7, note: null };
        await db.transaction(async (tx) => {
          await tx.query('DELETE FROM stored');
          await insert(tx, [other]);
          await insert(tx, rows);
        });
        expect(sorted(await queryIn<Stored>(db, selectStored, ids))).toEqual(rows);

        const returned = await db.transaction((tx) =>
          update(
            tx,
            rows.map(({ id, note }) => ({ note: note && null, amount: 1, id })),
          ),
        );
        expect(returned.map((row) => row.id).sort((a, b) => a - b)).toEqual(ids);
        const changed = rows.map((row) => ({ ...row, amount: row.amount + 1, note: null }));
        expect(sorted(await queryIn<Stored>(db, selectStored, ids))).toEqual(changed);

        await db.transaction((tx) => remove(tx, rows.map(keyOf)));
        expect(sorted(await queryIn<Stored>(db, selectStored, ids))).toEqual(changed);
        await db.transaction((tx) => remove(tx, changed.map(keyOf)));
        expect(await db.query('SELECT * FROM stored')).toEqual([other]);
      }
    });

    test('update only rows that the condition allows', async () => {
      await using database = await openTestDatabase(dialect, { migrated: false });
      const { db } = database;
      const returned = await db.transaction(async (tx) => {
        await tx.query('CREATE TABLE stored (id BIGINT PRIMARY KEY, amount BIGINT, note TEXT)');
        await insert(tx, [
          { id: 1, amount: -1, note: 'a' },
          { id: 2, amount: 0, note: 'b' },
        ]);
        return update(tx, [
          { id: 1, amount: 5, note: 'c' },
          { id: 2, amount: 5, note: 'd' },
          { id: 3, amount: 5, note: 'e' },
        ]);
      });
      expect(returned).toEqual([{ id: 2 }]);
      expect(await db.query('SELECT * FROM stored ORDER BY id')).toEqual([
        { id: 1, amount: -1, note: 'a' },
        { id: 2, amount: 5, note: 'd' },
      ]);
    });

    test('insert with a clause for conflicts', async () => {
      await using database = await openTestDatabase(dialect);
      const { db } = database;
      const insertSettings = prepareInsert(tables.settings, {
        onConflict: 'ON CONFLICT (name) DO NOTHING',
        returning: ['name'],
      });
      const write = (value: string) =>
        db.transaction((tx) =>
          insertSettings(
            tx,
            ['a', 'b', 'c'].map((name) => ({ name, value })),
          ),
        );
      expect(await write('first')).toEqual([{ name: 'a' }, { name: 'b' }, { name: 'c' }]);
      expect(await write('second')).toEqual([]);
      expect(await db.query('SELECT DISTINCT value FROM settings')).toEqual([{ value: 'first' }]);
    });

    test('omit nullable columns if only the required ones are given', async () => {
      await using database = await openTestDatabase(dialect, { migrated: false });
      const { db } = database;
      await db.transaction(async (tx) => {
        await tx.query('CREATE TABLE stored (id BIGINT PRIMARY KEY, amount BIGINT, note TEXT)');
        await prepareInsert(stored, { requiredOnly: true })(tx, [{ amount: 2, id: 1 }]);
      });
      expect(await db.query('SELECT * FROM stored')).toEqual([{ id: 1, amount: 2, note: null }]);
    });

    test('generate columns that are not given, and a second row for each', async () => {
      await using database = await openTestDatabase(dialect, { migrated: false });
      const { db } = database;
      const rows = Array.from({ length: 40 }, (_, id) => ({ id, amount: (id - 1) * 2 ** 33 }));
      const read = await db.transaction(async (tx) => {
        await tx.query('CREATE TABLE stored (id BIGINT, amount BIGINT, note TEXT)');
        await insertBoth(tx, rows);
        return tx.query('SELECT * FROM stored ORDER BY id, note');
      });
      const both = rows.flatMap(({ id, amount }) => [
        { id, amount, note: 'id' },
        { id, amount: amount === 0 ? 0 : -amount, note: 'other' },
      ]);
      expect(read).toEqual(both);
    });
  });
}

const selectStored = 'SELECT id, amount, note FROM stored WHERE id IN (LIST)';

const keyOf = ({ id, amount }: Stored) => ({ id, amount });

function sorted(rows: Stored[]): Stored[] {
  return rows.sort((a, b) => a.id - b.id);
}

const addUsage = prepareInsert(tables.usage_daily);
const insertKeys = prepareInsert(tables.idempotency_keys, { requiredOnly: true });
const updateAccounts = prepareUpdate(tables.accounts, { key: ['user_id'], set: ['balance'] });

/** Never called: the compiler must refuse each marked row; otherwise it reports the unused marker. */
export async function refusedByTheCompiler(tx: Tx): Promise<void> {
  const usage = {
    ...noUsageCounts,
    user_id: 1,
    day: 2,
    model_id: 3,
    requests: 4,
    prompt_tokens: 5,
    completion_tokens: 6,
    spend: 7,
    key_id: '',
  };
  const key = { user_id: 1, operation: 'send', key: 'k', message_id: 2, created_at: 3 };
  const { spend, ...withoutSpend } = usage;
  await addUsage(tx, [usage]);
  // @ts-expect-error A column is left out.
  await addUsage(tx, [withoutSpend]);
  // @ts-expect-error A column is misspelt.
  await addUsage(tx, [{ ...withoutSpend, spent: spend }]);
  // @ts-expect-error There is one column too many,
  await addUsage(tx, [{ ...usage, price: 8 }]);
  await addUsage(
    tx,
    // @ts-expect-error also in rows that were computed.
    [usage].map((row) => ({ ...row, price: 8 })),
  );
  // @ts-expect-error A column that can't be null is null.
  await addUsage(tx, [{ ...usage, spend: null }]);
  // @ts-expect-error A number column gets a text,
  await insertKeys(tx, [{ ...key, body_sha256: '', user_id: 'send' }]);
  // @ts-expect-error a text column a number.
  await insertKeys(tx, [{ ...key, body_sha256: 5 }]);
  // @ts-expect-error A column is given that this statement does not write.
  await insertKeys(tx, [{ ...key, body_sha256: '', response: '' }]);
  // @ts-expect-error A row is given by position.
  await addUsage(tx, [[1, 2, 3, 4, 5, 6, 7]]);
  // @ts-expect-error A generated column is given.
  await insertBoth(tx, [{ id: 1, amount: 2, note: 'x' }]);
  // @ts-expect-error The table has no such column.
  prepareInsert(stored, { made: { text: "'x'" } });
  await updateAccounts(tx, [{ user_id: 1, balance: 2 }]);
  // @ts-expect-error The key is left out.
  await updateAccounts(tx, [{ balance: 2 }]);
  // @ts-expect-error A column is given that this statement does not set.
  await updateAccounts(tx, [{ user_id: 1, balance: 2, held: 3 }]);
  // @ts-expect-error The table has no such column.
  prepareUpdate(tables.accounts, { key: ['user_id'], set: ['amount'] });
}
