import { base32nopad } from '@scure/base';
import { prepareInsert, tables, type Tx } from '../db/index.ts';
import { sha256Hex } from '../lib/ids.ts';

/** Codes that can each replace the second factor once, for users who have lost it. Only digests are stored. */

export const RECOVERY_CODES = 10;
/** 80 random bits need no slow hash, and make 16 characters. */
const CODE_BYTES = 10;
const codePattern = /^[A-Z2-7]{16}$/;

const insertCodes = prepareInsert(tables.recovery_codes);

/** Replaces the recovery codes of a user. @returns the new codes, in groups of four characters */
export async function replaceRecoveryCodes(tx: Tx, userId: number): Promise<string[]> {
  await deleteRecoveryCodes(tx, userId);
  const codes = Array.from({ length: RECOVERY_CODES }, () =>
    base32nopad.encode(crypto.getRandomValues(new Uint8Array(CODE_BYTES))),
  );
  const rows = codes.map((code) => ({ user_id: userId, digest: digestOf(code), used_at: null }));
  await insertCodes(tx, rows);
  return codes.map((code) => code.replace(/(.{4})(?=.)/g, '$1-'));
}

/**
 * Uses up a recovery code.
 * @param typed in upper or lower case, with or without hyphens and spaces
 * @returns false if the user has no such code, or it was used before
 */
export async function useRecoveryCode(
  tx: Tx,
  userId: number,
  typed: string,
  now: number,
): Promise<boolean> {
  const code = typed.toUpperCase().replace(/[\s\p{Pd}]/gu, '');
  if (!codePattern.test(code)) return false;
  const rows = await tx.query(
    `UPDATE recovery_codes SET used_at = $1
     WHERE user_id = $2 AND digest = $3 AND used_at IS NULL RETURNING digest`,
    [now, userId, digestOf(code)],
  );
  return rows.length > 0;
}

export async function deleteRecoveryCodes(tx: Tx, userId: number): Promise<void> {
  await tx.query('DELETE FROM recovery_codes WHERE user_id = $1', [userId]);
}

function digestOf(code: string): string {
  return sha256Hex(`recovery ${code}`);
}
