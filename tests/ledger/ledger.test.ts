import { describe, expect, test } from 'bun:test';
import { AccountBook, Ledger } from '../../src/ledger/index.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { DomainError } from '../../src/lib/errors.ts';
import { AMOUNT_MAX } from '../../src/lib/money.ts';
import { dialects, openTestDatabase } from '../support/databases.ts';
import { failure } from '../support/failure.ts';
import { brokenChecks, insertUser } from './rows.ts';

const note = { reason: 'because', madeBy: 'admin' };

async function refusal(promise: Promise<unknown>): Promise<string> {
  const error = await failure(promise);
  return error instanceof DomainError ? `${error.code}: ${error.message}` : String(error);
}

for (const dialect of dialects) {
  describe(`${dialect}: ledger`, () => {
    test('an account opens with its top-up', async () => {
      await using database = await openTestDatabase(dialect);
      const ledger = new Ledger(database.db, systemClock);
      await insertUser(database.db, 1, 500);
      await insertUser(database.db, 2);
      expect(await ledger.account(1)).toEqual({
        balance: 500,
        held: 0,
        creditLimit: 0,
        available: 500,
      });
      expect(await ledger.account(2)).toMatchObject({ balance: 0 });
      expect(await ledger.transactions(2, 10)).toEqual([]);
      expect(await refusal(ledger.account(3))).toStartWith('not_found');
    });

    test('top-ups and corrections are entries, newest first, in pages', async () => {
      await using database = await openTestDatabase(dialect);
      const ledger = new Ledger(database.db, { now: () => 1_234, monotonic: () => 0 });
      await insertUser(database.db, 1);
      expect(await ledger.credit(1, 500, note)).toBe(500);
      expect(await ledger.credit(1, -200, note)).toBe(300);
      expect(await ledger.credit(1, 1, note)).toBe(301);
      const newest = await ledger.transactions(1, 2);
      expect(newest).toEqual([
        {
          id: 3,
          kind: 'top_up',
          amount: 1,
          balanceAfter: 301,
          messageId: null,
          roomId: null,
          ...note,
          createdAt: 1_234,
        },
        {
          id: 2,
          kind: 'adjustment',
          amount: -200,
          balanceAfter: 300,
          messageId: null,
          roomId: null,
          ...note,
          createdAt: 1_234,
        },
      ]);
      expect((await ledger.transactions(1, 2, 2)).map(({ id }) => id)).toEqual([1]);
      expect(await brokenChecks(database.db)).toEqual([]);
    });

    test('a correction takes no more than is available; a credit limit allows more', async () => {
      await using database = await openTestDatabase(dialect);
      const ledger = new Ledger(database.db, systemClock);
      await insertUser(database.db, 1, 100);
      expect(await refusal(ledger.credit(1, -101, note))).toStartWith('invalid_request: amount');
      await ledger.setCreditLimit(1, 50);
      expect(await ledger.account(1)).toMatchObject({ creditLimit: 50, available: 150 });
      expect(await ledger.credit(1, -150, note)).toBe(-50);
      expect(await refusal(ledger.credit(1, -1, note))).toStartWith('invalid_request: amount');
      await ledger.setCreditLimit(1, 0);
      expect(await ledger.account(1)).toMatchObject({ balance: -50, available: 0 });
      expect(await brokenChecks(database.db)).toEqual([]);
    });

    test('an account has the same view alone and in a list', async () => {
      await using database = await openTestDatabase(dialect);
      const { db } = database;
      const ledger = new Ledger(db, systemClock);
      await insertUser(db, 1, 100);
      await insertUser(db, 2, 7);
      await ledger.setCreditLimit(1, 50);
      await db.transaction((tx) =>
        tx.query('UPDATE accounts SET held = 30 WHERE user_id = $1', [1]),
      );
      const first = { balance: 100, held: 30, creditLimit: 50, available: 120 };
      const second = { balance: 7, held: 0, creditLimit: 0, available: 7 };
      expect([await ledger.account(1), await ledger.account(2)]).toEqual([first, second]);
      expect([...(await ledger.accounts([1, 2]))]).toEqual([
        [1, first],
        [2, second],
      ]);
    });

    test('every kind of transfer is between the accounts that the books expect', async () => {
      await using database = await openTestDatabase(dialect);
      const { db } = database;
      await insertUser(db, 1, 100);
      await db.transaction(async (tx) => {
        const book = await AccountBook.open(tx, [1]);
        for (const kind of ['top_up', 'adjustment', 'refund'] as const) {
          book.transfer(1, 5, { kind, at: 0 });
        }
        await book.flush(tx);
      });
      // The refund belongs to no message.
      expect(await brokenChecks(db)).toEqual([
        'every refund is of a message, and in all at most its charge',
      ]);
    });

    test('amounts stay in their range', async () => {
      await using database = await openTestDatabase(dialect);
      const ledger = new Ledger(database.db, systemClock);
      await insertUser(database.db, 1);
      expect(await ledger.credit(1, AMOUNT_MAX, note)).toBe(AMOUNT_MAX);
      expect(await refusal(ledger.credit(1, 1, note))).toStartWith('invalid_request: amount');
      expect(await refusal(ledger.credit(1, 0, note))).toStartWith('invalid_request: amount');
      for (const limit of [-1, AMOUNT_MAX + 1]) {
        expect(await refusal(ledger.setCreditLimit(1, limit))).toStartWith(
          'invalid_request: limit',
        );
      }
      await ledger.setCreditLimit(1, AMOUNT_MAX);
      expect(await ledger.account(1)).toMatchObject({ available: AMOUNT_MAX });
    });

    test('concurrent top-ups all count', async () => {
      await using database = await openTestDatabase(dialect);
      const ledger = new Ledger(database.db, systemClock);
      await insertUser(database.db, 1);
      await Promise.all(
        Array.from({ length: 50 }, (_, index) => ledger.credit(1, index + 1, note)),
      );
      expect(await ledger.account(1)).toMatchObject({ balance: 1_275 });
      expect(await brokenChecks(database.db)).toEqual([]);
    });
  });
}
