import { noAnswer, type SettleCommand } from '../commit/commands.ts';
import { keyOfMessage } from '../idempotency.ts';
import { nameOf } from '../send/in-flight.ts';
import type { SenderParts } from '../send/sender-parts.ts';

interface OpenMessage {
  userId: number;
  roomId: string;
  messageId: number;
  hold: number;
  versionId: number;
  modelId: number;
  keyId: string;
  askedAt: number;
  /** The idempotency key; null without one. */
  operation: string | null;
  key: string | null;
  bodySha256: string | null;
}

/** The error code of a message whose process died before its answer was written. */
const INTERRUPTED = 'interrupted';

export type RecoveryParts = Pick<SenderParts, 'db' | 'clock' | 'commit' | 'inFlight'>;

/** Closes messages that no process works on any more: voids their holds, and releases their keys. */
export class Recovery {
  readonly #parts: RecoveryParts;
  #suspects = new Set<string>();

  constructor(parts: RecoveryParts) {
    this.#parts = parts;
  }

  /**
   * Voids every open hold of a node that is dead, or was taken for dead. In the second case the node itself may do
   * this: it continues under a new number, and keeps the holds of the sends that it still works on. @returns how many
   */
  async recoverNode(nodeId: number): Promise<number> {
    const open = await this.#openMessages(nodeId);
    const left = this.#withoutRunning(open);
    await this.#voidAll(left);
    return left.length;
  }

  /**
   * Voids open holds of this node that no send works on: the commit of the hold was reported as failed although it
   * happened, or its settle was given up. A hold must be found like this in two sweeps, since a new hold looks the
   * same for a moment.
   */
  async sweepOwn(nodeId: number): Promise<number> {
    const open = await this.#openMessages(nodeId);
    const lost = this.#withoutRunning(open);
    const certain = lost.filter((message) => this.#suspects.has(nameOf(message)));
    this.#suspects = new Set(lost.map(nameOf));
    await this.#voidAll(certain);
    return certain.length;
  }

  #withoutRunning(open: readonly OpenMessage[]): OpenMessage[] {
    const running = this.#parts.inFlight.names();
    return open.filter((message) => !running.has(nameOf(message)));
  }

  #openMessages(nodeId: number): Promise<OpenMessage[]> {
    return this.#parts.db.query<OpenMessage>(
      `SELECT m.user_id AS "userId", room_id AS "roomId", id AS "messageId", hold,
         asked_version_id AS "versionId",
         COALESCE((SELECT model_id FROM model_versions v WHERE v.id = asked_version_id), 0) AS "modelId",
         key_id AS "keyId", m.created_at AS "askedAt",
         operation, key, body_sha256 AS "bodySha256"
       FROM messages m LEFT JOIN idempotency_keys
         ON ${keyOfMessage('m.user_id', 'm.id', 'm.created_at')}
           AND idempotency_keys.response IS NULL
       WHERE node_id = $1 AND state = 'pending'`,
      [nodeId],
    );
  }

  /** One settle frees both the hold and the key: a key without its hold would stay in progress for ever. */
  async #voidAll(messages: OpenMessage[]): Promise<void> {
    await Promise.all(messages.map((message) => this.#parts.commit.settle(this.#voidOf(message))));
  }

  #voidOf({
    versionId,
    askedAt,
    operation,
    key,
    bodySha256,
    ...message
  }: OpenMessage): SettleCommand {
    const hasKey = operation !== null && key !== null && bodySha256 !== null;
    return {
      ...noAnswer,
      ...message,
      kind: 'settle',
      versionId,
      state: 'failed',
      cost: { request: 0, response: 0 },
      request: '',
      // Not known here.
      failedBytes: Infinity,
      errorCode: INTERRUPTED,
      warnings: [],
      counted: undefined,
      // It is not known what its process had done.
      operatorCost: null,
      lost: null,
      attempts: [],
      attemptCosts: [],
      idempotency: hasKey ? { operation, key, bodySha256 } : undefined,
      // The clock of the dead node may have been ahead.
      at: Math.max(this.#parts.clock.now(), askedAt),
    };
  }
}
