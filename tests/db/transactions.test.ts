import { DatabaseUnavailableError } from '../../src/lib/errors.ts';
import { describe, expect, test } from 'bun:test';
import { ConstraintError } from '../../src/db/database.ts';
import { openDatabase, together, type Database } from '../../src/db/index.ts';
import { dialects, openTestDatabase } from '../support/databases.ts';
import { failure } from '../support/failure.ts';

const set = 'INSERT INTO settings (name, value) VALUES ($1, $2)';

function names(db: Database): Promise<{ name: string }[]> {
  return db.query<{ name: string }>('SELECT name FROM settings ORDER BY name');
}

for (const dialect of dialects) {
  describe(`${dialect}: transactions`, () => {
    test('uncommitted writes are visible in their transaction alone', async () => {
      await using database = await openTestDatabase(dialect);
      const { db } = database;
      await db.transaction(async (tx) => {
        await tx.query(set, ['a', '1']);
        expect(await tx.query('SELECT name FROM settings')).toEqual([{ name: 'a' }]);
        expect(await names(db)).toEqual([]);
      });
      expect(await names(db)).toEqual([{ name: 'a' }]);
    });

    test('concurrent statements run in the order of their calls, prepared or not', async () => {
      await using database = await openTestDatabase(dialect);
      const { db } = database;
      const add = `UPDATE settings SET value = value || $1 WHERE name = 'a'`;
      await db.transaction((tx) => tx.query(set, ['a', '']));
      for (let round = 0; round < 20; round++) {
        await db.transaction(async (tx) => {
          // Every other text is a new one, which has to be prepared first.
          const letters = 'abcdefgh'.split('');
          await together(
            letters.map((letter, at) =>
              tx.query(at % 2 === 0 ? add : `${add} /* ${round} ${at} */`, [letter]),
            ),
          );
        });
      }
      const [row] = await db.query<{ value: string }>('SELECT value FROM settings');
      expect(row?.value).toBe('abcdefgh'.repeat(20));
    });

    test('of concurrent statements the first failure is thrown, after all have ended', async () => {
      await using database = await openTestDatabase(dialect);
      const { db } = database;
      await db.transaction((tx) => tx.query(set, ['a', '1']));
      const error = await failure(
        db.transaction(async (tx) => {
          await together([
            tx.query(set, ['b', '2']),
            tx.query(set, ['a', 'again']),
            tx.query(set, ['c', '3']),
          ]);
        }),
      );
      expect(error).toBeInstanceOf(ConstraintError);
      expect(await names(db)).toEqual([{ name: 'a' }]);
      await db.transaction((tx) => tx.query(set, ['d', '4']));
      expect(await names(db)).toEqual([{ name: 'a' }, { name: 'd' }]);
    });

    test('an error rolls everything back and reaches the caller', async () => {
      await using database = await openTestDatabase(dialect);
      const { db } = database;
      const thrown = new Error('no');
      const error = await failure(
        db.transaction(async (tx) => {
          await tx.query(set, ['a', '1']);
          throw thrown;
        }),
      );
      expect(error).toBe(thrown);
      expect(await names(db)).toEqual([]);
    });

    test('writes of concurrent transactions are not lost', async () => {
      await using database = await openTestDatabase(dialect);
      const { db } = database;
      await db.transaction((tx) => tx.query(set, ['n', '0']));
      const increment = () =>
        db.transaction(async (tx) => {
          const [row] = await tx.query<{ value: string }>(
            `SELECT value FROM settings WHERE name = 'n'${tx.forUpdate}`,
          );
          const next = String(Number(row?.value) + 1);
          await tx.query(`UPDATE settings SET value = $1 WHERE name = 'n'`, [next]);
        });
      await Promise.all(Array.from({ length: 40 }, increment));
      expect(await db.query('SELECT value FROM settings')).toEqual([{ value: '40' }]);
    });

    test('constraint violations are distinguished', async () => {
      await using database = await openTestDatabase(dialect);
      const { db } = database;
      const breakIt = async (text: string): Promise<unknown> => {
        const error = await failure(db.transaction((tx) => tx.query(text)));
        return error instanceof ConstraintError ? error.kind : error;
      };
      const account = (id: number, held: number) =>
        `INSERT INTO accounts (user_id, balance, held, credit_limit, last_message_id, last_transfer_id)
         VALUES (${id}, 0, ${held}, 0, 0, 0)`;
      await db.transaction(async (tx) => {
        await tx.query(set, ['a', '1']);
        await tx.query(
          `INSERT INTO users (id, login, login_folded, password_hash, is_admin, is_blocked, token_epoch, created_at)
           VALUES (1, 'a', 'a', '', 0, 0, 0, 0)`,
        );
      });
      expect(await breakIt(`INSERT INTO settings (name, value) VALUES ('a', '2')`)).toBe('unique');
      expect(
        await breakIt(
          `INSERT INTO users (id, login, login_folded, password_hash, is_admin, is_blocked, token_epoch, created_at)
           VALUES (2, 'A', 'a', '', 0, 0, 0, 0)`,
        ),
      ).toBe('unique');
      expect(await breakIt(account(1, -1))).toBe('check');
      expect(await breakIt(account(7, 0))).toBe('other');
      expect(await breakIt(`INSERT INTO settings (name, value) VALUES ('b', NULL)`)).toBe('other');
    });

    test('a snapshot sees one moment and blocks no writer', async () => {
      await using database = await openTestDatabase(dialect);
      const { db } = database;
      await db.transaction((tx) => tx.query(set, ['a', '1']));
      await db
        .snapshot(async (sql) => {
          const before = await sql.query('SELECT name FROM settings');
          await db.transaction((tx) => tx.query(set, ['b', '1']));
          expect(await names(db)).toEqual([{ name: 'a' }, { name: 'b' }]);
          expect(await sql.query('SELECT name FROM settings')).toEqual(before);
          // The last query of this snapshot, as a failed one ends it on PostgreSQL.
          await failure(sql.query(set, ['c', '1']));
        })
        .catch(() => undefined);
      expect(await names(db)).toEqual([{ name: 'a' }, { name: 'b' }]);
    });

    test('a snapshot that fails leaves the handle usable', async () => {
      await using database = await openTestDatabase(dialect);
      const { db } = database;
      const thrown = new Error('no');
      expect(await failure(db.snapshot(() => Promise.reject(thrown)))).toBe(thrown);
      expect(await db.snapshot((sql) => sql.query('SELECT 1 AS one'))).toEqual([{ one: 1 }]);
    });
  });
}

describe.if(dialects.includes('postgres'))('postgres: trouble', () => {
  test('transactions that block each other both succeed in the end', async () => {
    await using database = await openTestDatabase('postgres');
    const { db } = database;
    await db.transaction(async (tx) => {
      await tx.query(set, ['a', '0']);
      await tx.query(set, ['b', '0']);
    });
    const bothHoldOne = Promise.withResolvers<void>();
    let holding = 0;
    const add = `UPDATE settings SET value = value || $2 WHERE name = $1`;
    const lockBoth = (first: string, second: string) =>
      db.transaction(async (tx) => {
        await tx.query(add, [first, 'x']);
        if (++holding === 2) bothHoldOne.resolve();
        await bothHoldOne.promise;
        await tx.query(add, [second, 'x']);
      });
    await Promise.all([lockBoth('a', 'b'), lockBoth('b', 'a')]);
    expect(await db.query('SELECT value FROM settings')).toEqual([
      { value: '0xx' },
      { value: '0xx' },
    ]);
    // At least one of the two was rolled back and repeated.
    expect(holding).toBeGreaterThan(2);
  });

  test('an unreachable server is distinguished from a mistake', async () => {
    const port = closedPort();
    const db = openDatabase({ kind: 'postgres', url: `postgres://a@127.0.0.1:${port}/a` });
    const select = 'SELECT 1 AS one';
    expect(await failure(db.query(select))).toBeInstanceOf(DatabaseUnavailableError);
    expect(await failure(db.transaction((tx) => tx.query(select)))).toBeInstanceOf(
      DatabaseUnavailableError,
    );
    expect(await failure(db.snapshot((sql) => sql.query(select)))).toBeInstanceOf(
      DatabaseUnavailableError,
    );
    await db.close();
  });

  test('writers wait for each other, however strict the default of the database is', async () => {
    for (const level of ['repeatable read', 'serializable']) {
      await using database = await openTestDatabase('postgres');
      await database.db.transaction((tx) => tx.query(set, ['n', '0']));
      await database.db.query(
        `DO $$ BEGIN EXECUTE format(
           'ALTER DATABASE %I SET default_transaction_isolation = %L',
           current_database(), '${level}'); END $$`,
      );
      const db = openDatabase(database.config);
      const read = `SELECT value FROM settings WHERE name = 'n'`;
      const write = `UPDATE settings SET value = value || $1 WHERE name = 'n'`;
      const hasRead = Promise.withResolvers<void>();
      const hasWritten = Promise.withResolvers<void>();
      let tries = 0;
      const late = db.transaction(async (tx) => {
        tries++;
        await tx.query(read);
        hasRead.resolve();
        await hasWritten.promise;
        await tx.query(write, ['b']);
      });
      await hasRead.promise;
      await db.transaction((tx) => tx.query(write, ['a']));
      hasWritten.resolve();
      await late;
      expect({ level, tries }).toEqual({ level, tries: 1 });
      expect(await db.query(read)).toEqual([{ value: '0ab' }]);
      const isolation = `SELECT current_setting('transaction_isolation') AS level`;
      expect(await db.snapshot((sql) => sql.query(isolation))).toEqual([
        { level: 'repeatable read' },
      ]);
      await db.close();
    }
  });

  test('a connection that the server ended is replaced', async () => {
    await using database = await openTestDatabase('postgres');
    const { db } = database;
    await failure(
      db.transaction((tx) => tx.query('SELECT pg_terminate_backend(pg_backend_pid())')),
    );
    expect(await db.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });
});

/** A port that nothing listens on. */
function closedPort(): number {
  const listener = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } });
  const { port } = listener;
  listener.stop(true);
  return port;
}
