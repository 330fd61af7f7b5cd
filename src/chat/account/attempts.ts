import type { Catalogue } from '../../catalogue/index.ts';
import type { Database } from '../../db/index.ts';
import { toUnixSeconds } from '../../lib/clock.ts';
import { DomainError } from '../../lib/errors.ts';
import { toRubles, type Micro } from '../../lib/money.ts';
import type { Attempt } from '../../providers/index.ts';
import type { MessageState } from '../commit/commands.ts';

export interface MessageAttempts {
  roomId: string;
  messageId: number;
  state: MessageState;
  errorCode: string | null;
  /** What the user pays. */
  charge: Micro;
  /** The part of the charge that was refunded. */
  refunded: Micro;
  /** What the operator pays for all attempts; null: not known. */
  operatorCost: Micro | null;
  /** In order; empty while the message is pending, or if its process died. */
  attempts: StoredAttempt[];
}

export interface StoredAttempt extends Omit<Attempt, 'usage'> {
  /** What the operator pays for it; null: not known. */
  operatorCost: Micro | null;
}

interface MessageRow extends Omit<MessageAttempts, 'messageId' | 'attempts'> {
  versionId: number;
  createdAt: number;
  respondedAt: number | null;
}

interface AttemptRow extends Omit<StoredAttempt, 'cost'> {
  messageId: number;
  cost: string | null;
  currency: 'RUB' | null;
}

export class AttemptLog {
  readonly #db: Database;
  readonly #catalogue: Catalogue;

  constructor(db: Database, catalogue: Catalogue) {
    this.#db = db;
    this.#catalogue = catalogue;
  }

  /** @throws `not_found` for a message that the user has not sent */
  async read(userId: number, messageId: number): Promise<MessageAttempts> {
    const [message] = await this.#db.query<MessageRow>(
      `SELECT room_id AS "roomId", state, error_code AS "errorCode", version_id AS "versionId",
         created_at AS "createdAt", response_at AS "respondedAt",
         cost_request + cost_response AS charge, operator_cost AS "operatorCost",
         (SELECT CAST(COALESCE(SUM(amount), 0) AS BIGINT) FROM ledger_entries
           WHERE account = 'user' AND kind = 'refund' AND user_id = $1 AND message_id = $2) AS refunded
       FROM messages WHERE user_id = $1 AND id = $2`,
      [userId, messageId],
    );
    if (!message) throw new DomainError('not_found', `this user has no message ${messageId}`);
    const kept = (await this.between(userId, messageId, messageId)).get(messageId) ?? [];
    const attempts = kept.length > 0 ? kept : await this.#plainAttempt(message);
    const { roomId, state, errorCode, charge, refunded, operatorCost } = message;
    return { roomId, messageId, state, errorCode, charge, refunded, operatorCost, attempts };
  }

  /** The stored attempts of messages, by message id. @param first @param last ids, both included */
  async between(
    userId: number,
    first: number,
    last: number,
  ): Promise<Map<number, StoredAttempt[]>> {
    const rows = await this.#db.query<AttemptRow>(
      `SELECT message_id AS "messageId", provider, model, key_hint AS "keyHint",
         started_at AS "startedAt", waited_ms AS "waitedMs", duration_ms AS "durationMs", outcome, status, cost,
         cost_currency AS currency, operator_cost AS "operatorCost"
       FROM message_attempts WHERE user_id = $1 AND message_id BETWEEN $2 AND $3
       ORDER BY message_id, number`,
      [userId, first, last],
    );
    const grouped = Map.groupBy(rows, (row) => row.messageId);
    return new Map([...grouped].map(([id, list]) => [id, list.map(toAttempt)]));
  }

  /** The only attempt of a message without rows, derived from the message. */
  async #plainAttempt(message: MessageRow): Promise<StoredAttempt[]> {
    const { state, versionId, createdAt, respondedAt, operatorCost } = message;
    if ((state !== 'done' && state !== 'stopped') || respondedAt === null) return [];
    const { view } = await this.#catalogue.version(versionId);
    return [
      {
        provider: view.code,
        model: view.model,
        keyHint: null,
        startedAt: createdAt,
        waitedMs: null,
        durationMs: respondedAt - createdAt,
        outcome: state === 'done' ? 'ok' : 'stopped',
        status: null,
        cost: null,
        operatorCost,
      },
    ];
  }
}

function toAttempt({ cost: amount, currency, ...row }: AttemptRow): StoredAttempt {
  return { ...row, cost: amount === null ? null : { amount, currency } };
}

/** An attempt as JSON, for the user who sent the message. */
export function attemptView(attempt: StoredAttempt) {
  return {
    provider: attempt.provider,
    model: attempt.model,
    started_at: toUnixSeconds(attempt.startedAt),
    waited_ms: attempt.waitedMs,
    duration_ms: attempt.durationMs,
    outcome: attempt.outcome,
    status: attempt.status,
  };
}

/** A message with its attempts as JSON, for admins: includes the keys and the costs to the operator. */
export function messageAttemptsView({ roomId, messageId, state, ...rest }: MessageAttempts) {
  const { charge, refunded, operatorCost } = rest;
  return {
    room_id: roomId,
    message_id: messageId,
    state,
    error_code: rest.errorCode,
    charge: toRubles(charge),
    refunded: toRubles(refunded),
    operator_cost: operatorCost === null ? null : toRubles(operatorCost),
    margin: operatorCost === null ? null : toRubles(charge - operatorCost),
    attempts: rest.attempts.map((attempt) => ({
      ...attemptView(attempt),
      key_hint: attempt.keyHint,
      cost: attempt.cost === null ? null : Number(attempt.cost.amount),
      cost_currency: attempt.cost?.currency ?? null,
      operator_cost: attempt.operatorCost === null ? null : toRubles(attempt.operatorCost),
    })),
  };
}
