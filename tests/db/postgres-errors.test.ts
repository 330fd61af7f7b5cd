/** Temporary errors of PostgreSQL are distinguished from those that must not be retried. */
import { DatabaseUnavailableError } from '../../src/lib/errors.ts';
import { describe, expect, test } from 'bun:test';
import { openDatabase, type Database } from '../../src/db/index.ts';
import { dialects, openTestDatabase } from '../support/databases.ts';
import { failure } from '../support/failure.ts';

const write = (db: Database) =>
  db.transaction((tx) =>
    tx.query(`INSERT INTO settings (name, value) VALUES ('a', '1') ON CONFLICT DO NOTHING`),
  );

/** Lets the server itself raise the error. */
const raise = (state: string) =>
  `DO $$ BEGIN RAISE SQLSTATE '${state}' USING MESSAGE = 'why'; END $$`;

const passing = {
  '08006': 'unreachable',
  '08P01': 'unreachable',
  '25006': 'read_only',
  '25P03': 'refused',
  '25P04': 'refused',
  '28P01': 'unreachable',
  '28000': 'unreachable',
  '3D000': 'unreachable',
  '40001': 'refused',
  '40P01': 'refused',
  '53100': 'disk_full',
  '53200': 'unreachable',
  '53300': 'unreachable',
  '55006': 'refused',
  '55P03': 'refused',
  '57014': 'refused',
  '57P01': 'unreachable',
  '57P03': 'unreachable',
  '57P05': 'unreachable',
  '58030': 'io_error',
};
const mistakes = ['0A000', '22003', '25P02', '42501', '42601', '42P01', '54000', '55000', 'P0001'];
const damage = ['XX000', 'XX001', 'XX002'];

describe.if(dialects.includes('postgres'))('postgres: errors', () => {
  test('temporary failures are distinguished from mistakes and damage, and from each other', async () => {
    await using database = await openTestDatabase('postgres');
    const { db } = database;
    for (const [state, reason] of Object.entries(passing)) {
      const error = await failure(db.query(raise(state)));
      expect([state, error instanceof DatabaseUnavailableError && error.reason]).toEqual([
        state,
        reason,
      ]);
      expect(String(error)).toEndWith(': why');
    }
    for (const state of [...mistakes, ...damage]) {
      const error = await failure(db.query(raise(state)));
      expect([state, error instanceof DatabaseUnavailableError]).toEqual([state, false]);
    }
  });

  test('a transaction that others keep rolling back fails as unavailable', async () => {
    await using database = await openTestDatabase('postgres');
    for (const state of ['40001', '40P01']) {
      let tries = 0;
      const error = await failure(
        database.db.transaction((tx) => {
          tries++;
          return tx.query(raise(state));
        }),
      );
      expect(error).toBeInstanceOf(DatabaseUnavailableError);
      expect(tries).toBeGreaterThan(1);
    }
  });

  test('a lock that is not granted in time', async () => {
    await using database = await openTestDatabase('postgres');
    if (database.config.kind !== 'postgres') throw new Error('this is about PostgreSQL');
    const hasty = openDatabase({
      ...database.config,
      url: `${database.config.url}?lock_timeout=20`,
    });
    await write(database.db);
    await database.db.transaction(async (tx) => {
      await tx.query('LOCK TABLE settings');
      expect(await failure(write(hasty))).toBeInstanceOf(DatabaseUnavailableError);
    });
    await write(hasty);
    await hasty.close();
  });

  test('after a read-only server the next one is used', async () => {
    await using database = await openTestDatabase('postgres');
    const [{ name } = { name: '' }] = await database.db.query<{ name: string }>(
      'SELECT current_database() AS name',
    );
    // Like a promoted standby, it reports its role when connections are opened.
    const set = (value: string) =>
      database.db.query(`ALTER DATABASE ${name} SET default_transaction_read_only = ${value}`);
    await set('on');
    const db = openDatabase(database.config);
    const error = await failure(write(db));
    expect(error).toBeInstanceOf(DatabaseUnavailableError);
    expect(String(error)).toContain('is read-only');
    await set('off');
    for (let done = false; !done;) {
      done = await write(db).then(
        () => true,
        (again: unknown) => {
          expect(again).toBeInstanceOf(DatabaseUnavailableError);
          return false;
        },
      );
    }
    await db.close();
  });
});
