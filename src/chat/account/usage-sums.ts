import { PERIOD_DAYS, type Database, type Param } from '../../db/index.ts';
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
  const models = split.includes('provider') ? 'JOIN models m ON m.id = d.model_id' : '';
  const days = { first: dayOf(startOfDate(ask.from)), last: dayOf(startOfDate(ask.to)) };
  const range = { first: `$${params.push(days.first)}`, last: `$${params.push(days.last)}` };
  const filters = filtersOf(ask, params);
  const parts = {
    groups: split.map((part) => columns[part]).join(', '),
    page: usageParts.map((part) => `${pageColumn(part, by)} AS "${part}"`).join(', '),
    range,
    perDay: `FROM usage_daily d ${models}
      WHERE d.day BETWEEN ${range.first} AND ${range.last} ${filters}`,
    oneDay: `FROM (SELECT DISTINCT d.day, ${split.includes('user') ? 'd.model_id, d.user_id' : 'd.model_id'}
      FROM usage_daily d WHERE d.day = listed.day ${filters}) d ${models}`,
    summed: `FROM (${summedRows(days, filters, params)}) d ${models}`,
  };
  return { text: split.includes('day') ? byDay(parts) : byRest(parts), params };
}

interface StatementParts {
  /** The columns that make a sum. */
  groups: string;
  /** Those of the page. */
  page: string;
  /** Parameters with the first and the last day. */
  range: { first: string; last: string };
  /** Where sums with days come from. */
  perDay: string;
  /** The same of the day `listed.day`, each model and user once: models are looked up for these alone. */
  oneDay: string;
  /** Where sums without days come from. */
  summed: string;
}

const sumsOf = (table: string) =>
  counts.map((name) => `CAST(SUM(${table}.${name}) AS BIGINT) AS ${name}`).join(', ');
const noParts = usageParts.map(() => 'NULL').join(', ');

/** The sums are made once, for the page and for its totals: without days they are few. */
const byRest = ({ groups, page, summed }: StatementParts) => `
  WITH sums AS MATERIALIZED (SELECT ${page}, ${sumsOf('d')} ${summed} GROUP BY ${groups})
  SELECT * FROM (SELECT CAST(NULL AS BIGINT) AS count, sums.* FROM sums
    ORDER BY spend DESC, "model", "provider", "user" LIMIT $1 OFFSET $2) page
  UNION ALL SELECT COUNT(*), ${noParts}, ${sumsOf('sums')} FROM sums`;

/**
 * Only the days of the page are summed up. How many sums each day has is in the index: it is counted day by day, since
 * to group a year at once would cost a sort of all its rows.
 */
const byDay = ({ groups, page, range, perDay, oneDay, summed }: StatementParts) => `
  WITH RECURSIVE listed(day) AS (SELECT CAST(${range.first} AS INTEGER)
      UNION ALL SELECT day + 1 FROM listed WHERE day < CAST(${range.last} AS INTEGER)),
    counted AS MATERIALIZED (SELECT day,
      (SELECT COUNT(*) FROM (SELECT DISTINCT ${groups} ${oneDay}) of_day) AS n FROM listed),
    placed AS (SELECT day, n, SUM(n) OVER (ORDER BY day DESC) AS through FROM counted),
    days AS MATERIALIZED (SELECT MIN(day) AS first, MAX(day) AS last, MIN(through - n) AS before
      FROM placed WHERE through > $2 AND through - n < CAST($1 AS BIGINT) + $2)
  SELECT * FROM (SELECT CAST(NULL AS BIGINT) AS count, ${page}, ${sumsOf('d')} ${perDay}
    AND d.day BETWEEN (SELECT first FROM days) AND (SELECT last FROM days)
    GROUP BY ${groups} ORDER BY d.day DESC, spend DESC, ${groups}
    LIMIT $1 OFFSET (SELECT CAST(COALESCE($2 - before, 0) AS BIGINT) FROM days)) page
  UNION ALL SELECT (SELECT CAST(SUM(n) AS BIGINT) FROM counted), ${noParts}, ${sumsOf('d')} ${summed}`;

/** Numbers of days, or of periods, both included. */
interface Range {
  first: number;
  last: number;
}

/** Rows that add up to those of the days: whole periods, and the days before and after them. */
function summedRows(days: Range, filters: string, params: Param[]): string {
  const rows = (table: string, column: string, range: Range) =>
    `SELECT d.model_id, d.user_id, ${counts.map((name) => `d.${name}`).join(', ')}
     FROM ${table} d WHERE ${within(column, range, params)} ${filters}`;
  const { first, last } = wholePeriods(days);
  if (first > last) return rows('usage_daily', 'day', days);
  return [
    rows('usage_periods', 'period', { first, last }),
    rows('usage_daily', 'day', { first: days.first, last: first * PERIOD_DAYS - 1 }),
    rows('usage_daily', 'day', { first: (last + 1) * PERIOD_DAYS, last: days.last }),
  ].join(' UNION ALL ');
}

/** The periods that have no day outside of these. */
function wholePeriods({ first, last }: Range): Range {
  return {
    first: Math.ceil(first / PERIOD_DAYS),
    last: Math.floor((last + 1) / PERIOD_DAYS) - 1,
  };
}

function within(column: string, { first, last }: Range, params: Param[]): string {
  return `d.${column} BETWEEN $${params.push(first)} AND $${params.push(last)}`;
}

function pageColumn(part: UsagePart, by: readonly UsagePart[]): string {
  if (!by.includes(part)) return 'NULL';
  return part === 'provider' && by.includes('model')
    ? '(SELECT provider_code FROM models WHERE id = d.model_id)'
    : columns[part];
}

/** Only what is asked for: a filter that selects all would cost every row. @param params gets their values */
function filtersOf(ask: UsageSumsAsk, params: Param[]): string {
  const given = (value: Param) => `$${params.push(value)}`;
  const filters: string[] = [];
  if (ask.userId !== undefined) filters.push(`AND d.user_id = ${given(ask.userId)}`);
  if (ask.modelId !== undefined) filters.push(`AND d.model_id = ${given(ask.modelId)}`);
  if (ask.provider !== undefined) {
    filters.push(
      `AND d.model_id IN (SELECT id FROM models WHERE provider_code = ${given(ask.provider)})`,
    );
  }
  return filters.join(' ');
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
