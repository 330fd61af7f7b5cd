/** The books under random commands, compared with a model that only adds. */
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { closeUsageDay, closeRunningSums, type Tx } from '../../src/db/index.ts';
import { AccountBook, Ledger, verifyBooks, type Cost } from '../../src/ledger/index.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { dialects, openTestDatabase } from '../support/databases.ts';
import { failure } from '../support/failure.ts';
import { brokenChecks, finishMessage, insertPendingMessage, insertUser } from './rows.ts';

const USERS = 4;
/** The opening balance of every user: enough for some of the holds below, too little for all. */
const OPENING = 3_000_000;
const amount = fc.oneof(fc.nat({ max: 100 }), fc.nat({ max: 5_000_000 }));
const user = fc.nat({ max: USERS - 1 });

const command = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('hold' as const), user, amount }) },
  {
    weight: 3,
    // Which open hold or charge is meant, and which share of it the answer costs or the refund returns.
    arbitrary: fc.record({
      do: fc.constantFrom('settle' as const, 'release' as const, 'refund' as const),
      user,
      pick: fc.nat(),
      share: fc.nat({ max: 100 }).map((percent) => percent / 100),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('credit' as const), user, amount }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('limit' as const), user, amount }) },
);
type Command = typeof command extends fc.Arbitrary<infer C> ? C : never;

/** Commands in one transaction; `fails` rolls it back. */
const batch = fc.record({
  commands: fc.array(command, { minLength: 1, maxLength: 8, size: 'max' }),
  fails: fc.nat({ max: 4 }).map((n) => n === 4),
});

interface OpenHold {
  messageId: number;
  hold: number;
}

interface Charged {
  messageId: number;
  /** The part that was not refunded. */
  left: number;
}

interface Model {
  balance: number;
  limit: number;
  messages: number;
  transfers: number;
  open: OpenHold[];
  charged: Charged[];
}

function heldOf(model: Model): number {
  return model.open.reduce((sum, { hold }) => sum + hold, 0);
}

/** A price of one micro-ruble a token: the worst case of `amount` tokens is `amount`. */
function callOf(tokens: number) {
  const price = { inputTokens: 0, outputTokens: 1_000_000, inputFix: 0, outputFix: 0 };
  return { price, inputTokensMax: 0, outputTokensMax: tokens, reducibleTo: 0 };
}

/** Applies one command to the books and to the model, and compares the results. */
async function apply(
  tx: Tx,
  book: AccountBook,
  userId: number,
  model: Model,
  one: Command,
): Promise<void> {
  switch (one.do) {
    case 'hold': {
      const decision = book.hold(userId, callOf(one.amount));
      const available = Math.max(0, model.balance + model.limit - heldOf(model));
      expect(decision.granted).toBe(one.amount <= available);
      if (!decision.granted) return;
      const messageId = ++model.messages;
      expect(decision.messageId).toBe(messageId);
      model.open.push({ messageId, hold: one.amount });
      return insertPendingMessage(tx, userId, messageId, one.amount);
    }
    case 'settle':
    case 'release': {
      const index = one.pick % model.open.length;
      const picked = model.open[index];
      if (!picked) return;
      model.open.splice(index, 1);
      const { messageId, hold } = picked;
      if (one.do === 'release') {
        book.settle(userId, hold, { request: 0, response: 0 }, { messageId, at: 0 });
        return finishMessage(tx, userId, messageId, 'failed', { request: 0, response: 0 });
      }
      const total = Math.floor(hold * one.share);
      const cost: Cost = { request: total - (total >> 1), response: total >> 1 };
      model.balance -= total;
      if (total > 0) {
        model.transfers++;
        model.charged.push({ messageId, left: total });
      }
      expect(book.settle(userId, hold, cost, { messageId, at: 0 })).toBe(model.balance);
      return finishMessage(tx, userId, messageId, 'done', cost);
    }
    case 'refund': {
      const picked = model.charged[one.pick % model.charged.length];
      const given = Math.floor((picked?.left ?? 0) * one.share);
      if (!picked || given === 0) return;
      picked.left -= given;
      model.balance += given;
      model.transfers++;
      const entry = { kind: 'refund', messageId: picked.messageId, at: 0 } as const;
      expect(book.transfer(userId, given, entry)).toBe(model.balance);
      return;
    }
    case 'credit':
      model.balance += one.amount;
      model.transfers++;
      book.transfer(userId, one.amount, { kind: 'top_up', at: 0 });
      return;
    case 'limit':
      model.limit = one.amount;
      book.setCreditLimit(userId, one.amount);
  }
}

const rolledBack = new Error('rolled back on purpose');

for (const dialect of dialects) {
  describe(`${dialect}: the books`, () => {
    test('equal the model after any commands, and pass their proofs', async () => {
      await using database = await openTestDatabase(dialect);
      const { db } = database;
      let firstUser = 1;
      const run = async (batches: { commands: Command[]; fails: boolean }[]): Promise<void> => {
        const ids = Array.from({ length: USERS }, (_, index) => firstUser + index);
        firstUser += USERS;
        for (const id of ids) await insertUser(db, id, OPENING);
        let models = ids.map((): Model => ({
          balance: OPENING,
          limit: 0,
          messages: 0,
          transfers: 1,
          open: [],
          charged: [],
        }));
        for (const { commands, fails } of batches) {
          const next = structuredClone(models);
          const work = db.transaction(async (tx) => {
            const book = await AccountBook.open(tx, ids);
            for (const one of commands) {
              const model = next[one.user];
              const id = ids[one.user];
              if (model && id !== undefined) await apply(tx, book, id, model, one);
            }
            await book.flush(tx);
            if (fails) throw rolledBack;
          });
          if (fails) expect(await failure(work)).toBe(rolledBack);
          else {
            await work;
            models = next;
          }
        }
        const rows = await db.query(
          `SELECT balance, held, credit_limit, last_message_id, last_transfer_id FROM accounts
           WHERE user_id >= $1 AND user_id < $2 ORDER BY user_id`,
          [firstUser - USERS, firstUser],
        );
        expect(rows).toEqual(
          models.map((model) => ({
            balance: model.balance,
            held: heldOf(model),
            credit_limit: model.limit,
            last_message_id: model.messages,
            last_transfer_id: model.transfers,
          })),
        );
        expect(await brokenChecks(db)).toEqual([]);
      };
      await fc.assert(fc.asyncProperty(fc.array(batch, { maxLength: 12, size: 'max' }), run), {
        numRuns: 40,
      });
      expect(await closeUsageDay(db)).toBe(true);
      expect(await closeRunningSums(db)).toBe(true);
      const checks = await verifyBooks(db);
      expect(checks.filter(({ holds }) => !holds)).toEqual([]);
      expect(checks.filter(({ checked }) => checked === 0)).toEqual([]);
    });

    test('never hold more than is available, however many holds are concurrent', async () => {
      await using database = await openTestDatabase(dialect);
      const { db } = database;
      await insertUser(db, 1, 1_000);
      const attempt = () =>
        db.transaction(async (tx) => {
          const book = await AccountBook.open(tx, [1]);
          const decision = book.hold(1, callOf(90));
          if (decision.granted) await insertPendingMessage(tx, 1, decision.messageId, 90);
          await book.flush(tx);
          return decision;
        });
      const decisions = await Promise.all(Array.from({ length: 30 }, attempt));
      const granted = decisions.filter((decision) => decision.granted);
      expect(granted.length).toBe(11);
      expect(granted.map(({ messageId }) => messageId).sort((a, b) => a - b)).toEqual(
        Array.from({ length: 11 }, (_, index) => index + 1),
      );
      expect(await new Ledger(db, systemClock).account(1)).toMatchObject({
        balance: 1_000,
        held: 990,
        available: 10,
      });
      expect(await brokenChecks(db)).toEqual([]);
    });

    test('refuse commands that would break them', async () => {
      await using database = await openTestDatabase(dialect);
      const { db } = database;
      await insertUser(db, 1, 1_000);
      const attempt = (use: (book: AccountBook) => unknown) =>
        failure(
          db.transaction(async (tx) => {
            const book = await AccountBook.open(tx, [1]);
            book.hold(1, callOf(100));
            use(book);
            await book.flush(tx);
          }),
        );
      const note = { messageId: 1, at: 0 };
      const invariant = 'invariant broken';
      expect(
        String(await attempt((book) => book.settle(1, 101, { request: 0, response: 0 }, note))),
      ).toContain(invariant);
      expect(
        String(await attempt((book) => book.settle(1, 100, { request: 100, response: 1 }, note))),
      ).toContain(invariant);
      expect(String(await attempt((book) => book.funds(2)))).toContain(invariant);
      expect(
        String(await attempt((book) => book.transfer(1, 0.5, { kind: 'top_up', at: 0 }))),
      ).toContain(invariant);
      expect(await new Ledger(db, systemClock).account(1)).toMatchObject({
        balance: 1_000,
        held: 0,
      });
    });
  });
}
