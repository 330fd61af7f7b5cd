import { insertRows, type Param, type Tx } from '../../db/index.ts';
import type { SettleCommand } from './commands.ts';

/** The rows of `message_attempts` that the settles of a batch write. Most write none. */
export class AttemptRows {
  readonly #rows: Param[][] = [];

  add({ userId, messageId, attempts }: SettleCommand): void {
    for (const [index, attempt] of attempts.entries()) {
      const { provider, model, keyHint, startedAt, durationMs, outcome, status, cost } = attempt;
      this.#rows.push([
        userId,
        messageId,
        index + 1,
        provider,
        model,
        keyHint,
        startedAt,
        durationMs,
        outcome,
        status,
        cost?.amount ?? null,
        cost?.currency ?? null,
      ]);
    }
  }

  async flush(tx: Tx): Promise<void> {
    await insertRows(
      tx,
      `message_attempts (user_id, message_id, number, provider, model, key_hint, started_at,
         duration_ms, outcome, status, cost, cost_currency)`,
      12,
      this.#rows,
    );
  }
}
