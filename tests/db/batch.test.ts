import { describe, expect, test } from 'bun:test';
import { insertRows, selectIn, updateRows } from '../../src/db/index.ts';
import { dialects, openTestDatabase } from '../support/databases.ts';

/** Around every border between powers of two and chunks, and up to 300. */
const sizes = [...Array(20).keys(), 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 300];

interface Stored {
  id: number;
  amount: number;
  note: string | null;
}

for (const dialect of dialects) {
  describe(`${dialect}: batches`, () => {
    test('of any size are inserted by a shape, with what is the same in all rows', async () => {
      await using database = await openTestDatabase(dialect, { migrated: false });
      const { db } = database;
      await db.transaction((tx) =>
        tx.query(
          'CREATE TABLE pairs (id BIGINT, side TEXT, amount BIGINT, PRIMARY KEY (id, side))',
        ),
      );
      for (const size of sizes) {
        const ids = Array.from({ length: size }, (_, id) => id);
        await db.transaction(async (tx) => {
          await tx.query('DELETE FROM pairs');
          await insertRows(
            tx,
            'pairs (id, side, amount)',
            `($1, 'to', $2), ($1, 'from', $3)`,
            ids.map((id) => [id, id * 2 ** 33, -id]),
          );
        });
        const stored = await db.query('SELECT id, side, amount FROM pairs ORDER BY id, side');
        expect(stored).toEqual(
          ids.flatMap((id) => [
            { id, side: 'from', amount: 0 - id },
            { id, side: 'to', amount: id * 2 ** 33 },
          ]),
        );
      }
    });

    test('of any size are inserted, updated and read whole', async () => {
      await using database = await openTestDatabase(dialect, { migrated: false });
      const { db } = database;
      await db.transaction((tx) =>
        tx.query('CREATE TABLE stored (id BIGINT PRIMARY KEY, amount BIGINT NOT NULL, note TEXT)'),
      );
      for (const size of sizes) {
        // The first of every three notes is null: a column's type must not come from its first value.
        const rows = Array.from({ length: size }, (_, id): Stored => ({
          id,
          amount: id * 2 ** 33,
          note: id % 3 === 0 ? null : `note ${id}`,
        }));
        const ids = rows.map((row) => row.id);
        await db.transaction(async (tx) => {
          await tx.query('DELETE FROM stored');
          await tx.query('INSERT INTO stored (id, amount) VALUES (1000000, 7)');
          await insertRows(
            tx,
            'stored (id, amount, note)',
            3,
            rows.map(({ id, amount, note }) => [id, amount, note]),
          );
        });
        expect(sorted(await selectIn<Stored>(db, selectStored, ids))).toEqual(rows);

        const changed = rows.map(({ id, amount, note }) => ({
          id,
          amount: amount + 1,
          note: note && null,
        }));
        const returned = await db.transaction((tx) =>
          updateRows<{ id: number }>(
            tx,
            { vid: 'BIGINT', vamount: 'BIGINT', vnote: 'TEXT' },
            'UPDATE stored SET amount = v.vamount, note = v.vnote FROM v WHERE id = v.vid RETURNING id',
            changed.map(({ id, amount, note }) => [id, amount, note]),
          ),
        );
        expect(returned.map((row) => row.id).sort((a, b) => a - b)).toEqual(ids);
        expect(sorted(await selectIn<Stored>(db, selectStored, ids))).toEqual(changed);
        expect(await db.query('SELECT amount FROM stored WHERE id = 1000000')).toEqual([
          { amount: 7 },
        ]);
      }
    });

    test('take what follows the values', async () => {
      await using database = await openTestDatabase(dialect);
      const { db } = database;
      const insert = (value: string) =>
        db.transaction((tx) =>
          insertRows(
            tx,
            'settings (name, value)',
            2,
            ['a', 'b', 'c'].map((name) => [name, value]),
            ' ON CONFLICT (name) DO NOTHING',
          ),
        );
      await insert('first');
      await insert('second');
      expect(await db.query('SELECT DISTINCT value FROM settings')).toEqual([{ value: 'first' }]);
    });
  });
}

const selectStored = 'SELECT id, amount, note FROM stored WHERE id IN (LIST)';

function sorted(rows: Stored[]): Stored[] {
  return rows.sort((a, b) => a.id - b.id);
}
