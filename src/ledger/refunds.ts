import type { Act } from '../audit/index.ts';
import type { Database, Tx } from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';
import { DomainError, invalidField } from '../lib/errors.ts';
import { AMOUNT_MAX, AMOUNT_MAX_TEXT, formatRubles, toRubles, type Micro } from '../lib/money.ts';
import { AccountBook } from './account-book.ts';
import { checkReason, type CreditNote } from './ledger.ts';

export interface RefundRequest {
  userId: number;
  /** The id of the user's message, as a send returned it. */
  messageId: number;
  /** Undefined: everything that was charged and not refunded yet. */
  amount: Micro | undefined;
}

export interface Refund {
  amount: Micro;
  charge: Micro;
  /** The total refunded for it, including this refund. */
  refunded: Micro;
  /** The user's balance after the refund. */
  balance: Micro;
}

/** Refunds what messages were charged, in total at most the charge. */
export class Refunds {
  readonly #db: Database;
  readonly #clock: Clock;

  constructor(db: Database, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  /**
   * Refunds the charge of a message, or a part of it.
   * @throws `not_found` if the user has no such message; `invalid_request` if the reason is missing or too long, the
   * amount is not above 0 or exceeds what is left of the charge, or the balance would be out of range
   */
  give(request: RefundRequest, note: CreditNote, act?: Act): Promise<Refund> {
    return this.#db.transaction((tx) => this.giveIn(tx, request, note, act));
  }

  /** Like `give`, in the caller's transaction. */
  async giveIn(tx: Tx, request: RefundRequest, note: CreditNote, act?: Act): Promise<Refund> {
    const { userId, messageId } = request;
    checkReason(note.reason);
    // Locks the account: each of several concurrent refunds sees the ones before it.
    const book = await AccountBook.open(tx, [userId]);
    const { charge, refunded } = await readCharge(tx, userId, messageId);
    const left = charge - refunded;
    const { amount = left } = request;
    if (amount <= 0 || amount > left) throw invalidField('amount', problemOf(charge, refunded));
    if (book.funds(userId).balance + amount > AMOUNT_MAX) {
      throw invalidField('amount', `the balance would exceed ${AMOUNT_MAX_TEXT} ₽`);
    }
    const entry = { kind: 'refund', messageId, ...note, at: this.#clock.now() } as const;
    const balance = book.transfer(userId, amount, entry);
    await book.flush(tx);
    const result = { amount, charge, refunded: refunded + amount, balance };
    await act?.record(tx, {
      userId,
      subject: messageId,
      before: { refunded: toRubles(refunded), balance: toRubles(balance - amount) },
      after: { refunded: toRubles(result.refunded), balance: toRubles(balance) },
    });
    return result;
  }
}

/** The charge of a message, and how much of it was refunded. @throws `not_found` */
async function readCharge(tx: Tx, userId: number, messageId: number) {
  const [row] = await tx.query<{ charge: Micro; refunded: Micro }>(
    `SELECT cost_request + cost_response AS charge,
       (SELECT CAST(COALESCE(SUM(amount), 0) AS BIGINT) FROM ledger_entries
         WHERE account = 'user' AND kind = 'refund' AND user_id = $1 AND message_id = $2) AS refunded
     FROM messages WHERE user_id = $1 AND id = $2`,
    [userId, messageId],
  );
  if (!row) throw new DomainError('not_found', `this user has no message ${messageId}`);
  return row;
}

function problemOf(charge: Micro, refunded: Micro): string {
  if (charge === 0) return 'this message was charged nothing';
  const total = formatRubles(charge);
  if (charge === refunded) return `the charge of ${total} was given back already`;
  const left = formatRubles(charge - refunded);
  return `must be above 0 and at most ${left}, which is left of the charge of ${total}`;
}
