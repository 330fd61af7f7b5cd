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
    const { text, params } = statementOf(ask);
    const found = await this.#db.query<Row>(text, params);
    const total = found.find(({ count }) => count !== null);
    return {
      rows: found.filter(({ count }) => count === null).map(toSum),
      count: total?.count ?? 0,
      total: toSums(total),
    };
  }
}

/** The page and its totals, of one state of the database. */
function statementOf(ask: UsageSumsAsk): { text: string; params: Param[] } {
  const { by, limit, offset = 0 } = ask;
  const params: Param[] = [limit, offset];
  // A model is at one provider, which is looked up for the rows of the page alone.
  const split = usageParts.filter(
    (part) => by.includes(part) && !(part === 'provider' && by.includes('model')),
  );
  const parts = {
    groups: split.map((part) => columns[part]).join(', '),
    page: usageParts.map((part) => `${pageColumn(part, by)} AS "${part}"`).join(', '),
    from: `FROM usage_daily d
      ${split.includes('provider') ? 'JOIN models m ON m.id = d.model_id' : ''}
      WHERE ${filtersOf(ask, params).join(' AND ')}`,
  };
  return { text: split.includes('day') ? byDay(parts) : byRest(parts), params };
}

interface StatementParts {
  /** The columns that make a sum. */
  groups: string;
  /** Those of the page. */
  page: string;
  /** What is summed up. */
  from: string;
}

const sumsOf = (table: string) =>
  counts.map((name) => `CAST(SUM(${table}.${name}) AS BIGINT) AS ${name}`).join(', ');
const noParts = usageParts.map(() => 'NULL').join(', ');

/** The sums are made once, for the page and for its totals: without days they are few. */
const byRest = ({ groups, page, from }: StatementParts) => `
  WITH sums AS MATERIALIZED (SELECT ${page}, ${sumsOf('d')} ${from} GROUP BY ${groups})
  SELECT * FROM (SELECT CAST(NULL AS BIGINT) AS count, sums.* FROM sums
    ORDER BY spend DESC, "model", "provider", "user" LIMIT $1 OFFSET $2) page
  UNION ALL SELECT COUNT(*), ${noParts}, ${sumsOf('sums')} FROM sums`;

/**
 * Only the days of the page are summed up. How many sums each day has is in the index, so that those of a year are
 * counted without reading their rows.
 */
const byDay = ({ groups, page, from }: StatementParts) => `
  WITH counted AS MATERIALIZED (SELECT day, COUNT(*) AS n
      FROM (SELECT DISTINCT ${groups} ${from}) distinct_sums GROUP BY day),
    placed AS (SELECT day, n, SUM(n) OVER (ORDER BY day DESC) AS through FROM counted),
    days AS MATERIALIZED (SELECT MIN(day) AS first, MAX(day) AS last, MIN(through - n) AS before
      FROM placed WHERE through > $2 AND through - n < CAST($1 AS BIGINT) + $2)
  SELECT * FROM (SELECT CAST(NULL AS BIGINT) AS count, ${page}, ${sumsOf('d')} ${from}
    AND d.day BETWEEN (SELECT first FROM days) AND (SELECT last FROM days)
    GROUP BY ${groups} ORDER BY d.day DESC, spend DESC, ${groups}
    LIMIT $1 OFFSET (SELECT CAST(COALESCE($2 - before, 0) AS BIGINT) FROM days)) page
  UNION ALL SELECT (SELECT CAST(COALESCE(SUM(n), 0) AS BIGINT) FROM counted), ${noParts}, ${sumsOf('d')} ${from}`;

function pageColumn(part: UsagePart, by: readonly UsagePart[]): string {
  if (!by.includes(part)) return 'NULL';
  return part === 'provider' && by.includes('model')
    ? '(SELECT provider_code FROM models WHERE id = d.model_id)'
    : columns[part];
}

/** Only what is asked for: a filter that selects all would cost every row. @param params gets their values */
function filtersOf(ask: UsageSumsAsk, params: Param[]): string[] {
  const given = (value: Param) => `$${params.push(value)}`;
  const filters = [
    `d.day BETWEEN ${given(dayOf(startOfDate(ask.from)))} AND ${given(dayOf(startOfDate(ask.to)))}`,
  ];
  if (ask.userId !== undefined) filters.push(`d.user_id = ${given(ask.userId)}`);
  if (ask.modelId !== undefined) filters.push(`d.model_id = ${given(ask.modelId)}`);
  if (ask.provider !== undefined) {
    filters.push(
      `d.model_id IN (SELECT id FROM models WHERE provider_code = ${given(ask.provider)})`,
    );
  }
  return filters;
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
