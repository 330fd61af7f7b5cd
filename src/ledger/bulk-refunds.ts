import type { Act } from '../audit/index.ts';
import { queryIn, type Database, type Sql, type Tx } from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';
import { dayOf } from '../lib/days.ts';
import { DomainError, invalidField } from '../lib/errors.ts';
import { AMOUNT_MAX, AMOUNT_MAX_TEXT, toRubles, type Micro } from '../lib/money.ts';
import { AccountBook } from './account-book.ts';
import { checkReason, type CreditNote } from './ledger.ts';
import { dueIn, type Due, type DueQuery, type Window } from './refund-due.ts';

/** The most messages of a user that one statement reads and one transaction refunds. */
const WINDOW = 1_000;
/** Later messages of a user have later times, unless the clocks of two nodes differ; they differ by less than this. */
const CLOCKS_APART_MS = 86_400_000;

const NAMED_MAX = 10;

export interface BulkRefundRequest extends DueQuery {
  /** Undefined: of all users. */
  userId?: number | undefined;
  /** Whether messages of admins are among them. */
  ofAdmins: boolean;
  limit: number;
}

export interface BulkRefund {
  /** The number of messages that get a refund. */
  messages: number;
  users: number;
  /** The sum of their charges. */
  charge: Micro;
  /** The part of the charges that had been refunded before. */
  refunded: Micro;
  /** The amount that is refunded now. */
  amount: Micro;
  /** The number of messages of the period that had no answer yet when the call began. */
  running: number;
  /** False if there are more messages than the limit, some are still running, or the period is not over. */
  isComplete: boolean;
}

/**
 * Refunds the messages that a model answered in a period, a share of each charge or the part above the right price, after
 * an incident. Earlier refunds count, so that a repeat refunds nothing twice.
 */
export class BulkRefunds {
  readonly #db: Database;
  readonly #clock: Clock;

  constructor(db: Database, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  /** Computes what `give` would do now. @throws `invalid_request` if the period has no length */
  plan(request: BulkRefundRequest): Promise<BulkRefund> {
    return this.#run(request, (due) => Promise.resolve(due));
  }

  /**
   * Refunds one user after another, in transactions of at most 1,000 messages. A repeat continues an interrupted call.
   * @throws `invalid_request` if the period has no length, the reason is missing or too long, or balances would be out
   * of range: those users are left out and named, all others are refunded
   * @param act recorded in each transaction
   */
  give(request: BulkRefundRequest, note: CreditNote, act: Act): Promise<BulkRefund> {
    checkReason(note.reason);
    return this.#run(request, (_, window, limit) =>
      this.#db.transaction(async (tx) => {
        const book = await AccountBook.open(tx, [window.userId]);
        // Read again under the lock of the account: another call may have refunded messages meanwhile.
        const due = (await dueIn(tx, request, window)).slice(0, limit);
        const booking = { book, due, window, note, act, modelId: request.modelId };
        return (await this.#book(tx, booking)) ? due : undefined;
      }),
    );
  }

  /**
   * @param handle refunds what is due in a window, at most `limit` messages, and returns the result; undefined: the
   * balance would be out of range
   */
  async #run(
    request: BulkRefundRequest,
    handle: (due: Due[], window: Window, limit: number) => Promise<Due[] | undefined>,
  ): Promise<BulkRefund> {
    if (request.to <= request.from) throw invalidField('to', 'must be after from');
    // Counted before the others are read: a message that is settled meanwhile is counted exactly once.
    const running = await runningOf(this.#db, request);
    const isOver = running === 0 && request.to <= this.#clock.now();
    const done = { messages: 0, users: 0, charge: 0, refunded: 0, amount: 0, running };
    const tooRich: number[] = [];
    for (const userId of await usersOf(this.#db, request)) {
      let isCounted = false;
      for await (const window of windowsOf(this.#db, userId, request.from)) {
        const due = await dueIn(this.#db, request, window);
        const limit = request.limit - done.messages;
        if (due.length > 0 && limit === 0) return { ...done, isComplete: false };
        const given = due.length > 0 ? await handle(due.slice(0, limit), window, limit) : [];
        if (!given) {
          tooRich.push(userId);
          break;
        }
        for (const { charge, refunded, amount } of given) {
          done.messages++;
          done.charge += charge;
          done.refunded += refunded;
          done.amount += amount;
        }
        if (given.length > 0 && !isCounted) done.users++;
        isCounted ||= given.length > 0;
        if (due.length > limit) return { ...done, isComplete: false };
      }
    }
    if (tooRich.length > 0) throw await balancesTooHigh(this.#db, tooRich);
    return { ...done, isComplete: isOver };
  }

  /** @returns false: nothing was booked, since the balance would be out of range */
  async #book(
    tx: Tx,
    { book, due, window: { userId }, note, act, modelId }: Booking,
  ): Promise<boolean> {
    if (due.length === 0) return true;
    const { balance: before } = book.funds(userId);
    const amount = due.reduce((sum, one) => sum + one.amount, 0);
    if (before + amount > AMOUNT_MAX) return false;
    const at = this.#clock.now();
    for (const { id, amount: part } of due) {
      book.transfer(userId, part, { kind: 'refund', messageId: id, ...note, at });
    }
    await book.flush(tx);
    await act.record(tx, {
      userId,
      subject: modelId,
      before: { balance: toRubles(before) },
      after: { balance: toRubles(before + amount), messages: due.length },
    });
    return true;
  }
}

interface Booking {
  book: AccountBook;
  due: readonly Due[];
  window: Window;
  note: CreditNote;
  act: Act;
  modelId: number;
}

/**
 * Users of the model since the requested time, without erased ones. The index by day contains all columns that are
 * read.
 */
async function usersOf(sql: Sql, request: BulkRefundRequest): Promise<number[]> {
  const rows = await sql.query<{ id: number }>(
    `SELECT id FROM users WHERE id IN (SELECT user_id FROM usage_daily WHERE day >= $1 AND model_id = $2)
       AND id = COALESCE(CAST($3 AS BIGINT), id) AND is_admin <= $4
       AND erased_at IS NULL ORDER BY id`,
    // A message counts for the day of its answer.
    [
      dayOf(request.from - CLOCKS_APART_MS),
      request.modelId,
      request.userId ?? null,
      request.ofAdmins ? 1 : 0,
    ],
  );
  return rows.map(({ id }) => id);
}

/**
 * How many messages of the period are not answered yet: of all models, since a fallback may answer. The index of running
 * messages is small.
 */
async function runningOf(sql: Sql, request: BulkRefundRequest): Promise<number> {
  const [row] = await sql.query<{ n: number }>(
    `SELECT COUNT(*) AS n FROM messages m JOIN users u ON u.id = m.user_id
     WHERE m.state = 'pending' AND m.created_at >= $1 AND m.created_at < $2
       AND m.user_id = COALESCE(CAST($3 AS BIGINT), m.user_id) AND u.is_admin <= $4`,
    [request.from, request.to, request.userId ?? null, request.ofAdmins ? 1 : 0],
  );
  return row?.n ?? 0;
}

/** The error for refunds that would put balances out of range. */
async function balancesTooHigh(sql: Sql, ids: readonly number[]): Promise<DomainError> {
  const users = await queryIn<{ login: string }>(
    sql,
    'SELECT login FROM users WHERE id IN (LIST) ORDER BY id',
    ids.slice(0, NAMED_MAX),
  );
  const names = users.map(({ login }) => login).join(', ');
  const more = ids.length > NAMED_MAX ? ` and ${ids.length - NAMED_MAX} more` : '';
  return new DomainError(
    'invalid_request',
    `all were refunded except ${names}${more}, whose balance would exceed ${AMOUNT_MAX_TEXT} ₽`,
  );
}

/** Windows of the user's messages, the newest first, back to the first message sent since `from`. */
async function* windowsOf(sql: Sql, userId: number, from: number): AsyncGenerator<Window> {
  const [account] = await sql.query<{ last: number }>(
    'SELECT last_message_id AS last FROM accounts WHERE user_id = $1',
    [userId],
  );
  for (let last = account?.last ?? 0; last > 0; last -= WINDOW) {
    const window = { userId, first: Math.max(1, last - WINDOW + 1), last };
    const [row] = await sql.query<{ newest: number | null }>(
      `SELECT created_at AS newest FROM messages WHERE user_id = $1 AND id <= $2 ORDER BY id DESC LIMIT 1`,
      [userId, last],
    );
    const newest = row?.newest ?? null;
    if (newest === null || newest < from - CLOCKS_APART_MS) return;
    yield window;
  }
}
