import {
  prepareDelete,
  prepareInsert,
  prepareUpdate,
  queryIn,
  tables,
  together,
  type RowFor,
  type Tx,
} from '../../db/index.ts';
import { countsByColumn, tokenCounts } from '../../lib/units.ts';
import { attemptRows, insertAttempts, RoomTotals, UsageTotals } from './settle-rows.ts';
import {
  DELETED_ANSWER,
  type Batch,
  type SendCommand,
  type SettleCommand,
  type SettleResult,
} from './commands.ts';
import { withBalance } from '../idempotency.ts';

const closeMessages = prepareUpdate(tables.messages, {
  key: ['user_id', 'room_id', 'id'],
  set: [
    'state',
    'version_id',
    'response',
    'cost_request',
    'cost_response',
    ...tokenCounts.map(({ column }) => column),
    'usage_source',
    'finish_reason',
    'provider_message_id',
    'image_id',
    'error_code',
    'warnings',
    'response_at',
  ],
  where: `messages.state = 'pending'`,
  returning: ['user_id', 'id'],
});
const keepAnswers = prepareUpdate(tables.idempotency_keys, {
  key: ['user_id', 'operation', 'key'],
  set: ['response'],
});
const freeKeys = prepareDelete(tables.idempotency_keys, ['user_id', 'operation', 'key']);
const insertImages = prepareInsert(tables.images, { requiredOnly: true });

/** The settles of one batch: closes the messages that are still open, then charges and records each. */
export class SettleBatch {
  readonly #batch: Batch;
  /** Messages that were open and are now closed by this batch. */
  readonly #closed: Set<string>;
  /** Messages that an earlier attempt of the same settle has closed already. */
  readonly #repeated: Set<string>;
  readonly #roomTotals = new RoomTotals();
  readonly #usageTotals = new UsageTotals();
  readonly #attempts: RowFor<typeof insertAttempts>[] = [];
  readonly #images: RowFor<typeof insertImages>[] = [];
  readonly #keptAnswers: RowFor<typeof keepAnswers>[] = [];
  readonly #freedKeys: RowFor<typeof freeKeys>[] = [];

  private constructor(batch: Batch, closed: Set<string>, repeated: Set<string>) {
    this.#batch = batch;
    this.#closed = closed;
    this.#repeated = repeated;
  }

  static async open(tx: Tx, commands: SendCommand[], batch: Batch): Promise<SettleBatch> {
    const settles = commands.filter((command) => command.kind === 'settle');
    const rows = settles.map((settle) => messageRow(settle, isErased(settle, batch)));
    const updated = await closeMessages(tx, rows);
    const closed = new Set(updated.map((row) => `${row.user_id} ${row.id}`));
    const repeated = new Set<string>();
    for (const settle of settles) {
      if (closed.has(name(settle)) || !(await isRepeated(tx, settle))) continue;
      repeated.add(name(settle));
    }
    return new SettleBatch(batch, closed, repeated);
  }

  apply(settle: SettleCommand): SettleResult {
    const { userId, messageId, at } = settle;
    const { book, limits, rooms } = this.#batch;
    const erased = isErased(settle, this.#batch);
    if (this.#repeated.has(name(settle))) {
      return { kind: 'settled', balance: book.funds(userId).balance, erased };
    }
    if (!this.#closed.delete(name(settle))) return { kind: 'lost' };
    const balance = book.settle(userId, settle.hold, settle.cost, { messageId, at });
    const tokens = (settle.usage.promptTokens ?? 0) + (settle.usage.completionTokens ?? 0);
    const charge = settle.cost.request + settle.cost.response;
    limits.end(userId, settle.counted, { tokens, charge, at });
    this.#roomTotals.add(settle, rooms.get(settle.roomId), erased);
    this.#usageTotals.add(settle);
    this.#attempts.push(...attemptRows(settle));
    if (settle.image && !erased) {
      const { id, contentType, size, sha256 } = settle.image;
      this.#images.push({
        id,
        user_id: userId,
        room_id: settle.roomId,
        content_type: contentType,
        size,
        sha256,
      });
    }
    this.#closeKey(settle, balance, erased);
    return { kind: 'settled', balance, erased };
  }

  #closeKey(
    { userId, idempotency, keptAnswer }: SettleCommand,
    balance: number,
    erased: boolean,
  ): void {
    if (!idempotency) return;
    const row = { user_id: userId, operation: idempotency.operation, key: idempotency.key };
    // A failure frees the key, so that the caller can repeat the request. An answer of an erased message is not stored,
    // since it has the erased texts. Its key stays, since the message was charged.
    if (keptAnswer !== undefined) {
      const response = erased ? DELETED_ANSWER : withBalance(keptAnswer, balance);
      this.#keptAnswers.push({ ...row, response });
    } else this.#freedKeys.push(row);
  }

  async flush(tx: Tx): Promise<void> {
    await together([
      this.#roomTotals.flush(tx),
      this.#usageTotals.flush(tx),
      insertAttempts(tx, this.#attempts),
      this.#flushImages(tx),
      keepAnswers(tx, this.#keptAnswers),
      freeKeys(tx, this.#freedKeys),
    ]);
  }

  /** From now on a sweep no longer removes their bytes. */
  async #flushImages(tx: Tx): Promise<void> {
    if (this.#images.length === 0) return;
    await together([
      insertImages(tx, this.#images),
      queryIn(
        tx,
        'DELETE FROM image_writes WHERE id IN (LIST)',
        this.#images.map(({ id }) => id),
      ),
    ]);
  }
}

function name(settle: SettleCommand): string {
  return `${settle.userId} ${settle.messageId}`;
}

function isErased(settle: SettleCommand, { rooms }: Batch): boolean {
  const room = rooms.get(settle.roomId);
  return room !== undefined && settle.messageId <= room.erasedThrough;
}

/**
 * When the connection breaks during a commit, it is not known whether the commit happened, so the settle is sent again.
 * The commit happened if the message is in the state in which this settle would leave it.
 */
async function isRepeated(tx: Tx, settle: SettleCommand): Promise<boolean> {
  const [row] = await tx.query<{ state: string; error: string | null; at: number | null }>(
    `SELECT state, error_code AS error, response_at AS at FROM messages
     WHERE user_id = $1 AND room_id = $2 AND id = $3`,
    [settle.userId, settle.roomId, settle.messageId],
  );
  return row?.state === settle.state && row.error === settle.errorCode && row.at === settle.at;
}

function messageRow(settle: SettleCommand, erased: boolean): RowFor<typeof closeMessages> {
  return {
    user_id: settle.userId,
    room_id: settle.roomId,
    id: settle.messageId,
    state: settle.state,
    version_id: settle.versionId,
    response: erased ? '' : settle.response,
    cost_request: settle.cost.request,
    cost_response: settle.cost.response,
    ...countsByColumn(settle.usage),
    usage_source: settle.usage.source,
    finish_reason: settle.finishReason,
    provider_message_id: settle.providerMessageId,
    image_id: erased ? null : (settle.image?.id ?? null),
    error_code: settle.errorCode,
    warnings: settle.warnings.length > 0 ? JSON.stringify(settle.warnings) : null,
    response_at: settle.at,
  };
}
