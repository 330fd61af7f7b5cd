import { prepareInsert, tables, together, type RowFor, type Tx } from '../../db/index.ts';
import { indexRooms, isIndexDue } from '../rooms/room-index.ts';
import { requestBytes } from '../rooms/stored-bytes.ts';
import type {
  Batch,
  HoldCommand,
  HoldResult,
  IdempotencyKey,
  KeptRequest,
  SendCommand,
} from './commands.ts';

/** Columns that the settle fills are null until then. */
const insertMessages = prepareInsert(tables.messages, {
  requiredOnly: true,
  made: {
    state: "'pending'",
    asked_version_id: 'version_id',
    response: "''",
    cost_request: '0',
    cost_response: '0',
  },
});
const insertResponses = prepareInsert(tables.responses, { requiredOnly: true });
const insertKeys = prepareInsert(tables.idempotency_keys, { requiredOnly: true });

interface KeyRow {
  bodySha256: string;
  response: string | null;
}

/** The holds of one batch: decides each in memory, then writes messages and idempotency keys. */
export class HoldBatch {
  readonly #batch: Batch;
  readonly #keys: Map<string, KeyRow>;
  readonly #messageRows: RowFor<typeof insertMessages>[] = [];
  readonly #keyRows: RowFor<typeof insertKeys>[] = [];
  readonly #responses: RowFor<typeof insertResponses>[] = [];
  /** For each user, the message up to which the rooms have to be indexed. */
  readonly #indexDue = new Map<number, number>();

  /** @param keys idempotency keys of the commands that were used before, as `readKeys` found them */
  constructor(batch: Batch, keys: Map<string, KeyRow>) {
    this.#batch = batch;
    this.#keys = keys;
  }

  apply(command: HoldCommand): HoldResult {
    const seen = this.#checkKey(command);
    if (seen) return seen;
    const { userId } = command;
    const { book, limits, rooms } = this.#batch;
    const room = rooms.get(command.roomId);
    if (room?.userId !== userId || room.deletedAt !== null) return { kind: 'room_not_found' };
    const bytes = requestBytes(command, command.kept);
    const storedBytes = book.storedBytes(userId);
    const { storedBytesMax } = command;
    if (storedBytes + bytes + command.imageBytes > storedBytesMax) {
      return { kind: 'storage_full', storedBytes, storedBytesMax };
    }
    const limited = limits.check(command, book.funds(userId));
    if (limited && 'refused' in limited) return { kind: 'limited', ...limited };
    const bounds = limited?.fits ?? command.bounds;
    const decision = book.hold(userId, bounds);
    if (!decision.granted) {
      const { needed, available, affordableOutputTokens } = decision;
      return { kind: 'insufficient', needed, available, affordableOutputTokens };
    }
    const { messageId, amount, outputTokensMax } = decision;
    this.#addMessage(command, messageId, amount, outputTokensMax);
    book.store(userId, bytes);
    if (isIndexDue(messageId)) this.#indexDue.set(userId, messageId);
    this.#addKey(command, messageId);
    if (command.kept) this.#addResponse(userId, messageId, command.kept);
    const admitted =
      limited &&
      limits.begin(
        { ...command, bounds: { ...bounds, outputTokensMax } },
        amount,
        book.funds(userId),
      );
    return { kind: 'held', messageId, hold: amount, outputTokensMax, admitted };
  }

  #checkKey({ userId, idempotency }: HoldCommand): HoldResult | undefined {
    const row = idempotency && this.#keys.get(keyName(userId, idempotency));
    if (!row) return undefined;
    if (row.bodySha256 !== idempotency.bodySha256) return { kind: 'key_reused' };
    if (row.response === null) return { kind: 'in_progress' };
    return { kind: 'replay', response: row.response };
  }

  #addKey({ userId, idempotency, at }: HoldCommand, messageId: number): void {
    if (!idempotency) return;
    const { operation, key, bodySha256 } = idempotency;
    this.#keys.set(keyName(userId, idempotency), { bodySha256, response: null });
    // The key has the same time as its message: `keyOfMessage` finds it by that.
    this.#keyRows.push({
      user_id: userId,
      operation,
      key,
      body_sha256: bodySha256,
      message_id: messageId,
      created_at: at,
    });
  }

  #addResponse(user_id: number, message_id: number, kept: KeptRequest): void {
    const { previousId: previous_id, size, settings, input } = kept;
    this.#responses.push({ user_id, message_id, previous_id, size, settings, input });
  }

  #addMessage(command: HoldCommand, id: number, hold: number, outputTokensMax: number): void {
    const parameters = { ...command.parameters, max_output_tokens: outputTokensMax };
    this.#messageRows.push({
      user_id: command.userId,
      room_id: command.roomId,
      id,
      node_id: command.nodeId,
      hold,
      version_id: command.versionId,
      system_prompt: command.systemPrompt,
      request: command.request,
      parameters: JSON.stringify(parameters),
      key_id: command.keyId,
      created_at: command.at,
    });
  }

  async flush(tx: Tx): Promise<void> {
    await together([
      insertMessages(tx, this.#messageRows),
      insertKeys(tx, this.#keyRows),
      insertResponses(tx, this.#responses),
    ]);
    for (const [userId, through] of this.#indexDue) await indexRooms(tx, userId, through);
  }
}

/** The idempotency keys of these commands that were used before, by `keyName`. */
export async function readKeys(
  tx: Tx,
  commands: readonly SendCommand[],
): Promise<Map<string, KeyRow>> {
  const keys = new Map<string, KeyRow>();
  const read = async ({ userId, idempotency }: SendCommand): Promise<void> => {
    if (!idempotency) return;
    const [row] = await tx.query<KeyRow>(
      `SELECT body_sha256 AS "bodySha256", response FROM idempotency_keys
       WHERE user_id = $1 AND operation = $2 AND key = $3`,
      [userId, idempotency.operation, idempotency.key],
    );
    if (row) keys.set(keyName(userId, idempotency), row);
  };
  await together(
    commands.filter(({ kind, idempotency }) => kind === 'hold' && idempotency).map(read),
  );
  return keys;
}

function keyName(userId: number, { operation, key }: IdempotencyKey): string {
  return `${userId} ${operation} ${key}`;
}
