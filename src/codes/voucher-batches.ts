import type { Act } from '../audit/index.ts';
import {
  nextNumber,
  prepareInsert,
  queryIn,
  tables,
  type Database,
  type Sql,
  type Tx,
} from '../db/index.ts';
import { authorOf } from '../ledger/index.ts';
import { toUnixSecondsOrNull, type Clock } from '../lib/clock.ts';
import { DomainError, invalidField } from '../lib/errors.ts';
import { AMOUNT_MAX, AMOUNT_MAX_TEXT, toRubles, type Micro } from '../lib/money.ts';
import { newCode, readCode } from './code-text.ts';
import { checkExpiry, checkNote } from './fields.ts';

export const VOUCHERS_MAX = 10_000;

const insertBatch = prepareInsert(tables.voucher_batches);
const insertVouchers = prepareInsert(tables.vouchers);

export interface NewVouchers {
  count: number;
  /** The amount of each voucher. */
  amount: Micro;
  note?: string | undefined;
  /** In the future; absent: never. */
  expiresAt?: number | undefined;
  /** `madeByUser` formats a user. */
  madeBy: string;
  act?: Act | undefined;
}

/** Vouchers that were made together. */
export interface VoucherBatch {
  id: number;
  /** The amount of each voucher. */
  amount: Micro;
  note: string;
  /** The current login of a user, or another text, e.g. `cli`. */
  madeBy: string;
  createdAt: number;
  /** Null: never. */
  expiresAt: number | null;
  count: number;
  redeemed: number;
  revoked: number;
  /** The number of vouchers that can still be redeemed. */
  outstanding: number;
}

export const voucherStates = ['outstanding', 'redeemed', 'revoked', 'expired'] as const;
export type VoucherState = (typeof voucherStates)[number];

export interface Voucher {
  /** From 1 within its batch. */
  number: number;
  state: VoucherState;
  /** The user who redeemed it, and when. */
  login: string | null;
  redeemedAt: number | null;
}

export interface ShownVouchers {
  batch: VoucherBatch;
  vouchers: Voucher[];
}

/** The only copy of the code: the database only has its digest. */
export interface PrintedVoucher {
  number: number;
  code: string;
}

export class VoucherBatches {
  readonly #db: Database;
  readonly #clock: Clock;

  constructor(db: Database, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  /**
   * @throws `invalid_request` naming `count`, `amount`, `note` or `expires_at`
   * @returns the batch, and the codes, which can't be read again
   */
  async create(input: NewVouchers): Promise<{ batch: VoucherBatch; vouchers: PrintedVoucher[] }> {
    const now = this.#clock.now();
    const { count, amount, note = '', expiresAt = null } = input;
    if (!(Number.isInteger(count) && count >= 1 && count <= VOUCHERS_MAX)) {
      throw invalidField('count', `must be a whole number from 1 to ${VOUCHERS_MAX}`);
    }
    if (!(amount > 0 && amount <= AMOUNT_MAX)) {
      throw invalidField('amount', `must be above 0 and at most ${AMOUNT_MAX_TEXT} ₽`);
    }
    checkNote(note);
    checkExpiry(expiresAt, now);
    const codes = Array.from({ length: count }, () => newCode('voucher'));
    const id = await this.#db.transaction(async (tx) => {
      // The lock that this takes also makes the check of the sum exact.
      const number = await nextNumber(tx, 'voucher_batches');
      const { amount: open } = await this.outstanding(tx);
      if (open + count * amount > AMOUNT_MAX) {
        throw invalidField('amount', `all vouchers together would exceed ${AMOUNT_MAX_TEXT} ₽`);
      }
      const row = { id: number, amount, note, made_by: input.madeBy, created_at: now };
      await insertBatch(tx, [{ ...row, expires_at: expiresAt }]);
      const unused = { revoked_at: null, redeemed_at: null, user_id: null, transfer_id: null };
      const rows = codes.map(({ digest }, at) => ({
        batch_id: number,
        number: at + 1,
        digest,
        ...unused,
      }));
      await insertVouchers(tx, rows);
      const facts = { count, amount: toRubles(amount), expires_at: toUnixSecondsOrNull(expiresAt) };
      await input.act?.record(tx, { subject: number, after: facts });
      return number;
    });
    const vouchers = codes.map(({ code }, at) => ({ number: at + 1, code }));
    return { batch: await this.get(id), vouchers };
  }

  /** Newest first. @param before only batches with a smaller id */
  async list(limit: number, before = Number.MAX_SAFE_INTEGER): Promise<VoucherBatch[]> {
    const rows = await this.#db.query<BatchRow>(
      `SELECT ${batchColumns} WHERE b.id < $1 ORDER BY b.id DESC LIMIT $2`,
      [before, limit],
    );
    return this.#counted(rows);
  }

  /** @throws `not_found` */
  async get(id: number): Promise<VoucherBatch> {
    const rows = await this.#db.query<BatchRow>(`SELECT ${batchColumns} WHERE b.id = $1`, [id]);
    const [batch] = await this.#counted(rows);
    if (!batch) throw new DomainError('not_found', 'there is no batch of vouchers with this id');
    return batch;
  }

  /** The voucher with this code, and its batch. @throws `invalid_request` if it is mistyped, `not_found` */
  async find(code: string): Promise<ShownVouchers> {
    const [row] = await this.#db.query<{ batchId: number; number: number }>(
      'SELECT batch_id AS "batchId", number FROM vouchers WHERE digest = $1',
      [readCode('voucher', code)],
    );
    if (!row) throw new DomainError('not_found', 'there is no voucher with this code');
    return this.show(row.batchId, 1, row.number - 1);
  }

  /** A batch, and its vouchers ordered by number. @param after only those with a greater number @throws `not_found` */
  async show(id: number, limit: number, after = 0): Promise<ShownVouchers> {
    const batch = await this.get(id);
    const { expiresAt } = batch;
    const rows = await this.#db.query<Omit<Voucher, 'state'> & { revokedAt: number | null }>(
      `SELECT v.number, v.revoked_at AS "revokedAt", v.redeemed_at AS "redeemedAt", u.login
       FROM vouchers v LEFT JOIN users u ON u.id = v.user_id
       WHERE v.batch_id = $1 AND v.number > $2 ORDER BY v.number LIMIT $3`,
      [id, after, limit],
    );
    const isOver = expiresAt !== null && expiresAt <= this.#clock.now();
    const stateOf = (redeemedAt: number | null, revokedAt: number | null): VoucherState => {
      if (redeemedAt !== null) return 'redeemed';
      if (revokedAt !== null) return 'revoked';
      return isOver ? 'expired' : 'outstanding';
    };
    const vouchers = rows.map(({ revokedAt, ...row }) => ({
      ...row,
      state: stateOf(row.redeemedAt, revokedAt),
    }));
    return { batch, vouchers };
  }

  /**
   * Revokes the vouchers of a batch that are not redeemed. Revoking them twice is harmless.
   * @param number only this one
   * @param act recorded if any was revoked now
   * @throws `not_found`
   * @returns how many were revoked now
   */
  async revoke(id: number, number?: number, act?: Act): Promise<number> {
    const rows = await this.#db.transaction(async (tx) => {
      const revoked = await tx.query(
        `UPDATE vouchers SET revoked_at = $1
         WHERE batch_id = $2 AND number = COALESCE(CAST($3 AS BIGINT), number)
           AND redeemed_at IS NULL AND revoked_at IS NULL RETURNING number`,
        [this.#clock.now(), id, number ?? null],
      );
      const after = { revoked: revoked.length, number: number ?? null };
      if (revoked.length > 0) await act?.record(tx, { subject: id, after });
      return revoked;
    });
    if (rows.length === 0) {
      const { count } = await this.get(id);
      if (number !== undefined && number > count) {
        throw new DomainError('not_found', `the batch has ${count} vouchers`);
      }
    }
    return rows.length;
  }

  /** The vouchers of all batches that can still be redeemed. */
  async outstanding(sql: Sql | Tx = this.#db): Promise<{ count: number; amount: Micro }> {
    const [row] = await sql.query<{ count: number; amount: Micro }>(
      `SELECT COUNT(*) AS count, CAST(COALESCE(SUM(b.amount), 0) AS BIGINT) AS amount
       FROM vouchers v JOIN voucher_batches b ON b.id = v.batch_id
       WHERE v.redeemed_at IS NULL AND v.revoked_at IS NULL
         AND COALESCE(b.expires_at, $1 + 1) > $1`,
      [this.#clock.now()],
    );
    return row ?? { count: 0, amount: 0 };
  }

  async #counted(rows: readonly BatchRow[]): Promise<VoucherBatch[]> {
    const counts = await queryIn<{ id: number; count: number; redeemed: number; revoked: number }>(
      this.#db,
      `SELECT batch_id AS id, COUNT(*) AS count, COUNT(redeemed_at) AS redeemed,
         COUNT(revoked_at) AS revoked
       FROM vouchers WHERE batch_id IN (LIST) GROUP BY batch_id`,
      rows.map(({ id }) => id),
    );
    const byId = new Map(counts.map(({ id, ...count }) => [id, count]));
    const now = this.#clock.now();
    return rows.map((row) => {
      const { count, redeemed, revoked } = byId.get(row.id) ?? {
        count: 0,
        redeemed: 0,
        revoked: 0,
      };
      const isOver = row.expiresAt !== null && row.expiresAt <= now;
      return {
        ...row,
        count,
        redeemed,
        revoked,
        outstanding: isOver ? 0 : count - redeemed - revoked,
      };
    });
  }
}

type BatchRow = Omit<VoucherBatch, 'count' | 'redeemed' | 'revoked' | 'outstanding'>;

const author = authorOf('b');
const batchColumns = `b.id, b.amount, b.note, ${author.login} AS "madeBy",
  b.created_at AS "createdAt", b.expires_at AS "expiresAt" FROM voucher_batches b ${author.join}`;
