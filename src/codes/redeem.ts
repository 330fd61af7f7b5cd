import type { Database, Tx } from '../db/index.ts';
import type { Ledger } from '../ledger/index.ts';
import type { Clock } from '../lib/clock.ts';
import { DomainError } from '../lib/errors.ts';
import type { Micro } from '../lib/money.ts';
import type { AttemptThrottle, Attempted, Caller, SecurityLog } from '../users/index.ts';
import { readCode } from './code-text.ts';

/** Wrong codes of one user: 10, then one a minute. Those of an address count like wrong passwords. */
const REDEEMING: Attempted = {
  name: 'redeem',
  what: 'to redeem a voucher',
  user: { attempts: 10, refillMs: 60_000 },
};

export interface Redeemed {
  amount: Micro;
  /** After the credit. */
  balance: Micro;
  redeemedAt: number;
}

interface FoundVoucher {
  batchId: number;
  number: number;
  revokedAt: number | null;
  redeemedAt: number | null;
  userId: number | null;
  transferId: number | null;
}

export interface RedemptionParts {
  db: Database;
  clock: Clock;
  ledger: Ledger;
  attempts: AttemptThrottle;
  security: SecurityLog;
}

export class Redemption {
  readonly #parts: RedemptionParts;

  constructor(parts: RedemptionParts) {
    this.#parts = parts;
  }

  /**
   * Redeems a voucher once: the credit, its ledger entry and the mark are one transaction. If the user repeats the
   * call, the answer is the same.
   * @throws `invalid_request` naming `code` if it was mistyped; `not_found`, which counts as a guess; `voucher_used`,
   * `voucher_ended`, `too_many_attempts`
   */
  async redeem({ userId, login }: Caller, code: string, address: string): Promise<Redeemed> {
    const digest = readCode('voucher', code);
    const { db, attempts, security } = this.#parts;
    const facts = { user: userId, login, address };
    try {
      const redeem = () => db.transaction((tx) => this.#redeemIn(tx, userId, digest));
      const isGuess = (error: unknown) => codeOf(error) === 'not_found';
      const { isNew, voucher, ...redeemed } = await attempts.run(
        REDEEMING,
        { userId, address },
        redeem,
        isGuess,
      );
      if (isNew) security.done('voucher_redeemed', { ...facts, voucher });
      return redeemed;
    } catch (error) {
      if (error instanceof DomainError) security.counted('code_refused', error.code, facts);
      throw error;
    }
  }

  async #redeemIn(
    tx: Tx,
    userId: number,
    digest: string,
  ): Promise<Redeemed & { isNew: boolean; voucher: string }> {
    const [found] = await tx.query<FoundVoucher>(
      `SELECT batch_id AS "batchId", number, revoked_at AS "revokedAt",
         redeemed_at AS "redeemedAt", user_id AS "userId", transfer_id AS "transferId"
       FROM vouchers WHERE digest = $1${tx.forUpdate}`,
      [digest],
    );
    if (!found) throw new DomainError('not_found', 'there is no voucher with this code');
    const [batch] = await tx.query<{ amount: Micro; expiresAt: number | null }>(
      'SELECT amount, expires_at AS "expiresAt" FROM voucher_batches WHERE id = $1',
      [found.batchId],
    );
    const { amount, expiresAt } = batch ?? { amount: 0, expiresAt: 0 };
    const voucher = `${found.batchId}-${found.number}`;
    if (found.redeemedAt !== null) {
      if (found.userId !== userId) {
        throw new DomainError('voucher_used', 'somebody else has redeemed this voucher');
      }
      const balance = await balanceAfter(tx, userId, found.transferId ?? 0);
      return { amount, balance, redeemedAt: found.redeemedAt, isNew: false, voucher };
    }
    const now = this.#parts.clock.now();
    if (found.revokedAt !== null) throw ended('this voucher was revoked');
    if (expiresAt !== null && expiresAt <= now) throw ended('this voucher has expired');
    const note = { reason: `voucher ${voucher}`, madeBy: 'voucher' };
    const balance = await this.#parts.ledger.creditIn(tx, userId, amount, note);
    await tx.query(
      `UPDATE vouchers SET redeemed_at = $1, user_id = $2,
         transfer_id = (SELECT last_transfer_id FROM accounts WHERE user_id = $2)
       WHERE digest = $3`,
      [now, userId, digest],
    );
    return { amount, balance, redeemedAt: now, isNew: true, voucher };
  }
}

function ended(problem: string): DomainError {
  return new DomainError('voucher_ended', `${problem}: ask whoever gave it to you for another`);
}

async function balanceAfter(tx: Tx, userId: number, transferId: number): Promise<Micro> {
  const [entry] = await tx.query<{ balance: Micro }>(
    `SELECT balance_after AS balance FROM ledger_entries
     WHERE user_id = $1 AND transfer_id = $2 AND account = 'user'`,
    [userId, transferId],
  );
  return entry?.balance ?? 0;
}

function codeOf(error: unknown): string | undefined {
  return error instanceof DomainError ? error.code : undefined;
}
