import {
  prepareInsert,
  prepareUpdate,
  queryIn,
  tables,
  together,
  type RowFor,
  type Tx,
} from '../db/index.ts';
import { assert } from '../lib/errors.ts';
import { AMOUNT_MAX, type Micro } from '../lib/money.ts';
import { decideHold, type Cost, type Funds, type HoldBounds, type HoldDecision } from './rules.ts';

const updateAccounts = prepareUpdate(tables.accounts, {
  key: ['user_id'],
  set: ['balance', 'held', 'credit_limit', 'last_message_id', 'last_transfer_id', 'stored_bytes'],
});

export type TransferKind = 'top_up' | 'charge' | 'refund' | 'adjustment';

/** The account on the other side of a transfer. */
const counterAccounts: Record<TransferKind, 'revenue' | 'funding'> = {
  top_up: 'funding',
  adjustment: 'funding',
  charge: 'revenue',
  refund: 'revenue',
};

/** Writes both entries of transfers between users and the account `to`. */
const insertEntries = (to: 'revenue' | 'funding') =>
  prepareInsert(tables.ledger_entries, {
    made: { account: "'user'" },
    second: { account: `'${to}'`, amount: '-amount', balance_after: 'NULL' },
  });
const insertTransfers = { revenue: insertEntries('revenue'), funding: insertEntries('funding') };

export interface TransferNote {
  kind: TransferKind;
  messageId?: number;
  reason?: string;
  /** Who made the entry; `madeByUser` formats a user. */
  madeBy?: string;
  at: number;
}

type Transfer = RowFor<ReturnType<typeof insertEntries>>;

interface Account extends Funds {
  userId: number;
  /** 1 if the user has limits; see `LimitBook`. */
  limited: number;
  /** The ids of the user's API keys that have limits, with spaces between. */
  limitedKeys: string;
  lastMessageId: number;
  lastTransferId: number;
  storedBytes: number;
}

/**
 * The accounts of one transaction: `open` locks them, each call changes them in memory by the rules, and `flush` writes
 * them with their ledger entries. Nothing else writes money.
 */
export class AccountBook {
  readonly #accounts: Map<number, Account>;
  readonly #transfers: Record<keyof typeof insertTransfers, Transfer[]> = {
    revenue: [],
    funding: [],
  };

  private constructor(accounts: Map<number, Account>) {
    this.#accounts = accounts;
  }

  /** Locks the accounts of these users, in the order of their ids, so that nodes do not deadlock. */
  static async open(tx: Tx, userIds: Iterable<number>): Promise<AccountBook> {
    const ids = [...new Set(userIds)].sort((a, b) => a - b);
    const rows = await queryIn<Account>(
      tx,
      `SELECT user_id AS "userId", balance, held, credit_limit AS "creditLimit", limited,
         limited_keys AS "limitedKeys", last_message_id AS "lastMessageId", last_transfer_id AS "lastTransferId",
         stored_bytes AS "storedBytes"
       FROM accounts WHERE user_id IN (LIST) ORDER BY user_id${tx.forUpdate}`,
      ids,
    );
    return new AccountBook(new Map(rows.map((row) => [row.userId, { ...row }])));
  }

  /** Ids of the users of this book who have limits. */
  limitedUsers(): number[] {
    return [...this.#accounts.values()].flatMap((one) => (one.limited === 1 ? one.userId : []));
  }

  /** Whether an API key of the user has limits. @param keyId empty: no key */
  isLimitedKey(userId: number, keyId: string): boolean {
    const { limitedKeys } = this.#account(userId);
    return limitedKeys !== '' && keyId !== '' && limitedKeys.includes(keyId);
  }

  funds(userId: number): Readonly<Funds> {
    return this.#account(userId);
  }

  /** Bytes of the texts and images that are stored for the user. */
  storedBytes(userId: number): number {
    return this.#account(userId).storedBytes;
  }

  /** Adds to the bytes that are stored for the user; a negative number subtracts. */
  store(userId: number, bytes: number): void {
    this.#account(userId).storedBytes += bytes;
  }

  /** Takes a hold if the rules grant it, and assigns the id of its message. */
  hold(userId: number, bounds: HoldBounds): HoldDecision & { messageId: number } {
    const account = this.#account(userId);
    const decision = decideHold(account, bounds);
    if (!decision.granted) return { ...decision, messageId: 0 };
    account.held += decision.amount;
    account.lastMessageId++;
    return { ...decision, messageId: account.lastMessageId };
  }

  /** Releases a hold and charges `cost`, which must not exceed the hold. @returns the new balance */
  settle(userId: number, hold: Micro, cost: Cost, note: { messageId: number; at: number }): Micro {
    const account = this.#account(userId);
    const { held } = account;
    assert(held >= hold, `user ${userId} has ${held} held, less than the released ${hold}`);
    const charge = cost.request + cost.response;
    assert(charge <= hold, `message ${note.messageId} costs ${charge}, more than its hold ${hold}`);
    account.held -= hold;
    if (charge > 0) this.transfer(userId, -charge, { kind: 'charge', ...note });
    return account.balance;
  }

  /**
   * Moves `amount` to the user's account, or from it if negative: two entries that add up to zero. Callers check limits
   * first; the database refuses a balance out of range.
   * @returns the new balance
   */
  transfer(userId: number, amount: Micro, note: TransferNote): Micro {
    assert(
      Number.isSafeInteger(amount) && Math.abs(amount) <= AMOUNT_MAX,
      `the amount ${amount} is out of range`,
    );
    const account = this.#account(userId);
    account.balance += amount;
    const id = ++account.lastTransferId;
    const { kind, messageId = null, reason = null, madeBy = null, at } = note;
    const { balance } = account;
    this.#transfers[counterAccounts[kind]].push({
      user_id: userId,
      transfer_id: id,
      amount,
      kind,
      balance_after: balance,
      message_id: messageId,
      reason,
      made_by: madeBy,
      created_at: at,
    });
    return balance;
  }

  setCreditLimit(userId: number, creditLimit: Micro): void {
    this.#account(userId).creditLimit = creditLimit;
  }

  /** Writes the accounts and entries. Call it once, at the end of the transaction. */
  async flush(tx: Tx): Promise<void> {
    const accounts = [...this.#accounts.values()].map((account) => ({
      user_id: account.userId,
      balance: account.balance,
      held: account.held,
      credit_limit: account.creditLimit,
      last_message_id: account.lastMessageId,
      last_transfer_id: account.lastTransferId,
      stored_bytes: account.storedBytes,
    }));
    await together([
      updateAccounts(tx, accounts),
      insertTransfers.revenue(tx, this.#transfers.revenue),
      insertTransfers.funding(tx, this.#transfers.funding),
    ]);
  }

  #account(userId: number): Account {
    const account = this.#accounts.get(userId);
    assert(account, `the account of user ${userId} is not open in this transaction`);
    return account;
  }
}
