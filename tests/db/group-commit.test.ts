import { DatabaseUnavailableError } from '../../src/lib/errors.ts';
import { ConstraintError } from '../../src/db/database.ts';
import { describe, expect, test } from 'bun:test';
import { GroupCommit, openDatabase, type Tx } from '../../src/db/index.ts';
import { dialects, openTestDatabase } from '../support/databases.ts';
import { failure } from '../support/failure.ts';

const limits = { batchMax: 16, queueMax: 1000 };

/** Stores each name, and returns it; an existing name breaks the whole batch. */
async function storeNames(tx: Tx, commands: string[]): Promise<string[]> {
  for (const name of commands) {
    await tx.query(`INSERT INTO settings (name, value) VALUES ($1, '')`, [name]);
  }
  return commands.map((name) => `stored ${name}`);
}

for (const dialect of dialects) {
  describe(`${dialect}: group commit`, () => {
    test('every command gets its own result, in batches no larger than allowed', async () => {
      await using database = await openTestDatabase(dialect);
      const batches: number[] = [];
      const group = new GroupCommit(database.db, storeNames, limits, (size) => batches.push(size));
      const names = Array.from({ length: 100 }, (_, index) => `n${index}`);
      const results = await Promise.all(names.map((name) => group.submit(name)));
      expect(results).toEqual(names.map((name) => `stored ${name}`));
      expect(Math.max(...batches)).toBe(16);
      expect(batches.reduce((sum, size) => sum + size, 0)).toBe(100);
      expect(batches.length).toBe(Math.ceil(100 / 16));
      await group.idle();
      expect(group.queued).toBe(0);
    });

    test('a resolved command is committed: another connection sees it', async () => {
      await using database = await openTestDatabase(dialect);
      const group = new GroupCommit(database.db, storeNames, limits);
      const other = openDatabase(database.config);
      const submitAndLook = async (name: string): Promise<number> => {
        await group.submit(name);
        const rows = await other.query('SELECT name FROM settings WHERE name = $1', [name]);
        return rows.length;
      };
      const names = Array.from({ length: 40 }, (_, index) => `n${index}`);
      expect(await Promise.all(names.map(submitAndLook))).toEqual(names.map(() => 1));
      await other.close();
    });

    test('one bad command fails alone', async () => {
      await using database = await openTestDatabase(dialect);
      const group = new GroupCommit(database.db, storeNames, limits);
      await group.submit('taken');
      const names = ['a', 'b', 'taken', 'c', 'a', 'd'];
      const outcomes = await Promise.allSettled(names.map((name) => group.submit(name)));
      expect(outcomes.map(({ status }) => status)).toEqual([
        'fulfilled',
        'fulfilled',
        'rejected',
        'fulfilled',
        'rejected',
        'fulfilled',
      ]);
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(ConstraintError);
      }
      expect(await database.db.query('SELECT name FROM settings ORDER BY name')).toEqual(
        ['a', 'b', 'c', 'd', 'taken'].map((name) => ({ name })),
      );
    });

    test('continues after failed batches', async () => {
      await using database = await openTestDatabase(dialect);
      let fails = true;
      const attempts: number[] = [];
      const group = new GroupCommit(
        database.db,
        (tx, commands: string[]) => {
          attempts.push(commands.length);
          if (fails) throw new DatabaseUnavailableError('gone');
          return storeNames(tx, commands);
        },
        limits,
      );
      const lost = [group.submit('a'), group.submit('b')];
      for (const promise of lost) {
        expect(await failure(promise)).toBeInstanceOf(DatabaseUnavailableError);
      }
      // An unreachable database is not queried again for every command of the batch.
      expect(attempts).toEqual([2]);
      fails = false;
      expect(await group.submit('a')).toBe('stored a');
    });

    test('reports when it is full', async () => {
      await using database = await openTestDatabase(dialect);
      const group = new GroupCommit(database.db, storeNames, { batchMax: 2, queueMax: 3 });
      const accepted = ['a', 'b'].map((name) => group.submit(name));
      expect(group.full).toBe(false);
      accepted.push(group.submit('c'));
      expect(group.full).toBe(true);
      await Promise.all(accepted);
      expect(group.full).toBe(false);
    });

    test('is idle when all commands are stored', async () => {
      await using database = await openTestDatabase(dialect);
      const group = new GroupCommit(database.db, storeNames, { batchMax: 2, queueMax: 9 });
      await group.idle();
      const stored: string[] = [];
      const names = ['a', 'b', 'c', 'd', 'e'];
      for (const name of names) void group.submit(name).then(() => stored.push(name));
      await group.idle();
      expect(stored).toEqual(names);
    });

    test('commands that arrive during a commit are written by the next one', async () => {
      await using database = await openTestDatabase(dialect);
      const running = Promise.withResolvers<void>();
      const release = Promise.withResolvers<void>();
      const batches: string[][] = [];
      const group = new GroupCommit(
        database.db,
        async (tx, commands: string[]) => {
          batches.push(commands);
          running.resolve();
          await release.promise;
          return storeNames(tx, commands);
        },
        limits,
      );
      const first = group.submit('first');
      await running.promise;
      const rest = ['a', 'b', 'c'].map((name) => group.submit(name));
      release.resolve();
      await Promise.all([first, ...rest]);
      expect(batches).toEqual([['first'], ['a', 'b', 'c']]);
    });
  });
}
