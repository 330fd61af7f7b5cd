/** The rows around the books that ledger tests need, written directly. */
import type { Database, Tx } from '../../src/db/index.ts';
import { Ledger, verifyBooks } from '../../src/ledger/index.ts';
import { systemClock } from '../../src/lib/clock.ts';

/** A user with an account and an unused API key with limits. */
export async function insertUser(db: Database, userId: number, credit = 0): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.query(
      `INSERT INTO users (id, login, login_folded, password_hash, is_admin, is_blocked, token_epoch, created_at)
       VALUES ($1, $2, $2, '', 0, 0, 0, 0)`,
      [userId, `user${userId}`],
    );
    await new Ledger(db, systemClock).openAccount(tx, userId, credit, 'test');
    await tx.query(
      `INSERT INTO api_keys (user_id, id, name, digest, hint, created_at)
       VALUES ($1, $2, '', $2, '', 0)`,
      [userId, `key${userId}`],
    );
    await tx.query(
      `INSERT INTO key_limits (user_id, key_id, rubles_total, minute_start, minute_requests,
         minute_tokens, day, day_charged, month_charged, charged, held)
       VALUES ($1, $2, 1, 0, 0, 0, 0, 0, 0, 0, 0)`,
      [userId, `key${userId}`],
    );
  });
}

/** The message of a hold, as the send path writes it. */
export async function insertPendingMessage(
  tx: Tx,
  userId: number,
  messageId: number,
  hold: number,
): Promise<void> {
  await tx.query(
    `INSERT INTO messages (user_id, room_id, id, state, node_id, hold, asked_version_id, version_id,
       system_prompt, request, response, parameters, cost_request, cost_response, created_at)
     VALUES ($1, 'room', $2, 'pending', 1, $3, 1, 1, '', '', '', '{}', 0, 0, 0)`,
    [userId, messageId, hold],
  );
}

export async function finishMessage(
  tx: Tx,
  userId: number,
  messageId: number,
  state: 'done' | 'failed',
  cost: { request: number; response: number },
): Promise<void> {
  await tx.query(
    `UPDATE messages SET state = $3, cost_request = $4, cost_response = $5
     WHERE user_id = $1 AND id = $2`,
    [userId, messageId, state, cost.request, cost.response],
  );
  await tx.query(
    `INSERT INTO usage_daily (user_id, day, model_id, requests, prompt_tokens, completion_tokens, spend)
     VALUES ($1, 0, 1, 1, 0, 0, $2)
     ON CONFLICT (user_id, day, model_id, key_id) DO UPDATE SET spend = usage_daily.spend + excluded.spend`,
    [userId, cost.request + cost.response],
  );
}

/** The names of the statements about the books that do not hold. */
export async function brokenChecks(db: Database): Promise<string[]> {
  const checks = await verifyBooks(db);
  return checks.filter((check) => !check.holds).map((check) => check.name);
}
