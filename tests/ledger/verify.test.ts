/** Damage made in spite of the product and its triggers is found, by the proof that it breaks. */
import { Database as Outside } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import {
  closeUsageDay,
  closeRunningSums,
  type Database,
  type Dialect,
} from '../../src/db/index.ts';
import { AccountBook, verifyBooks } from '../../src/ledger/index.ts';
import { dialects, openTestDatabase, type TestDatabase } from '../support/databases.ts';
import { brokenChecks, finishMessage, insertPendingMessage, insertUser } from './rows.ts';

const damages: { what: string; sql: string; breaks: string }[] = [
  {
    what: 'an entry of a transfer is gone',
    sql: `DELETE FROM ledger_entries WHERE transfer_id = 1 AND account = 'funding'`,
    breaks: 'every transfer balances',
  },
  {
    what: 'an amount is changed',
    sql: `UPDATE ledger_entries SET amount = amount + 1 WHERE transfer_id = 1 AND account = 'user'`,
    breaks: 'every transfer balances',
  },
  {
    what: 'a transfer has a third entry',
    sql: `INSERT INTO ledger_entries (user_id, transfer_id, account, amount, kind, created_at)
      VALUES (1, 1, 'revenue', 0, 'top_up', 0)`,
    breaks: 'every transfer balances',
  },
  {
    what: "the user's entry of a transfer belongs to another account",
    sql: `UPDATE ledger_entries SET account = 'revenue' WHERE transfer_id = 1 AND account = 'user'`,
    breaks: 'every transfer balances',
  },
  {
    what: 'a charge went to another account than that of charges',
    sql: `UPDATE ledger_entries SET account = 'funding' WHERE transfer_id = 2 AND account = 'revenue'`,
    breaks: 'every transfer is between the accounts of its kind',
  },
  {
    what: 'the entries of a transfer are of different kinds',
    sql: `UPDATE ledger_entries SET kind = 'refund' WHERE transfer_id = 2 AND account = 'revenue'`,
    breaks: 'every transfer is between the accounts of its kind',
  },
  {
    what: 'a whole transfer is gone',
    sql: 'DELETE FROM ledger_entries WHERE transfer_id = 2',
    breaks: 'every balance equals its entries',
  },
  {
    what: 'all transfers are gone, and that there were any is forgotten',
    sql: 'DELETE FROM ledger_entries; UPDATE accounts SET last_transfer_id = 0',
    breaks: 'every balance equals its entries',
  },
  {
    what: 'a balance is changed',
    sql: 'UPDATE accounts SET balance = balance + 1',
    breaks: 'every balance equals its entries',
  },
  {
    what: 'the newest transfer is forgotten',
    sql: 'UPDATE accounts SET last_transfer_id = last_transfer_id - 1',
    breaks: 'every balance equals its entries',
  },
  {
    what: 'an account is gone',
    sql: 'DELETE FROM accounts',
    breaks: 'every user with entries has an account',
  },
  {
    what: 'a running balance is changed',
    sql: `UPDATE ledger_entries SET balance_after = 7 WHERE transfer_id = 1 AND account = 'user'`,
    breaks: 'every running balance follows from the one before',
  },
  {
    what: 'a running balance is gone',
    sql: `UPDATE ledger_entries SET balance_after = NULL WHERE transfer_id = 1 AND account = 'user'`,
    breaks: 'every running balance follows from the one before',
  },
  {
    what: 'a hold is forgotten',
    sql: 'UPDATE accounts SET held = 0',
    breaks: 'every held amount equals its open messages',
  },
  {
    what: 'an open message is gone',
    sql: `DELETE FROM messages WHERE state = 'pending'`,
    breaks: 'every held amount equals its open messages',
  },
  {
    what: 'a key holds what no message does',
    sql: 'UPDATE key_limits SET held = 1',
    breaks: 'every API key with limits holds its open messages, and counts its charges',
  },
  {
    what: 'a key counts what was not charged',
    sql: 'UPDATE key_limits SET charged = 1',
    breaks: 'every API key with limits holds its open messages, and counts its charges',
  },
  {
    what: 'a charged message is gone',
    sql: `DELETE FROM messages WHERE state = 'done'`,
    breaks: 'every charge has its message, at its cost',
  },
  {
    what: 'a message was charged in two transfers',
    sql: `UPDATE ledger_entries SET amount = amount * 8 / 9, balance_after = balance_after + 10
        WHERE transfer_id = 2;
      INSERT INTO ledger_entries (user_id, transfer_id, account, amount, kind, balance_after,
          message_id, created_at)
        VALUES (1, 4, 'user', -10, 'charge', 930, 1, 0), (1, 4, 'revenue', 10, 'charge', NULL, 1, 0);
      UPDATE accounts SET last_transfer_id = 4`,
    breaks: 'every charge has its message, at its cost',
  },
  {
    what: 'a message costs something else',
    sql: `UPDATE messages SET cost_response = cost_response + 1 WHERE state = 'done'`,
    breaks: 'every charge has its message, at its cost',
  },
  {
    what: 'more was given back than a message was charged',
    sql: `INSERT INTO ledger_entries (user_id, transfer_id, account, amount, kind, balance_after,
          message_id, created_at)
        VALUES (1, 4, 'user', 80, 'refund', 1010, 1, 0), (1, 4, 'revenue', -80, 'refund', NULL, 1, 0);
      UPDATE accounts SET last_transfer_id = 4, balance = 1010`,
    breaks: 'every refund is of a message, and in all at most its charge',
  },
  {
    what: 'a message was never charged',
    sql: `UPDATE messages SET cost_request = 1 WHERE state = 'failed'`,
    breaks: 'every message with a cost was charged, within its hold',
  },
  {
    what: 'a message costs more than was held',
    sql: `UPDATE messages SET hold = 1 WHERE state = 'done'`,
    breaks: 'every message with a cost was charged, within its hold',
  },
  {
    what: 'a day has another sum than its charges',
    sql: 'UPDATE usage_daily SET spend = spend - 1',
    breaks: 'the sums of days equal the charges',
  },
  {
    what: 'a running sum has another sum than its days',
    sql: 'UPDATE usage_running_sums SET requests = requests + 1 WHERE user_id = 1',
    breaks: 'running sums equal those before them, and the days between',
  },
  {
    what: 'a running sum is gone',
    sql: 'DELETE FROM usage_running_sums WHERE user_id = 1',
    breaks: 'running sums equal those before them, and the days between',
  },
];

/** One user with a top-up, a charged message that was partly refunded, a failed message and an open one. */
async function writeBooks(db: Database): Promise<void> {
  await insertUser(db, 1, 1_000);
  await db.transaction(async (tx) => {
    const book = await AccountBook.open(tx, [1]);
    const price = { inputTokens: 0, outputTokens: 0, inputFix: 60, outputFix: 40 };
    const call = { price, inputTokensMax: 0, outputTokensMax: 0, reducibleTo: 0 };
    for (const messageId of [1, 2, 3]) {
      expect(book.hold(1, call)).toMatchObject({ granted: true, amount: 100, messageId });
      await insertPendingMessage(tx, 1, messageId, 100);
    }
    const cost = { request: 60, response: 30 };
    book.settle(1, 100, cost, { messageId: 1, at: 0 });
    await finishMessage(tx, 1, 1, 'done', cost);
    book.transfer(1, 20, { kind: 'refund', messageId: 1, at: 0 });
    book.settle(1, 100, { request: 0, response: 0 }, { messageId: 2, at: 0 });
    await finishMessage(tx, 1, 2, 'failed', { request: 0, response: 0 });
    await book.flush(tx);
  });
  expect(await closeUsageDay(db)).toBe(true);
  expect(await closeRunningSums(db)).toBe(true);
}

/** In spite of the foreign keys. */
async function removeUser({ db, config }: TestDatabase): Promise<void> {
  if (config.kind === 'sqlite') {
    // A separate connection: foreign keys are off on it.
    using outside = new Outside(config.path);
    outside.run('DELETE FROM users');
    return;
  }
  await db.transaction(async (tx) => {
    await tx.query('SET LOCAL session_replication_role = replica');
    await tx.query('DELETE FROM users');
  });
}

async function removeTriggers(db: Database, dialect: Dialect): Promise<void> {
  const statements =
    dialect === 'sqlite'
      ? ['DROP TRIGGER ledger_entries_no_update', 'DROP TRIGGER ledger_entries_no_delete']
      : ['ALTER TABLE ledger_entries DISABLE TRIGGER USER'];
  await db.transaction(async (tx) => {
    for (const statement of statements) await tx.query(statement);
  });
}

for (const dialect of dialects) {
  describe(`${dialect}: verify`, () => {
    test('undamaged books pass, and every table was read', async () => {
      await using database = await openTestDatabase(dialect);
      await writeBooks(database.db);
      for (const check of await verifyBooks(database.db)) {
        expect(check).toMatchObject({ holds: true, broken: [] });
        expect(check.checked).toBeGreaterThan(0);
      }
    });

    test.each(damages.map((damage) => [damage.what, damage] as const))(
      'finds that %s',
      async (_, { sql, breaks }) => {
        await using database = await openTestDatabase(dialect);
        const { db } = database;
        await writeBooks(db);
        await removeTriggers(db, dialect);
        await db.transaction(async (tx) => {
          for (const statement of sql.split(';')) await tx.query(statement);
        });
        expect(await brokenChecks(db)).toContain(breaks);
        const check = (await verifyBooks(db)).find(({ name }) => name === breaks);
        expect(check?.broken[0]).toMatchObject({ user_id: 1 });
      },
    );

    test('finds an account without its user', async () => {
      await using database = await openTestDatabase(dialect);
      await writeBooks(database.db);
      await removeUser(database);
      expect(await brokenChecks(database.db)).toEqual(['every account has its user']);
    });

    test('finds any missing trigger', async () => {
      await using database = await openTestDatabase(dialect);
      const { db } = database;
      const all = await db.query<{ name: string; place: string }>(
        dialect === 'sqlite'
          ? `SELECT name, tbl_name AS place FROM sqlite_schema WHERE type = 'trigger' ORDER BY name`
          : `SELECT tgname AS name, CAST(tgrelid::regclass AS TEXT) AS place FROM pg_trigger
             WHERE NOT tgisinternal ORDER BY tgname`,
      );
      // Others keep the search index up to date; they don't guard the books.
      const ofBooks = all.filter(({ place }) => place !== 'search_texts');
      expect(ofBooks.length).toBeGreaterThanOrEqual(7);
      const gone = new Set<string>();
      for (const { name, place } of ofBooks) {
        const of = dialect === 'postgres' ? ` ON ${place}` : '';
        await db.transaction((tx) => tx.query(`DROP TRIGGER ${name}${of}`));
        gone.add(name);
        const broken = (await verifyBooks(db)).flatMap((check) => check.broken);
        expect(new Set(broken.map(({ trigger }) => String(trigger)))).toEqual(gone);
      }
    });

    test('finds missing or disabled triggers by name', async () => {
      await using database = await openTestDatabase(dialect);
      const { db } = database;
      await writeBooks(db);
      await removeTriggers(db, dialect);
      const broken = (await verifyBooks(db)).filter(({ holds }) => !holds);
      const names =
        dialect === 'sqlite' ? ['no_delete', 'no_update'] : ['no_change', 'no_truncate'];
      expect(broken).toMatchObject([
        {
          name: 'the database refuses to change what is append-only',
          broken: names.map((name) => ({
            table: 'ledger_entries',
            trigger: `ledger_entries_${name}`,
          })),
        },
      ]);
    });
  });
}
