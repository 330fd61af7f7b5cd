import { sumsOf, type Database } from '../../db/index.ts';
import { dateOfDay, dayOfDate } from '../../lib/days.ts';
import type { Micro } from '../../lib/money.ts';

export interface UsageRow {
  /** `YYYY-MM-DD`. */
  day: string;
  modelId: number;
  requests: number;
  promptTokens: number;
  completionTokens: number;
  spend: Micro;
}

export interface KeySpend extends Omit<UsageRow, 'day' | 'modelId'> {
  /** Null: without a key. */
  keyId: string | null;
  name: string | null;
  hint: string | null;
}

/** The spend in a room since it was opened. */
export interface RoomSpend {
  roomId: string;
  title: string;
  isDeleted: boolean;
  spend: Micro;
}

const counts = ['requests', 'prompt_tokens', 'completion_tokens', 'spend'] as const;
const sums = sumsOf(counts);

type Sums = Record<(typeof counts)[number], number>;

/** Usage and spend by day, model and API key; each settle updates it. */
export class UsageReport {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Newest day first. @param from @param to days as `YYYY-MM-DD`, both included */
  async read(userId: number, from: string, to: string): Promise<UsageRow[]> {
    const rows = await this.#db.query<Sums & { day: number; model: number }>(
      `SELECT day, model_id AS model, ${sums} FROM usage_daily
       WHERE user_id = $1 AND day BETWEEN $2 AND $3 AND requests > 0
       GROUP BY day, model_id ORDER BY day DESC, model_id`,
      [userId, dayOfDate(from), dayOfDate(to)],
    );
    return rows.map((row) => ({
      day: dateOfDay(row.day),
      modelId: row.model,
      ...countsOf(row),
    }));
  }

  /** The largest spend first. @param modelId undefined: all models */
  async byKey(
    userId: number,
    { from, to }: { from: string; to: string },
    modelId: number | undefined,
  ): Promise<KeySpend[]> {
    const rows = await this.#db.query<Sums & Pick<KeySpend, 'keyId' | 'name' | 'hint'>>(
      `SELECT used.*, name, hint FROM (
         SELECT NULLIF(key_id, '') AS "keyId", ${sums} FROM usage_daily
         WHERE user_id = $1 AND day BETWEEN $2 AND $3 AND requests > 0
           AND model_id = COALESCE(CAST($4 AS BIGINT), model_id)
         GROUP BY key_id) used
       LEFT JOIN api_keys ON user_id = $1 AND id = "keyId"
       ORDER BY spend DESC, "keyId"`,
      [userId, dayOfDate(from), dayOfDate(to), modelId ?? null],
    );
    return rows.map((row) => ({
      keyId: row.keyId,
      name: row.name,
      hint: row.hint,
      ...countsOf(row),
    }));
  }

  /** The largest spend first, including deleted rooms. @returns also the spend of all rooms */
  async byRoom(userId: number, limit: number): Promise<{ rooms: RoomSpend[]; total: Micro }> {
    const rows = await this.#db.query<Omit<RoomSpend, 'isDeleted'> & { deletedAt: number | null }>(
      `SELECT room_id AS "roomId", title, spend, deleted_at AS "deletedAt" FROM rooms
       WHERE user_id = $1 AND spend > 0 ORDER BY spend DESC, room_id LIMIT $2`,
      [userId, limit],
    );
    const [all] = await this.#db.query<{ total: Micro }>(
      `SELECT CAST(COALESCE(SUM(spend), 0) AS BIGINT) AS total FROM rooms WHERE user_id = $1`,
      [userId],
    );
    const rooms = rows.map(({ deletedAt, ...room }) => ({
      ...room,
      isDeleted: deletedAt !== null,
    }));
    return { rooms, total: all?.total ?? 0 };
  }
}

function countsOf(row: Sums) {
  return {
    requests: row.requests,
    promptTokens: row.prompt_tokens,
    completionTokens: row.completion_tokens,
    spend: row.spend,
  };
}
