import type { Tx } from '../db/index.ts';
import { DomainError } from '../lib/errors.ts';

/**
 * Prevents the last active admin from leaving, which nobody could undo over HTTP. It locks the admins, so that two who
 * block each other at the same time can't both succeed. All locks are taken in the order of ids.
 * @param leaving the user who is about to be blocked, erased or given a lower role
 * @throws `forbidden`
 */
export async function keepAnAdmin(tx: Tx, leaving: number): Promise<void> {
  const locked = await tx.query<{ id: number; acts: number }>(
    `SELECT id, CASE WHEN is_admin = 1 AND is_blocked = 0 THEN 1 ELSE 0 END AS acts FROM users
     WHERE id = $1 OR (is_admin = 1 AND is_blocked = 0) ORDER BY id${tx.forUpdate}`,
    [leaving],
  );
  const admins = locked.filter(({ acts }) => acts === 1);
  if (admins.length > 1 || admins[0]?.id !== leaving) return;
  throw new DomainError('forbidden', 'this is the last admin: add or unblock another admin first');
}
