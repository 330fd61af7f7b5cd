import { Database as Sqlite } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { chmod, stat } from 'node:fs/promises';
import { migrate, openDatabase } from '../../src/db/index.ts';
import { dialects, openTestDatabase } from '../support/databases.ts';
import { failure } from '../support/failure.ts';

/** Takes the write lock, reports it, and releases it when its standard input ends. */
const lockHolder = `
  import { Database } from 'bun:sqlite';
  const db = new Database(process.argv.at(-1));
  db.exec('BEGIN IMMEDIATE');
  console.log('locked');
  await Bun.stdin.text();
  db.exec('COMMIT');`;

describe.if(dialects.includes('sqlite'))('sqlite', () => {
  test('a new database and its log are readable by their owner alone', async () => {
    // A migrated database is a copy that the test wrote.
    await using database = await openTestDatabase('sqlite', { migrated: false });
    const { db, config } = database;
    await migrate(db);
    if (config.kind !== 'sqlite') throw new Error('no SQLite database');
    for (const suffix of ['', '-wal', '-shm']) {
      const { mode } = await stat(config.path + suffix);
      expect([suffix, mode & 0o777]).toEqual([suffix, 0o600]);
    }
  });

  test('the mode of an existing database stays', async () => {
    await using database = await openTestDatabase('sqlite');
    const { config } = database;
    if (config.kind !== 'sqlite') throw new Error('no SQLite database');
    await chmod(config.path, 0o640);
    await openDatabase(config).close();
    expect((await stat(config.path)).mode & 0o777).toBe(0o640);
  });

  test('the writer has a page cache of the configured size, reads one of at most 32 MiB', async () => {
    await using database = await openTestDatabase('sqlite');
    const { config } = database;
    if (config.kind !== 'sqlite') throw new Error('no SQLite database');
    for (const [cacheMib, reads] of [
      [512, 32],
      [8, 8],
      [undefined, 32],
    ] as const) {
      const db = openDatabase({ ...config, ...(cacheMib && { cacheMib }) });
      const size = 'PRAGMA cache_size';
      // Until a statement has run as a read, it runs on the handle for reads.
      const [ofReads] = await db.query(size);
      const [ofWrites] = await db.transaction((tx) => tx.query(size));
      const [ofSnapshots] = await db.snapshot((sql) => sql.query(size));
      await db.close();
      const kib = (mib: number) => ({ cache_size: -1024 * mib });
      expect([ofWrites, ofReads, ofSnapshots]).toEqual([
        kib(cacheMib ?? 32),
        kib(reads),
        kib(reads),
      ]);
    }
  });

  test('a lock of another process delays the writer alone', async () => {
    await using database = await openTestDatabase('sqlite');
    const { db, config } = database;
    if (config.kind !== 'sqlite') throw new Error('no SQLite database');
    const holder = Bun.spawn([process.execPath, '-e', lockHolder, config.path], {
      stdin: 'pipe',
      stdout: 'pipe',
    });
    const reader = holder.stdout.getReader();
    expect(new TextDecoder().decode((await reader.read()).value)).toBe('locked\n');

    let written = false;
    const write = db
      .transaction((tx) => tx.query(`INSERT INTO settings (name, value) VALUES ('a', '')`))
      .then(() => (written = true));
    // The event loop turns and reads are answered while the writer waits.
    for (let turn = 0; turn < 20; turn++) {
      expect(await db.query('SELECT name FROM settings')).toEqual([]);
      await new Promise((resume) => setTimeout(resume, 1));
    }
    expect(written).toBe(false);
    await holder.stdin.end();
    await write;
    expect(await db.query('SELECT name FROM settings')).toEqual([{ name: 'a' }]);
    expect(await holder.exited).toBe(0);
  });

  test('writes of a transaction are not visible outside it before its end', async () => {
    await using database = await openTestDatabase('sqlite');
    const { db } = database;
    const names = () => db.query('SELECT name FROM settings');
    expect(await names()).toEqual([]);
    await db.transaction(async (tx) => {
      await tx.query(`INSERT INTO settings (name, value) VALUES ('a', '')`);
      expect(await names()).toEqual([]);
    });
    expect(await names()).toEqual([{ name: 'a' }]);
    if (database.config.kind !== 'sqlite') throw new Error('no SQLite database');
    using outside = new Sqlite(database.config.path);
    outside.run(`INSERT INTO settings (name, value) VALUES ('b', '')`);
    expect(await names()).toHaveLength(2);
  });

  test('a query outside a transaction cannot write', async () => {
    await using database = await openTestDatabase('sqlite');
    const writes = [`VALUES ('a', '')`, `VALUES ('a', '') RETURNING name`];
    // Repeatedly, since later reads go to the handle that writes.
    for (const write of [...writes, ...writes, ...writes]) {
      await failure(database.db.query(`INSERT INTO settings (name, value) ${write}`));
    }
    await failure(
      database.db.snapshot((sql) =>
        sql.query(`INSERT INTO settings (name, value) VALUES ('a', '')`),
      ),
    );
    expect(await database.db.query('SELECT name FROM settings')).toEqual([]);
  });
});
