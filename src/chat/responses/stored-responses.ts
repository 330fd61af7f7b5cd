import { queryIn, selectCounts, type Database } from '../../db/index.ts';
import type { Micro } from '../../lib/money.ts';
import { tokenCounts, type ReportedTokens } from '../../lib/units.ts';
import type { KeptRequest, MessageState } from '../commit/commands.ts';
import { forgetBytes } from '../rooms/stored-bytes.ts';
import { lockAccount } from '../rooms/text-erasure.ts';
import { readOutput, type KeptOutput } from './kept-output.ts';

/** The message behind a response. */
export interface ResponseName {
  roomId: string;
  id: number;
}

export interface StoredResponse extends ResponseName, KeptOutput, KeptRequest, ReportedTokens {
  state: MessageState;
  text: string;
  versionId: number;
  usageSource: 'provider' | 'estimated' | null;
  finishReason: string | null;
  errorCode: string | null;
  /** JSON. */
  warnings: string | null;
  costRequest: Micro;
  costResponse: Micro;
  createdAt: number;
  respondedAt: number | null;
}

/** The parts of an earlier response that the next request of its conversation needs. */
export interface EarlierResponse extends ResponseName, KeptOutput {
  state: MessageState;
  input: string;
  text: string;
}

/** A conversation that can be continued. */
export interface Chain {
  /** Oldest first. */
  responses: EarlierResponse[];
  /** UTF-16 units, including the last answer. */
  size: number;
}

type Written<Response> = Omit<Response, 'text' | 'toolCalls' | 'reasoning'> & {
  response: string;
  output: string | null;
};

/** A deleted room is gone at once, even if the erasure of its texts has not reached this message yet. */
const readable = `FROM responses r
  JOIN messages m ON m.user_id = r.user_id AND m.id = r.message_id
  JOIN rooms o ON o.room_id = m.room_id AND o.deleted_at IS NULL AND m.id > o.erased_through`;

const parts = 'm.room_id AS "roomId", m.id, m.state, r.input, m.response, r.output';
const facts = `${parts}, r.previous_id AS "previousId", r.size, r.settings,
  m.version_id AS "versionId", m.usage_source AS "usageSource",
  m.finish_reason AS "finishReason", m.error_code AS "errorCode", m.warnings,
  m.cost_request AS "costRequest", m.cost_response AS "costResponse",
  m.created_at AS "createdAt", m.response_at AS "respondedAt",
  ${selectCounts(tokenCounts, 'm.')}`;

/** What the Responses API stores: requests and answers that can be read, continued and deleted by their ids. */
export class StoredResponses {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Undefined if this user has no such response. */
  async find(userId: number, { roomId, id }: ResponseName): Promise<StoredResponse | undefined> {
    const [row] = await this.#db.query<Written<StoredResponse>>(
      `SELECT ${facts} ${readable}
       WHERE r.user_id = $1 AND r.message_id = $2 AND m.room_id = $3`,
      [userId, id, roomId],
    );
    return row && unwritten(row);
  }

  /**
   * The response and all responses that it continues.
   * @returns undefined if one of them is missing: a conversation with a gap would be a different one
   */
  async chain(userId: number, { roomId, id }: ResponseName): Promise<Chain | undefined> {
    const rows = await this.#db.query<
      Written<EarlierResponse> & { previousId: number; size: number }
    >(
      `WITH RECURSIVE chain AS (
         SELECT previous_id, message_id FROM responses WHERE user_id = $1 AND message_id = $2
         UNION ALL
         SELECT p.previous_id, p.message_id FROM responses p
         JOIN chain ON p.user_id = $1 AND p.message_id = chain.previous_id)
       SELECT ${parts}, r.previous_id AS "previousId", r.size ${readable}
       WHERE r.user_id = $1 AND r.message_id IN (SELECT message_id FROM chain) ORDER BY m.id`,
      [userId, id],
    );
    const last = rows.at(-1);
    if (last?.id !== id || last.roomId !== roomId) return undefined;
    const isWhole = rows.every(({ previousId }, at) => previousId === (rows[at - 1]?.id ?? 0));
    if (!isWhole || rows.some(({ state }) => state === 'pending')) return undefined;
    const size = last.size + last.response.length + (last.output?.length ?? 0);
    return { responses: rows.map(unwritten), size };
  }

  /** The answers of stored responses, by message id; incomplete ones are left out. */
  async outputs(
    userId: number,
    ids: readonly number[],
  ): Promise<Map<number, { roomId: string; text: string } & KeptOutput>> {
    const rows = await queryIn<ResponseName & { response: string; output: string | null }>(
      this.#db,
      `SELECT m.room_id AS "roomId", m.id, m.response, r.output ${readable}
       WHERE r.user_id = $1 AND m.state <> 'pending' AND r.message_id IN (LIST)`,
      ids,
      [userId],
    );
    return new Map(rows.map((row) => [row.id, unwritten(row)]));
  }

  /** Messages that are stored as responses. @param first @param last ids, both included */
  async idsBetween(userId: number, first: number, last: number): Promise<Set<number>> {
    const rows = await this.#db.query<{ id: number }>(
      `SELECT message_id AS id FROM responses
       WHERE user_id = $1 AND message_id BETWEEN $2 AND $3`,
      [userId, first, last],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /**
   * Deletes a response. Its message stays in the history of its room.
   * @returns false if no such response is stored, or it is not complete
   */
  async delete(userId: number, { roomId, id }: ResponseName): Promise<boolean> {
    return this.#db.transaction(async (tx) => {
      // Locked before the row, in the order of each settle.
      await lockAccount(tx, userId);
      const [deleted] = await tx.query<{ bytes: number }>(
        `DELETE FROM responses WHERE user_id = $1 AND message_id = $2
           AND message_id IN (SELECT m.id ${readable}
             WHERE r.user_id = $1 AND r.message_id = $2 AND m.room_id = $3
               AND m.state <> 'pending')
         RETURNING OCTET_LENGTH(input) + OCTET_LENGTH(settings)
           + COALESCE(OCTET_LENGTH(output), 0) AS bytes`,
        [userId, id, roomId],
      );
      if (deleted) await forgetBytes(tx, userId, deleted.bytes);
      return deleted !== undefined;
    });
  }
}

function unwritten<Row extends { response: string; output: string | null }>({
  response,
  output,
  ...row
}: Row): Omit<Row, 'response' | 'output'> & ReturnType<typeof readOutput> {
  return { ...row, ...readOutput(response, output) };
}
