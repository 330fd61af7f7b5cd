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
import type { StoredImage } from '../../images/index.ts';
import { countsByColumn, tokenCounts } from '../../lib/units.ts';
import { attemptRows, insertAttempts, RoomTotals } from './settle-rows.ts';
import { UsageTotals } from './usage-totals.ts';
import {
  DELETED_ANSWER,
  type Batch,
  type SendCommand,
  type SettleCommand,
  type SettleResult,
} from './commands.ts';
import { withBalance } from '../idempotency.ts';
import { cutResponse } from '../responses/failed-response.ts';
import { storedBytes } from '../rooms/stored-bytes.ts';

const closeMessages = prepareUpdate(tables.messages, {
  key: ['user_id', 'room_id', 'id'],
  set: [
    'state',
    'version_id',
    'response',
    'cost_request',
    'cost_response',
    'operator_cost',
    ...tokenCounts.map(({ column }) => column),
    'usage_source',
    'finish_reason',
    'provider_message_id',
    'image_id',
    'error_code',
    'warnings',
    'response_at',
  ],
  // In this form, PostgreSQL can't use the index of open messages. It has an entry for each send since the last vacuum,
  // and a plan that read them all for one batch was chosen for a third of the batches.
  where: `messages.state || '' = 'pending'`,
  returning: ['user_id', 'id'],
});
const keepAnswers = prepareUpdate(tables.idempotency_keys, {
  key: ['user_id', 'operation', 'key'],
  set: ['response'],
});
const keepOutputs = prepareUpdate(tables.responses, {
  key: ['user_id', 'message_id'],
  set: ['output'],
});
const freeKeys = prepareDelete(tables.idempotency_keys, ['user_id', 'operation', 'key']);
const insertImages = prepareInsert(tables.images, { requiredOnly: true });

/** The settles of one batch: closes the messages that are still open, then charges and records each. */
export class SettleBatch {
  readonly #batch: Batch;
  /** Messages that were open and are now closed by this batch. */
  readonly #closed: Set<string>;
  /** Bytes of failed sends that are no longer stored; see `cutFailed`. */
  readonly #cutBytes: Map<string, number>;
  /** Messages that an earlier attempt of the same settle has already closed. */
  readonly #repeated: Set<string>;
  readonly #roomTotals = new RoomTotals();
  readonly #usageTotals = new UsageTotals();
  readonly #attempts: RowFor<typeof insertAttempts>[] = [];
  readonly #images: RowFor<typeof insertImages>[] = [];
  readonly #keptAnswers: RowFor<typeof keepAnswers>[] = [];
  readonly #freedKeys: RowFor<typeof freeKeys>[] = [];
  readonly #outputs: RowFor<typeof keepOutputs>[] = [];

  private constructor(
    batch: Batch,
    closed: Set<string>,
    repeated: Set<string>,
    cutBytes: Map<string, number>,
  ) {
    this.#batch = batch;
    this.#closed = closed;
    this.#repeated = repeated;
    this.#cutBytes = cutBytes;
  }

  static async open(tx: Tx, commands: SendCommand[], batch: Batch): Promise<SettleBatch> {
    const settles = commands.filter((command) => command.kind === 'settle');
    const rows = settles.map((settle) => messageRow(settle, isErased(settle, batch)));
    const updated = await closeMessages(tx, rows);
    const closed = new Set(updated.map((row) => `${row.user_id} ${row.id}`));
    const repeated = new Set<string>();
    const cutBytes = new Map<string, number>();
    for (const settle of settles) {
      if (closed.size < settles.length && !closed.has(name(settle))) {
        if (await isRepeated(tx, settle)) repeated.add(name(settle));
      } else if (settle.failedBytes > FAILED_BYTES_MAX && !isErased(settle, batch)) {
        cutBytes.set(name(settle), await cutFailed(tx, settle));
      }
    }
    return new SettleBatch(batch, closed, repeated, cutBytes);
  }

  apply(settle: SettleCommand): SettleResult {
    const { userId, messageId, at } = settle;
    const { book, limits, rooms } = this.#batch;
    const erased = isErased(settle, this.#batch);
    const message = name(settle);
    if (this.#repeated.has(message)) {
      return { kind: 'settled', balance: book.funds(userId).balance, erased };
    }
    if (!this.#closed.delete(message)) return { kind: 'lost' };
    const balance = book.settle(userId, settle.hold, settle.cost, { messageId, at });
    const tokens = (settle.usage.promptTokens ?? 0) + (settle.usage.completionTokens ?? 0);
    const charge = settle.cost.request + settle.cost.response;
    const { keyId, counted, hold } = settle;
    limits.end({ userId, keyId, counted, hold, tokens, charge, at });
    this.#roomTotals.add(settle, rooms.get(settle.roomId), erased);
    this.#usageTotals.add(settle);
    if (settle.attempts.length > 0) this.#attempts.push(...attemptRows(settle));
    if (!erased) book.store(userId, this.#bytesAdded(settle));
    for (const { id, contentType, size, sha256 } of erased ? [] : imagesOf(settle)) {
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
    if (settle.keptOutput !== undefined && !erased) {
      const { keptOutput: output } = settle;
      this.#outputs.push({ user_id: userId, message_id: messageId, output });
    }
    return { kind: 'settled', balance, erased };
  }

  /** The bytes that this settle adds to what is stored, apart from those that the hold counted. */
  #bytesAdded(settle: SettleCommand): number {
    const { response, keptOutput } = settle;
    const imageBytes = imagesOf(settle).reduce((sum, { size }) => sum + size, 0);
    const added = Buffer.byteLength(response) + imageBytes;
    const cut = this.#cutBytes.get(name(settle)) ?? 0;
    return added + Buffer.byteLength(keptOutput ?? '') - cut;
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
      keepOutputs(tx, this.#outputs),
    ]);
  }

  /** From here on, no sweep removes their bytes. */
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

/** The texts of a failed send are kept whole up to this many bytes. */
const FAILED_BYTES_MAX = 16 * 1024;
/** Otherwise, this many characters of each of its texts are kept. */
const FAILED_CHARS_MAX = 4_096;

/**
 * Cuts the texts of a failed send: they only show in the history what failed.
 * @returns how many bytes are no longer stored
 */
async function cutFailed(tx: Tx, { userId, messageId }: SettleCommand): Promise<number> {
  const key = [userId, messageId];
  const [before] = await tx.query<{ bytes: number }>(
    `SELECT ${storedBytes} AS bytes FROM messages WHERE user_id = $1 AND id = $2`,
    key,
  );
  if (!before || before.bytes <= FAILED_BYTES_MAX) return 0;
  await cutResponse(tx, userId, messageId);
  const [after] = await tx.query<{ bytes: number }>(
    `UPDATE messages SET request = SUBSTR(request, 1, ${FAILED_CHARS_MAX}),
       system_prompt = SUBSTR(system_prompt, 1, ${FAILED_CHARS_MAX})
     WHERE user_id = $1 AND id = $2
     RETURNING ${storedBytes} AS bytes`,
    key,
  );
  return before.bytes - (after?.bytes ?? 0);
}

function imagesOf({ image, sentImages }: SettleCommand): readonly StoredImage[] {
  return image ? [image, ...sentImages] : sentImages;
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
    operator_cost: settle.operatorCost,
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
