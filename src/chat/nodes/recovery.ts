import type { Database } from '../../db/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { noUsage } from '../../providers/index.ts';
import type { SettleCommand } from '../commit/commands.ts';
import type { InFlight } from '../send/in-flight.ts';
import type { SendCommit } from '../commit/send-commit.ts';

interface OpenMessage {
  userId: number;
  roomId: string;
  messageId: number;
  hold: number;
  versionId: number;
  askedAt: number;
}

/** What the history says of a message whose process died before its answer was written. */
export const INTERRUPTED = 'interrupted';

/** Closes messages that nobody works on any more: their holds are voided, their keys freed. */
export class Recovery {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #commit: SendCommit;
  readonly #inFlight: InFlight;
  #suspects = new Set<string>();

  constructor(db: Database, clock: Clock, commit: SendCommit, inFlight: InFlight) {
    this.#db = db;
    this.#clock = clock;
    this.#commit = commit;
    this.#inFlight = inFlight;
  }

  /**
   * Voids every open hold of a node that is dead, or was taken for dead: a living one registers anew, and what it
   * began under its old number is still on its way here. @returns how many
   */
  async recoverNode(nodeId: number): Promise<number> {
    const open = await this.#openMessages(nodeId);
    const left = open.filter((message) => !this.#isInFlight(message));
    await this.#voidAll(left);
    return left.length;
  }

  /**
   * Voids what this living node lost sight of: a hold whose commit was reported as failed although it
   * happened, or a settle that was given up. Seen in two sweeps in a row, so that one just taken is safe.
   */
  async sweepOwn(nodeId: number): Promise<number> {
    const open = await this.#openMessages(nodeId);
    const lost = open.filter((message) => !this.#isInFlight(message));
    const certain = lost.filter((message) => this.#suspects.has(nameOf(message)));
    this.#suspects = new Set(lost.map(nameOf));
    await this.#voidAll(certain);
    return certain.length;
  }

  #isInFlight({ userId, messageId }: OpenMessage): boolean {
    return this.#inFlight.has(userId, messageId);
  }

  #openMessages(nodeId: number): Promise<OpenMessage[]> {
    return this.#db.query<OpenMessage>(
      `SELECT user_id AS "userId", room_id AS "roomId", id AS "messageId", hold,
         asked_version_id AS "versionId", created_at AS "askedAt"
       FROM messages WHERE node_id = $1 AND state = 'pending'`,
      [nodeId],
    );
  }

  async #voidAll(messages: OpenMessage[]): Promise<void> {
    await Promise.all(messages.map((message) => this.#commit.settle(this.#voidOf(message))));
    // After the settle, so that the key is free only once the hold is.
    for (const { userId, messageId } of messages) {
      await this.#db.transaction((tx) =>
        tx.query(
          `DELETE FROM idempotency_keys
           WHERE user_id = $1 AND message_id = $2 AND response IS NULL`,
          [userId, messageId],
        ),
      );
    }
  }

  #voidOf({ askedAt, ...message }: OpenMessage): SettleCommand {
    return {
      kind: 'settle',
      ...message,
      state: 'failed',
      cost: { request: 0, response: 0 },
      modelId: 0,
      title: () => '',
      response: '',
      ...noUsage,
      usageSource: null,
      finishReason: null,
      providerMessageId: null,
      image: undefined,
      errorCode: INTERRUPTED,
      warnings: [],
      counted: undefined,
      attempts: [],
      idempotency: undefined,
      render: undefined,
      // The clock of the one that died may have been ahead.
      at: Math.max(this.#clock.now(), askedAt),
    };
  }
}

function nameOf({ userId, messageId }: OpenMessage): string {
  return `${userId} ${messageId}`;
}
