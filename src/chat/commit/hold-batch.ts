import { insertRows, together, type Param, type Tx } from '../../db/index.ts';
import type { AccountBook, LimitBook } from '../../ledger/index.ts';
import { indexRooms, isIndexDue } from '../rooms/room-index/blocks.ts';
import {
  DELETED_ANSWER,
  OVERSIZED_ANSWER,
  type HoldCommand,
  type HoldResult,
  type IdempotencyKey,
  type RoomRow,
  type SendCommand,
} from './commands.ts';

interface KeyRow {
  bodySha256: string;
  response: string | null;
}

/** The holds of one batch: decides each in memory, then writes messages and idempotency keys. */
export class HoldBatch {
  readonly #book: AccountBook;
  readonly #limits: LimitBook;
  readonly #rooms: Map<string, RoomRow>;
  readonly #keys: Map<string, KeyRow>;
  readonly #messageRows: Param[][] = [];
  readonly #keyRows: Param[][] = [];
  /** By user, the message up to which the rooms are to be indexed. */
  readonly #indexDue = new Map<number, number>();

  /** @param keys of the commands that were used before, as `readKeys` found them */
  constructor(
    book: AccountBook,
    limits: LimitBook,
    rooms: Map<string, RoomRow>,
    keys: Map<string, KeyRow>,
  ) {
    this.#book = book;
    this.#limits = limits;
    this.#rooms = rooms;
    this.#keys = keys;
  }

  apply(command: HoldCommand): HoldResult {
    const seen = this.#checkKey(command);
    if (seen) return seen;
    const room = this.#rooms.get(command.roomId);
    if (!room || room.userId !== command.userId || room.deletedAt !== null) {
      return { kind: 'room_not_found' };
    }
    const { userId } = command;
    const limited = this.#limits.check(command, this.#book.funds(userId));
    if (limited && 'refused' in limited) return { kind: 'limited', ...limited };
    const ask = limited?.fits ?? command.ask;
    const decision = this.#book.hold(userId, ask);
    if (!decision.granted) {
      const { needed, available, affordableOutputTokens } = decision;
      return { kind: 'insufficient', needed, available, affordableOutputTokens };
    }
    const { messageId, amount, outputTokensMax } = decision;
    this.#addMessage(command, messageId, amount, outputTokensMax);
    if (isIndexDue(messageId)) this.#indexDue.set(userId, messageId);
    this.#addKey(command, messageId);
    const admitted =
      limited &&
      this.#limits.begin(
        { ...command, ask: { ...ask, outputTokensMax } },
        this.#book.funds(userId),
      );
    return { kind: 'held', messageId, hold: amount, outputTokensMax, admitted };
  }

  #checkKey({ userId, idempotency }: HoldCommand): HoldResult | undefined {
    const row = idempotency && this.#keys.get(keyName(userId, idempotency));
    if (!row) return undefined;
    if (row.bodySha256 !== idempotency.bodySha256) return { kind: 'key_reused' };
    if (row.response === null) return { kind: 'in_progress' };
    if (row.response === DELETED_ANSWER) return { kind: 'answer_deleted' };
    if (row.response === OVERSIZED_ANSWER) return { kind: 'answer_oversized' };
    return { kind: 'replay', response: row.response };
  }

  #addKey({ userId, idempotency, at }: HoldCommand, messageId: number): void {
    if (!idempotency) return;
    const { operation, key, bodySha256 } = idempotency;
    this.#keys.set(keyName(userId, idempotency), { bodySha256, response: null });
    // With the same time as its message, by which `keyOfMessage` finds it.
    this.#keyRows.push([userId, operation, key, bodySha256, messageId, at]);
  }

  #addMessage(command: HoldCommand, id: number, hold: number, outputTokensMax: number): void {
    const parameters = { ...command.parameters, max_output_tokens: outputTokensMax };
    this.#messageRows.push([
      command.userId,
      command.roomId,
      id,
      command.nodeId,
      hold,
      command.versionId,
      command.versionId,
      command.systemPrompt,
      command.request,
      JSON.stringify(parameters),
      command.at,
    ]);
  }

  async flush(tx: Tx): Promise<void> {
    await together([
      insertRows(
        tx,
        `messages (user_id, room_id, id, state, node_id, hold, asked_version_id, version_id,
           system_prompt, request, response, parameters, cost_request, cost_response, created_at)`,
        `($1, $2, $3, 'pending', $4, $5, $6, $7, $8, $9, '', $10, 0, 0, $11)`,
        this.#messageRows,
      ),
      insertRows(
        tx,
        'idempotency_keys (user_id, operation, key, body_sha256, message_id, created_at)',
        6,
        this.#keyRows,
      ),
    ]);
    for (const [userId, through] of this.#indexDue) await indexRooms(tx, userId, through);
  }
}

/** The idempotency keys of these commands that were used before, by `keyName`. */
export async function readKeys(
  tx: Tx,
  commands: readonly SendCommand[],
): Promise<Map<string, KeyRow>> {
  const asked = new Map<string, Param[]>();
  for (const { kind, userId, idempotency } of commands) {
    if (kind !== 'hold' || !idempotency) continue;
    const { operation, key } = idempotency;
    asked.set(keyName(userId, idempotency), [userId, operation, key]);
  }
  const keys = new Map<string, KeyRow>();
  const read = async ([name, parameters]: [string, Param[]]): Promise<void> => {
    const [row] = await tx.query<KeyRow>(
      `SELECT body_sha256 AS "bodySha256", response FROM idempotency_keys
       WHERE user_id = $1 AND operation = $2 AND key = $3`,
      parameters,
    );
    if (row) keys.set(name, row);
  };
  await together([...asked].map(read));
  return keys;
}

function keyName(userId: number, { operation, key }: IdempotencyKey): string {
  return `${userId} ${operation} ${key}`;
}
