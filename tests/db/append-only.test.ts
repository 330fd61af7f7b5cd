import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import type { Dialect, Tx } from '../../src/db/index.ts';
import { dialects, openTestDatabase } from '../support/databases.ts';
import { failure } from '../support/failure.ts';

const entry = `INTO ledger_entries
  (user_id, transfer_id, account, amount, kind, balance_after, created_at)
  VALUES (1, 1, 'user', 5, 'top_up', 5, 0)`;
const act = `INTO audit_entries (number, at, action, origin, details)
  VALUES (1, 0, 'user_added', 'server', '{}')`;
const version = `INTO model_versions (id, model_id, snapshot, valid_from) VALUES (1, 1, '{}', 0)`;

/** Every statement that would change what was written. */
function attacks(dialect: Dialect): string[] {
  const shared = [
    'UPDATE ledger_entries SET amount = 6',
    `UPDATE ledger_entries SET reason = 'x' WHERE transfer_id = 1`,
    'DELETE FROM ledger_entries',
    `INSERT ${entry} ON CONFLICT (user_id, transfer_id, account) DO UPDATE SET amount = 6`,
    `UPDATE model_versions SET snapshot = '[]'`,
    'DELETE FROM model_versions WHERE id = 1',
    `INSERT ${version} ON CONFLICT (id) DO UPDATE SET snapshot = '[]'`,
    'DELETE FROM users',
    `UPDATE audit_entries SET details = '[]'`,
    'DELETE FROM audit_entries',
  ];
  const own = {
    sqlite: [
      `INSERT OR REPLACE ${entry}`,
      `REPLACE ${entry}`,
      'UPDATE OR REPLACE ledger_entries SET amount = 6',
      `INSERT OR REPLACE ${version}`,
      `INSERT OR REPLACE ${act}`,
    ],
    postgres: [
      'TRUNCATE ledger_entries',
      'TRUNCATE users CASCADE',
      'TRUNCATE model_versions',
      'TRUNCATE audit_entries',
      `MERGE INTO ledger_entries USING (SELECT 1) s ON true WHEN MATCHED THEN DELETE`,
    ],
  };
  return [...shared, ...own[dialect]];
}

async function write(tx: Tx): Promise<void> {
  await tx.query(
    `INSERT INTO users (id, login, login_folded, password_hash, is_admin, is_blocked, token_epoch, created_at)
     VALUES (1, 'a', 'a', '', 0, 0, 0, 0)`,
  );
  await tx.query(`INSERT ${entry}`);
  await tx.query(`INSERT ${version}`);
  await tx.query(`INSERT ${act}`);
}

for (const dialect of dialects) {
  describe(`${dialect}: what is append-only`, () => {
    for (const attack of attacks(dialect)) {
      test(`refuses ${attack.replaceAll(/\s+/g, ' ').slice(0, 70)}`, async () => {
        await using database = await openTestDatabase(dialect);
        const { db } = database;
        await db.transaction(write);
        await failure(db.transaction((tx) => tx.query(attack)));
        expect(await db.query('SELECT amount FROM ledger_entries')).toEqual([{ amount: 5 }]);
        expect(await db.query('SELECT snapshot FROM model_versions')).toEqual([{ snapshot: '{}' }]);
        expect(await db.query('SELECT details FROM audit_entries')).toEqual([{ details: '{}' }]);
      });
    }

    test('says what to do instead', async () => {
      await using database = await openTestDatabase(dialect);
      await database.db.transaction(write);
      const error = await failure(
        database.db.transaction((tx) => tx.query('DELETE FROM ledger_entries')),
      );
      expect(String(error)).toContain('ledger entries are append-only: add a correction');
    });
  });
}

/** Another program on the database file: its connection does not run delete triggers for a REPLACE. */
describe('sqlite: from outside', () => {
  const replacements = [
    `INSERT OR REPLACE ${entry.replace("'user', 5", "'user', 6")}`,
    `REPLACE ${entry.replace("'user', 5", "'user', 6")}`,
    `INSERT OR REPLACE INTO ledger_entries
       (rowid, user_id, transfer_id, account, amount, kind, created_at)
       VALUES (1, 1, 2, 'user', 6, 'top_up', 0)`,
    `INSERT OR REPLACE ${version.replace('{}', '[]')}`,
    `INSERT OR REPLACE ${act.replace('{}', '[]')}`,
    `INSERT OR REPLACE INTO model_versions (rowid, id, model_id, snapshot, valid_from)
       VALUES (1, 2, 1, '[]', 0)`,
  ];

  test('nothing is replaced, whichever connection opens the file', async () => {
    if (!dialects.includes('sqlite')) return;
    await using database = await openTestDatabase('sqlite');
    const { db, config } = database;
    await db.transaction(write);
    if (config.kind !== 'sqlite') throw new Error('not a SQLite database');
    using outside = new Database(config.path);
    for (const statement of replacements) {
      expect(() => outside.run(statement)).toThrow('this row is there');
    }
    expect(await db.query('SELECT amount FROM ledger_entries')).toEqual([{ amount: 5 }]);
    expect(await db.query('SELECT snapshot FROM model_versions')).toEqual([{ snapshot: '{}' }]);
  });
});
