import type { Act } from '../audit/index.ts';
import type { Database, Tx } from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';
import { DomainError } from '../lib/errors.ts';
import type { SecretBox } from '../lib/secret-box.ts';
import { deleteRecoveryCodes, replaceRecoveryCodes, useRecoveryCode } from './recovery-codes.ts';
import { giveBackAll, takeAll, tooManyAttempts } from './stored-buckets.ts';
import type { BucketRule } from './token-bucket.ts';
import { isTotpCode, stepsWithCode, TOTP_SECRET_BYTES, totpKeyUri } from './totp.ts';

/**
 * Codes of one user: 10 tries, then one per 5 minutes. Of a million codes, three are valid at a time, so somebody with
 * the password guesses one with a probability below 0.1 % a day.
 */
export const CODE_RULE: BucketRule = { attempts: 10, refillMs: 300_000 };

/**
 * The group of tries that a code counts in: those at addresses where the user has logged in before, those elsewhere, or
 * those while the factor is being set up. Guesses from elsewhere must not lock the owner out.
 */
export type CodePlace = 'known' | 'new' | 'setup';

export interface SecondFactorState {
  /** When the second factor was confirmed; null: the user has not set one up. */
  since: number | null;
  /** The number of unused recovery codes. */
  codesLeft: number;
}

export interface GivenCode {
  userId: number;
  /** The secret in its stored form. */
  sealed: string;
  /** A code from the app, or a recovery code; absent if none was given. */
  code: string | undefined;
  place: CodePlace;
}

interface SecondFactorsParts {
  db: Database;
  clock: Clock;
  /** The secret box for the purpose `second-factor`. */
  box: SecretBox;
}

/** The second factors of users: their stored data, and the check of codes, exact across all nodes. */
export class SecondFactors {
  readonly #parts: SecondFactorsParts;

  constructor(parts: SecondFactorsParts) {
    this.#parts = parts;
  }

  async state(userId: number): Promise<SecondFactorState> {
    const [row] = await this.#parts.db.query<{ since: number | null; left: number }>(
      `SELECT confirmed_at AS since,
         (SELECT COUNT(*) FROM recovery_codes r WHERE r.user_id = f.user_id AND used_at IS NULL) AS "left"
       FROM second_factors f WHERE user_id = $1`,
      [userId],
    );
    return row?.since == null
      ? { since: null, codesLeft: 0 }
      : { since: row.since, codesLeft: row.left };
  }

  /**
   * Begins a second factor, which counts once it is confirmed. One that was begun earlier is replaced.
   * @returns the secret in the form that apps accept
   * @throws `forbidden` if the user already has one
   */
  async begin(userId: number, login: string): Promise<{ secret: string; uri: string }> {
    const { db, box } = this.#parts;
    const bytes = crypto.getRandomValues(new Uint8Array(TOTP_SECRET_BYTES));
    const sealed = box.seal(bytes.toHex(), String(userId));
    const rows = await db.transaction((tx) =>
      tx.query(
        `INSERT INTO second_factors (user_id, secret, last_step, confirmed_at) VALUES ($1, $2, 0, NULL)
         ON CONFLICT (user_id) DO UPDATE SET secret = excluded.secret, last_step = 0
         WHERE second_factors.confirmed_at IS NULL RETURNING user_id`,
        [userId, sealed],
      ),
    );
    if (rows.length === 0) throw alreadyOn();
    return totpKeyUri(bytes, login);
  }

  /**
   * Makes a begun second factor count, by its first code, and ends all tokens of the user: none of them has shown a
   * code.
   * @returns recovery codes, and the epoch of the user's tokens from now on
   * @throws `not_found` if none was begun; `code_invalid`, `too_many_attempts`
   */
  async confirm(userId: number, code: string): Promise<{ codes: string[]; epoch: number }> {
    const { db, clock } = this.#parts;
    const [row] = await db.query<{ secret: string }>(
      'SELECT secret FROM second_factors WHERE user_id = $1 AND confirmed_at IS NULL',
      [userId],
    );
    if (!row) {
      throw new DomainError('not_found', 'begin with /account/second-factor/begin/ first');
    }
    const sealed = row.secret;
    return this.#attempt({ userId, code, place: 'setup' }, async (tx) => {
      const [step] = this.#stepsOf(userId, sealed, code);
      if (step === undefined) throw codeInvalid();
      // The user's row is locked first, as everywhere.
      const [user] = await tx.query<{ epoch: number }>(
        'UPDATE users SET token_epoch = token_epoch + 1 WHERE id = $1 RETURNING token_epoch AS epoch',
        [userId],
      );
      const rows = await tx.query(
        `UPDATE second_factors SET last_step = $1, confirmed_at = $2
         WHERE user_id = $3 AND secret = $4 AND confirmed_at IS NULL RETURNING user_id`,
        [step, clock.now(), userId, sealed],
      );
      if (!user || rows.length === 0) throw codeInvalid();
      return { codes: await replaceRecoveryCodes(tx, userId), epoch: user.epoch };
    });
  }

  /**
   * Accepts a code of a user who has a second factor. Each code works once.
   * @throws `code_required` without one; `code_invalid`, `too_many_attempts`
   */
  async check({ userId, sealed, code, place }: GivenCode): Promise<void> {
    await this.#attempt({ userId, code, place }, async (tx, given) => {
      const isGood = isTotpCode(given)
        ? await this.#useStep(tx, { userId, sealed, code: given })
        : await useRecoveryCode(tx, userId, given, this.#parts.clock.now());
      if (!isGood) throw codeInvalid();
    });
  }

  /** Replaces the recovery codes. @returns the new ones @throws `not_found` without a second factor */
  newCodes(userId: number): Promise<string[]> {
    return this.#parts.db.transaction(async (tx) => {
      const rows = await tx.query(
        `SELECT user_id FROM second_factors
         WHERE user_id = $1 AND confirmed_at IS NOT NULL${tx.forUpdate}`,
        [userId],
      );
      if (rows.length === 0) throw noSecondFactor();
      return replaceRecoveryCodes(tx, userId);
    });
  }

  /** Removes the second factor of a user. @throws `not_found` if it is not set up */
  async remove(userId: number, act?: Act): Promise<void> {
    await this.#parts.db.transaction(async (tx) => {
      if (!(await deleteSecondFactor(tx, userId))) throw noSecondFactor();
      await act?.record(tx, { userId });
    });
  }

  /** How many second factors can't be opened with the server's secret. */
  async unreadable(): Promise<number> {
    const rows = await this.#parts.db.query<{ userId: number; secret: string }>(
      'SELECT user_id AS "userId", secret FROM second_factors WHERE confirmed_at IS NOT NULL',
    );
    const { box } = this.#parts;
    return rows.filter(({ userId, secret }) => box.open(secret, String(userId)) === undefined)
      .length;
  }

  /** Takes a try, does the work, and returns the try if it succeeded. */
  async #attempt<T>(
    { userId, code, place }: Omit<GivenCode, 'sealed'>,
    work: (tx: Tx, code: string) => Promise<T>,
  ): Promise<T> {
    const { db, clock } = this.#parts;
    const given = code?.replace(/\s/g, '') ?? '';
    if (given === '') throw codeRequired();
    const buckets = [{ name: `code:${place}:${userId}`, rule: CODE_RULE }];
    const wait = await db.transaction((tx) => takeAll(tx, buckets, clock.now()));
    if (wait > 0) throw tooManyAttempts('to give a code', wait);
    const result = await db.transaction((tx) => work(tx, given));
    await db.transaction((tx) => giveBackAll(tx, buckets, clock.now()));
    return result;
  }

  /** Uses up the time step of this code: one update wins, on whichever node. */
  async #useStep(
    tx: Tx,
    { userId, sealed, code }: Pick<GivenCode, 'userId' | 'sealed'> & { code: string },
  ): Promise<boolean> {
    for (const step of this.#stepsOf(userId, sealed, code)) {
      const rows = await tx.query(
        `UPDATE second_factors SET last_step = $1
         WHERE user_id = $2 AND secret = $3 AND confirmed_at IS NOT NULL AND last_step < $1
         RETURNING user_id`,
        [step, userId, sealed],
      );
      if (rows.length > 0) return true;
    }
    return false;
  }

  /** Empty if the server's secret does not open the stored one: recovery codes still work then. */
  #stepsOf(userId: number, sealed: string, code: string): number[] {
    const { box, clock } = this.#parts;
    const secret = box.open(sealed, String(userId));
    return secret === undefined
      ? []
      : stepsWithCode(Uint8Array.fromHex(secret), code.replace(/\s/g, ''), clock.now());
  }
}

/** Call it in the transaction that erases the user. @returns whether the user had a confirmed one */
export async function deleteSecondFactor(tx: Tx, userId: number): Promise<boolean> {
  const rows = await tx.query<{ since: number | null }>(
    'DELETE FROM second_factors WHERE user_id = $1 RETURNING confirmed_at AS since',
    [userId],
  );
  await deleteRecoveryCodes(tx, userId);
  return rows.some(({ since }) => since !== null);
}

/**
 * Re-encrypts the secrets that only the previous server secret decrypts. May run at any time, on several nodes at once.
 * @returns how many
 */
export async function resealSecondFactors(db: Database, box: SecretBox): Promise<number> {
  return db.transaction(async (tx) => {
    const rows = await tx.query<{ userId: number; secret: string }>(
      `SELECT user_id AS "userId", secret FROM second_factors ORDER BY user_id${tx.forUpdate}`,
    );
    let renewed = 0;
    for (const { userId, secret } of rows) {
      const sealed = box.renewed(secret, String(userId));
      if (sealed === undefined) continue;
      await tx.query('UPDATE second_factors SET secret = $1 WHERE user_id = $2', [sealed, userId]);
      renewed++;
    }
    return renewed;
  });
}

function codeRequired(): DomainError {
  return new DomainError(
    'code_required',
    'this user has a second factor: send `code` too, from the authenticator app, or a recovery code',
  );
}

function codeInvalid(): DomainError {
  return new DomainError(
    'code_invalid',
    'the code is wrong, too old or was used before: wait for the next one of the app, or send a recovery code that was not used',
  );
}

export function alreadyOn(): DomainError {
  return new DomainError(
    'forbidden',
    'you have a second factor already: end it with /account/second-factor/end/ first',
  );
}

export function noSecondFactor(): DomainError {
  return new DomainError('not_found', 'there is no second factor');
}
