import type { Act } from '../audit/index.ts';
import { queryIn, type Database, type Sql, type Tx } from '../db/index.ts';
import { DomainError, invalidField } from '../lib/errors.ts';
import type { Clock } from '../lib/clock.ts';
import { AMOUNT_MAX, AMOUNT_MAX_TEXT, toRubles, type Micro } from '../lib/money.ts';
import { AccountBook, type TransferKind } from './account-book.ts';
import { availableOf, type Funds } from './rules.ts';
import { readStatement, type Statement } from './statement.ts';

/** The most UTF-16 units of the reason for a transfer. */
export const REASON_CHARACTERS_MAX = 1_000;

export interface AccountState extends Funds {
  available: Micro;
}

/** A transfer, as shown to the user. */
export interface Transaction {
  id: number;
  kind: TransferKind;
  /** Negative if it left the user's account. */
  amount: Micro;
  balanceAfter: Micro;
  messageId: number | null;
  /** The room of the message; null if the room was deleted as well. */
  roomId: string | null;
  reason: string | null;
  /** The current login of a user, or another text, such as `cli`. */
  madeBy: string | null;
  createdAt: number;
}

export interface CreditNote {
  reason: string;
  /** Who makes the entry; `madeByUser` formats a user. */
  madeBy: string;
}

/**
 * The text in an entry for a user who made it: `#` and the id. The login is looked up when entries are read: entries
 * never change, and the login of an erased user must not remain in entries of others. No login begins with `#`, so
 * `cli` is shown unchanged.
 */
export function madeByUser(userId: number): string {
  return `#${userId}`;
}

/** @throws `invalid_request` if the reason for a transfer is missing or too long */
export function checkReason(reason: string): void {
  if (reason.trim() === '') throw invalidField('reason', 'must not be empty');
  if (reason.length > REASON_CHARACTERS_MAX) {
    throw invalidField('reason', `must have at most ${REASON_CHARACTERS_MAX} characters`);
  }
}

/** SQL for the author of rows that have `made_by`. @param rows the alias of their table */
export function authorOf(rows: string): { login: string; join: string } {
  return {
    login: `COALESCE(maker.login, ${rows}.made_by)`,
    join: `LEFT JOIN users maker ON maker.id =
      CASE WHEN ${rows}.made_by LIKE '#%' THEN CAST(SUBSTR(${rows}.made_by, 2) AS BIGINT) END`,
  };
}

const author = authorOf('e');

/** Tops up, corrects and shows accounts. Charges are made by the batches of the send path. */
export class Ledger {
  readonly #db: Database;
  readonly #clock: Clock;

  constructor(db: Database, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  /** Opens the account of a new user, with a top-up if `credit` is above 0. */
  async openAccount(tx: Tx, userId: number, credit: Micro, madeBy: string): Promise<void> {
    await tx.query(
      `INSERT INTO accounts (user_id, balance, held, credit_limit, last_message_id, last_transfer_id)
       VALUES ($1, 0, 0, 0, 0, 0)`,
      [userId],
    );
    if (credit === 0) return;
    const book = await AccountBook.open(tx, [userId]);
    book.transfer(userId, credit, {
      kind: 'top_up',
      reason: 'opening top-up',
      madeBy,
      at: this.#clock.now(),
    });
    await book.flush(tx);
  }

  /**
   * Adds a top-up, or a correction if the amount is negative.
   * @throws `invalid_request` if the amount is 0, the reason is missing or too long, the balance would be out of range,
   *   or a correction would take more than is available (held or spent money can't be taken back)
   * @returns the new balance
   */
  credit(userId: number, amount: Micro, note: CreditNote, act?: Act): Promise<Micro> {
    return this.#db.transaction((tx) => this.creditIn(tx, userId, amount, note, act));
  }

  /** Like `credit`, in the caller's transaction. */
  async creditIn(
    tx: Tx,
    userId: number,
    amount: Micro,
    note: CreditNote,
    act?: Act,
  ): Promise<Micro> {
    if (amount === 0) throw invalidField('amount', 'must not be 0');
    checkReason(note.reason);
    const book = await AccountBook.open(tx, [userId]);
    const funds = book.funds(userId);
    if (funds.balance + amount > AMOUNT_MAX) {
      throw invalidField('amount', `the balance would exceed ${AMOUNT_MAX_TEXT} ₽`);
    }
    if (amount < 0 && -amount > availableOf(funds)) {
      throw invalidField(
        'amount',
        'a correction can take at most what is available; lower the amount, or raise the credit limit first',
      );
    }
    const kind = amount < 0 ? 'adjustment' : 'top_up';
    const balance = book.transfer(userId, amount, { kind, ...note, at: this.#clock.now() });
    await book.flush(tx);
    const before = { balance: toRubles(balance - amount) };
    await act?.record(tx, { userId, before, after: { balance: toRubles(balance) } });
    return balance;
  }

  /** Sets how far below zero the balance may go. A balance that is already lower stays as it is. */
  async setCreditLimit(userId: number, creditLimit: Micro, act?: Act): Promise<void> {
    if (creditLimit < 0 || creditLimit > AMOUNT_MAX) {
      throw invalidField('limit', `must be between 0 and ${AMOUNT_MAX_TEXT} ₽`);
    }
    await this.#db.transaction(async (tx) => {
      const book = await AccountBook.open(tx, [userId]);
      const before = { credit_limit: toRubles(book.funds(userId).creditLimit) };
      book.setCreditLimit(userId, creditLimit);
      await book.flush(tx);
      await act?.record(tx, { userId, before, after: { credit_limit: toRubles(creditLimit) } });
    });
  }

  /** @throws `not_found` if the user has no account */
  async account(userId: number, sql: Sql = this.#db): Promise<AccountState> {
    const account = (await this.accounts([userId], sql)).get(userId);
    if (!account) throw new DomainError('not_found', 'this account does not exist');
    return account;
  }

  async accounts(
    userIds: readonly number[],
    sql: Sql = this.#db,
  ): Promise<Map<number, AccountState>> {
    const rows = await queryIn<Funds & { userId: number }>(
      sql,
      `SELECT user_id AS "userId", balance, held, credit_limit AS "creditLimit"
       FROM accounts WHERE user_id IN (LIST)`,
      userIds,
    );
    return new Map(
      rows.map(({ userId, ...funds }) => [userId, { ...funds, available: availableOf(funds) }]),
    );
  }

  /** A part of a user's book between two times, in milliseconds since 1970; undefined: its beginning or its end. */
  statement(userId: number, from?: number, before?: number): Promise<Statement> {
    return readStatement(this.#db, userId, from, before);
  }

  /** The transfers of a user, newest first. @param before @param after only transfers with an id between them */
  async transactions(
    userId: number,
    limit: number,
    before = Number.MAX_SAFE_INTEGER,
    after = 0,
  ): Promise<Transaction[]> {
    return this.#db.query<Transaction>(
      `SELECT transfer_id AS id, kind, amount, balance_after AS "balanceAfter",
         message_id AS "messageId", reason,
         (SELECT r.room_id FROM messages m JOIN rooms r ON r.room_id = m.room_id
           WHERE m.user_id = e.user_id AND m.id = e.message_id AND r.deleted_at IS NULL) AS "roomId",
         ${author.login} AS "madeBy", e.created_at AS "createdAt"
       FROM ledger_entries e ${author.join}
       WHERE user_id = $1 AND account = 'user' AND transfer_id < $2 AND transfer_id > $4
       ORDER BY transfer_id DESC LIMIT $3`,
      [userId, before, limit, after],
    );
  }
}
