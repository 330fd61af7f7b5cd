import { describe, expect, test } from 'bun:test';
import { migrate, openDatabase } from '../../src/db/index.ts';
import { migrations } from '../../src/db/migrations/index.ts';
import { dialects, openTestDatabase } from '../support/databases.ts';
import { failure } from '../support/failure.ts';
import { OLDEST, openOldestSchema } from './schema-12.ts';

const numbers = migrations.map((migration) => migration.number);

test('the steps are numbered without a gap', () => {
  expect(numbers).toEqual(migrations.map((_, index) => OLDEST + 1 + index));
});

for (const dialect of dialects) {
  describe(`${dialect}: migrate`, () => {
    test('makes the newest schema in an empty database', async () => {
      await using database = await openTestDatabase(dialect, { migrated: false });
      expect(await migrate(database.db)).toEqual(numbers.slice(-1));
      expect(await migrate(database.db)).toEqual([]);
    });

    test('runs every missing step once', async () => {
      await using database = await openOldestSchema(dialect);
      expect(await migrate(database.db)).toEqual(numbers);
      expect(await migrate(database.db)).toEqual([]);
    });

    test('stops after the requested step, and continues from there', async () => {
      await using database = await openOldestSchema(dialect);
      expect(await migrate(database.db, OLDEST)).toEqual([]);
      expect(await migrate(database.db, numbers[0])).toEqual(numbers.slice(0, 1));
      expect(await migrate(database.db)).toEqual(numbers.slice(1));
    });

    test('runs every step once when several processes start together', async () => {
      await using database = await openOldestSchema(dialect);
      const config = JSON.stringify(database.config);
      const script = `
        import { migrate, openDatabase } from ${JSON.stringify(indexPath)};
        const db = openDatabase(${config});
        console.log(JSON.stringify(await migrate(db)));
        await db.close();`;
      const runs = Array.from({ length: 4 }, async () => {
        const child = Bun.spawn([process.execPath, '-e', script], {
          stdout: 'pipe',
          stderr: 'pipe',
        });
        const [output, complaint] = await Promise.all([
          new Response(child.stdout).text(),
          new Response(child.stderr).text(),
          child.exited,
        ]);
        return complaint || output.trim();
      });
      const outcomes = await Promise.all(runs);
      const nothing = ['[]', '[]', '[]'];
      expect(outcomes.sort()).toEqual([JSON.stringify(numbers), ...nothing].sort());
    });

    test('refuses a database that a newer version has changed', async () => {
      await using database = await openTestDatabase(dialect);
      await database.db.transaction((tx) =>
        tx.query(`INSERT INTO migrations (number, name) VALUES (9999, 'from the future')`),
      );
      const older = openDatabase(database.config);
      expect(String(await failure(migrate(older)))).toContain('start a newer Zastava');
      await older.close();
    });

    test('refuses a database that is too old, and says how to upgrade it', async () => {
      await using database = await openTestDatabase(dialect, { migrated: false });
      await database.db.transaction(async (tx) => {
        await tx.query('CREATE TABLE migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL)');
        await tx.query(`INSERT INTO migrations (number, name) VALUES (10, 'a'), (11, 'b')`);
      });
      expect(String(await failure(migrate(database.db)))).toMatch(
        /has schema 11, but .* only from 12: start Zastava of commit \w+ on it once, or begin with/,
      );
    });
  });
}

const indexPath = new URL('../../src/db/index.ts', import.meta.url).pathname;
