import { insertRows, together, updateRows, type Param, type Tx } from '../../db/index.ts';
import type { AccountBook, LimitBook } from '../../ledger/index.ts';
import { AttemptRows } from './attempt-rows.ts';
import {
  DELETED_ANSWER,
  type RoomRow,
  type SendCommand,
  type SettleCommand,
  type SettleResult,
} from './commands.ts';
import { withBalance } from '../idempotency/idempotency.ts';
import { RoomTotals, UsageTotals } from './totals.ts';

/** The settles of one batch: closes the messages that are still open, then charges and records each. */
export class SettleBatch {
  readonly #book: AccountBook;
  readonly #limits: LimitBook;
  readonly #rooms: Map<string, RoomRow>;
  /** Messages that were open and are now closed by this batch. */
  readonly #closed: Set<string>;
  /** Messages that an earlier try of the very same settle has closed already. */
  readonly #repeated: Set<string>;
  readonly #roomTotals = new RoomTotals();
  readonly #usageTotals = new UsageTotals();
  readonly #attempts = new AttemptRows();
  readonly #imageRows: Param[][] = [];
  readonly #keptAnswers: Param[][] = [];
  readonly #freedKeys: Param[][] = [];

  private constructor(
    book: AccountBook,
    limits: LimitBook,
    rooms: Map<string, RoomRow>,
    closed: Set<string>,
    repeated: Set<string>,
  ) {
    this.#book = book;
    this.#limits = limits;
    this.#rooms = rooms;
    this.#closed = closed;
    this.#repeated = repeated;
  }

  static async open(
    tx: Tx,
    commands: SendCommand[],
    book: AccountBook,
    limits: LimitBook,
    rooms: Map<string, RoomRow>,
  ): Promise<SettleBatch> {
    const settles = commands.filter((command) => command.kind === 'settle');
    const rows = settles.map((settle) => messageRow(settle, isErased(settle, rooms)));
    const updated = await updateRows<{ user_id: number; id: number }>(
      tx,
      messageColumns,
      `UPDATE messages SET state = v.new_state, version_id = v.ver, response = v.answer,
         cost_request = v.cost_in, cost_response = v.cost_out, prompt_tokens = v.tok_in,
         completion_tokens = v.tok_out, total_tokens = v.tok_all, cached_tokens = v.tok_cached,
         cache_write_tokens = v.tok_written, reasoning_tokens = v.tok_thought, usage_source = v.src,
         finish_reason = v.finish, provider_message_id = v.provider_id, image_id = v.image,
         error_code = v.err, warnings = v.warn, response_at = v.at
       FROM v WHERE user_id = v.uid AND room_id = v.room AND messages.id = v.mid
         AND state = 'pending' RETURNING user_id, id`,
      rows,
    );
    const closed = new Set(updated.map((row) => `${row.user_id} ${row.id}`));
    const repeated = new Set<string>();
    for (const settle of settles) {
      if (closed.has(name(settle)) || !(await isRepeated(tx, settle))) continue;
      repeated.add(name(settle));
    }
    return new SettleBatch(book, limits, rooms, closed, repeated);
  }

  apply(settle: SettleCommand): SettleResult {
    const { userId, messageId } = settle;
    const erased = isErased(settle, this.#rooms);
    if (this.#repeated.has(name(settle))) {
      return { kind: 'settled', balance: this.#book.funds(userId).balance, erased };
    }
    if (!this.#closed.delete(name(settle))) return { kind: 'lost' };
    const at = settle.at;
    const balance = this.#book.settle(userId, settle.hold, settle.cost, { messageId, at });
    const tokens = (settle.promptTokens ?? 0) + (settle.completionTokens ?? 0);
    const charge = settle.cost.request + settle.cost.response;
    this.#limits.end(userId, settle.counted, { tokens, charge, at });
    this.#roomTotals.add(settle, this.#rooms.get(settle.roomId), erased);
    this.#usageTotals.add(settle);
    this.#attempts.add(settle);
    if (settle.image && !erased) {
      const { id, contentType, size, sha256 } = settle.image;
      this.#imageRows.push([id, userId, settle.roomId, messageId, contentType, size, sha256, at]);
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
    const { operation, key } = idempotency;
    // Only the answer of a success is stored; a failure frees the key, so that the caller can try again. An answer
    // whose message was erased is not stored, since it holds the texts; its key is, since it was charged.
    if (keptAnswer !== undefined) {
      const answer = erased ? DELETED_ANSWER : withBalance(keptAnswer, balance);
      this.#keptAnswers.push([userId, operation, key, answer]);
    } else this.#freedKeys.push([userId, operation, key]);
  }

  async flush(tx: Tx): Promise<void> {
    await together([
      this.#roomTotals.flush(tx),
      this.#usageTotals.flush(tx),
      this.#attempts.flush(tx),
      this.#flushImages(tx),
      updateRows(
        tx,
        { uid: 'BIGINT', op: 'TEXT', k: 'TEXT', answer: 'TEXT' },
        `UPDATE idempotency_keys SET response = v.answer FROM v
         WHERE user_id = v.uid AND operation = v.op AND key = v.k`,
        this.#keptAnswers,
      ),
      updateRows(
        tx,
        { uid: 'BIGINT', op: 'TEXT', k: 'TEXT' },
        `DELETE FROM idempotency_keys WHERE EXISTS (SELECT 1 FROM v
           WHERE v.uid = user_id AND v.op = operation AND v.k = key)`,
        this.#freedKeys,
      ),
    ]);
  }

  /** Adds the images to their messages. Their bytes are no longer unsettled ones, which a sweep would remove. */
  async #flushImages(tx: Tx): Promise<void> {
    if (this.#imageRows.length === 0) return;
    await together([
      insertRows(
        tx,
        `images (id, user_id, room_id, message_id, content_type, size, sha256, created_at)`,
        8,
        this.#imageRows,
      ),
      updateRows(
        tx,
        { kept: 'TEXT' },
        'DELETE FROM image_writes WHERE id IN (SELECT kept FROM v)',
        this.#imageRows.map(([id]) => [id ?? null]),
      ),
    ]);
  }
}

function name(settle: SettleCommand): string {
  return `${settle.userId} ${settle.messageId}`;
}

function isErased(settle: SettleCommand, rooms: Map<string, RoomRow>): boolean {
  const room = rooms.get(settle.roomId);
  return room !== undefined && settle.messageId <= room.erasedThrough;
}

/**
 * When the connection breaks during a commit, nobody knows whether the commit happened, and the settle is sent again.
 * It did happen if the message is in the state in which this settle would leave it.
 */
async function isRepeated(tx: Tx, settle: SettleCommand): Promise<boolean> {
  const [row] = await tx.query<{ state: string; error: string | null; at: number | null }>(
    `SELECT state, error_code AS error, response_at AS at FROM messages
     WHERE user_id = $1 AND room_id = $2 AND id = $3`,
    [settle.userId, settle.roomId, settle.messageId],
  );
  return row?.state === settle.state && row.error === settle.errorCode && row.at === settle.at;
}

const messageColumns = {
  uid: 'BIGINT',
  room: 'TEXT',
  mid: 'BIGINT',
  new_state: 'TEXT',
  ver: 'BIGINT',
  answer: 'TEXT',
  cost_in: 'BIGINT',
  cost_out: 'BIGINT',
  tok_in: 'BIGINT',
  tok_out: 'BIGINT',
  tok_all: 'BIGINT',
  tok_cached: 'BIGINT',
  tok_written: 'BIGINT',
  tok_thought: 'BIGINT',
  src: 'TEXT',
  finish: 'TEXT',
  provider_id: 'TEXT',
  image: 'TEXT',
  err: 'TEXT',
  warn: 'TEXT',
  at: 'BIGINT',
} as const;

function messageRow(settle: SettleCommand, erased: boolean): Param[] {
  return [
    settle.userId,
    settle.roomId,
    settle.messageId,
    settle.state,
    settle.versionId,
    erased ? '' : settle.response,
    settle.cost.request,
    settle.cost.response,
    settle.promptTokens,
    settle.completionTokens,
    settle.totalTokens,
    settle.cachedTokens,
    settle.cacheWriteTokens,
    settle.reasoningTokens,
    settle.usageSource,
    settle.finishReason,
    settle.providerMessageId,
    erased ? null : (settle.image?.id ?? null),
    settle.errorCode,
    settle.warnings.length > 0 ? JSON.stringify(settle.warnings) : null,
    settle.at,
  ];
}
