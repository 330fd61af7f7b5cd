import type { Database } from '../../db/index.ts';
import { DAY_MS, dateOf, dayOf, startOfDate } from '../../lib/clock.ts';
import type { Micro } from '../../lib/money.ts';

export interface UsageRow {
  /** `YYYY-MM-DD`, UTC. */
  day: string;
  modelId: number;
  requests: number;
  promptTokens: number;
  completionTokens: number;
  spend: Micro;
}

/** Usage and spend by day and model; each settle updates it. */
export class UsageReport {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Newest day first. @param from @param to days as `YYYY-MM-DD`, UTC, both included */
  async read(userId: number, from: string, to: string): Promise<UsageRow[]> {
    const rows = await this.#db.query<Omit<UsageRow, 'day'> & { day: number }>(
      `SELECT day, model_id AS "modelId", requests, prompt_tokens AS "promptTokens",
         completion_tokens AS "completionTokens", spend
       FROM usage_daily WHERE user_id = $1 AND day BETWEEN $2 AND $3 ORDER BY day DESC, model_id`,
      [userId, dayOf(startOfDate(from)), dayOf(startOfDate(to))],
    );
    return rows.map((row) => ({ ...row, day: dateOf(row.day * DAY_MS) }));
  }
}
