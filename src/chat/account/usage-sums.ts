import type { Database, Param } from '../../db/index.ts';
import { DAY_MS, dateOf, dayOf, startOfDate } from '../../lib/clock.ts';
import { toRubles, type Micro } from '../../lib/money.ts';

/** What sums may be split by. */
export const usageParts = ['day', 'model', 'provider', 'user'] as const;
export type UsagePart = (typeof usageParts)[number];

export interface UsageSumsAsk {
  /** Days as `YYYY-MM-DD`, UTC, both included. */
  from: string;
  to: string;
  by: readonly UsagePart[];
  userId?: number | undefined;
  modelId?: number | undefined;
  provider?: string | undefined;
  limit: number;
  offset?: number | undefined;
}

interface Sums {
  requests: number;
  promptTokens: number;
  completionTokens: number;
  spend: Micro;
}

/** A sum; what it is not split by is null. */
export interface UsageSum extends Sums {
  /** `YYYY-MM-DD`, UTC. */
  day: string | null;
  modelId: number | null;
  provider: string | null;
  userId: number | null;
}

const columns: Readonly<Record<UsagePart, string>> = {
  day: 'd.day',
  model: 'd.model_id',
  provider: 'm.provider_code',
  user: 'd.user_id',
};

const counts = ['requests', 'prompt_tokens', 'completion_tokens', 'spend'] as const;
const sums = (table: string) =>
  counts.map((name) => `CAST(SUM(${table}.${name}) AS BIGINT) AS ${name}`).join(', ');

/** A filter that is null selects all. */
const selected = `FROM usage_daily d JOIN models m ON m.id = d.model_id
  WHERE d.day BETWEEN $1 AND $2 AND d.user_id = COALESCE(CAST($3 AS BIGINT), d.user_id)
    AND d.model_id = COALESCE(CAST($4 AS BIGINT), d.model_id)
    AND m.provider_code = COALESCE(CAST($5 AS TEXT), m.provider_code)`;

interface Row {
  /** Of the row with the totals: how many sums there are. */
  count: number | null;
  day: number | null;
  model: number | null;
  provider: string | null;
  user: number | null;
  requests: number;
  prompt_tokens: number;
  completion_tokens: number;
  spend: Micro;
}

/** The usage of all users, summed from what each settle adds up by user, day and model: no message is read. */
export class UsageSums {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Newest day first, then the largest spend. @returns a page, how many sums there are, and the sum of all */
  async read(ask: UsageSumsAsk): Promise<{ rows: UsageSum[]; count: number; total: Sums }> {
    const params: Param[] = [
      dayOf(startOfDate(ask.from)),
      dayOf(startOfDate(ask.to)),
      ask.userId ?? null,
      ask.modelId ?? null,
      ask.provider ?? null,
      ask.limit,
      ask.offset ?? 0,
    ];
    const found = await this.#db.query<Row>(statementOf(ask.by), params);
    const total = found.find(({ count }) => count !== null);
    return {
      rows: found.filter(({ count }) => count === null).map(toSum),
      count: total?.count ?? 0,
      total: toSums(total),
    };
  }
}

/** The sums are made once, for the page and for its totals. */
function statementOf(by: readonly UsagePart[]): string {
  const split = usageParts.filter((part) => by.includes(part));
  const named = usageParts.map((part) =>
    split.includes(part) ? `${columns[part]} AS "${part}"` : `NULL AS "${part}"`,
  );
  const names = usageParts.map((part) => `"${part}"`);
  const order = [...(split.includes('day') ? ['"day" DESC'] : []), 'spend DESC', ...names];
  return `WITH sums AS MATERIALIZED (SELECT ${named.join(', ')}, ${sums('d')} ${selected}
      GROUP BY ${split.map((part) => columns[part]).join(', ')})
    SELECT * FROM (SELECT CAST(NULL AS BIGINT) AS count, sums.* FROM sums
      ORDER BY ${order.join(', ')} LIMIT $6 OFFSET $7) page
    UNION ALL SELECT COUNT(*), NULL, NULL, NULL, NULL, ${sums('sums')} FROM sums`;
}

function toSum({ day, model, provider, user, ...row }: Row): UsageSum {
  const date = day === null ? null : dateOf(day * DAY_MS);
  return { day: date, modelId: model, provider, userId: user, ...toSums(row) };
}

function toSums(row: Pick<Row, (typeof counts)[number]> | undefined): Sums {
  return {
    requests: row?.requests ?? 0,
    promptTokens: row?.prompt_tokens ?? 0,
    completionTokens: row?.completion_tokens ?? 0,
    spend: row?.spend ?? 0,
  };
}

/** Names of models and logins of users, by their ids. */
interface Names {
  models: ReadonlyMap<number, { provider: string; model: string }>;
  logins: ReadonlyMap<number, { login: string }>;
}

/** A sum as JSON; what it is not split by is null. */
export function usageSumView(row: UsageSum, { models, logins }: Names) {
  const model = row.modelId === null ? undefined : models.get(row.modelId);
  return {
    day: row.day,
    model_id: row.modelId,
    model: model?.model ?? null,
    provider: row.provider ?? model?.provider ?? null,
    login: row.userId === null ? null : (logins.get(row.userId)?.login ?? null),
    requests: row.requests,
    prompt_tokens: row.promptTokens,
    completion_tokens: row.completionTokens,
    spend: toRubles(row.spend),
  };
}
