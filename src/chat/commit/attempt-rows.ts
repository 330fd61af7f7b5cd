import { prepareInsert, tables, type RowFor, type Tx } from '../../db/index.ts';
import type { SettleCommand } from './commands.ts';

const insertAttempts = prepareInsert(tables.message_attempts);

/** The rows of `message_attempts` that the settles of a batch write. Most write none. */
export class AttemptRows {
  readonly #rows: RowFor<typeof insertAttempts>[] = [];

  add({ userId, messageId, attempts }: SettleCommand): void {
    for (const [index, attempt] of attempts.entries()) {
      const { provider, model, keyHint, startedAt, durationMs, outcome, status, cost } = attempt;
      this.#rows.push({
        user_id: userId,
        message_id: messageId,
        number: index + 1,
        provider,
        model,
        key_hint: keyHint,
        started_at: startedAt,
        duration_ms: durationMs,
        outcome,
        status,
        cost: cost?.amount ?? null,
        cost_currency: cost?.currency ?? null,
      });
    }
  }

  async flush(tx: Tx): Promise<void> {
    await insertAttempts(tx, this.#rows);
  }
}
