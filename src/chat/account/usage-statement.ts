import { ALL_MODELS, type Param, sumsOf, type UsageCount } from '../../db/index.ts';
import { dayOfDate } from '../../lib/days.ts';
import { type Range, type Read, readsOf } from './running-reads.ts';
import {
  dayParam,
  hasUsage,
  rowsOfDays,
  rowsOfModels,
  rowsOfUsers,
  usedDays,
} from './usage-rows.ts';

/** Up to this many counts, summing all of them at once costs less than finding the page first. */
const COUNTS_FEW = 4;

export const usageParts = ['day', 'model', 'provider', 'user'] as const;
export const reportParts = [...usageParts, 'key'] as const;
export type UsagePart = (typeof reportParts)[number];

export interface UsageSumsQuery {
  /** Days as `YYYY-MM-DD`, both included. */
  from: string;
  to: string;
  by: readonly UsagePart[];
  userId?: number | undefined;
  modelId?: number | undefined;
  provider?: string | undefined;
  limit: number;
  offset?: number | undefined;
}

const columns: Readonly<Record<UsagePart, string>> = {
  day: 'd.day',
  model: 'd.model_id',
  provider: 'm.provider_code',
  user: 'd.user_id',
  key: 'd.key_id',
};

/** Parts that are columns of a usage row, besides its day and model. */
const ofRow: Partial<Record<UsagePart, string>> = { user: columns.user, key: columns.key };

interface Wanted {
  query: UsageSumsQuery;
  /** Including `spend`. */
  counts: readonly UsageCount[];
  /** The days through which running sums are valid. */
  running: readonly number[];
}

interface Statement {
  text: string;
  params: Param[];
}

/** How sums are split, and which rows they add up. */
interface Split {
  parts: readonly UsagePart[];
  /** True if neither a user nor a key is requested: the sums are of days and models. */
  isOfDays: boolean;
  days: Range;
  /** The reads that sums without days add up. */
  reads: readonly Read[];
}

/** The statement of a page and its totals, of one state of the database. */
export function usageStatement(wanted: Wanted): Statement {
  const { query, counts, running } = wanted;
  const { by, userId, limit, offset = 0 } = query;
  const params: Param[] = [limit, offset];
  // A model has one provider, which is looked up for the rows of the page alone.
  const parts = reportParts.filter(
    (part) => by.includes(part) && !(part === 'provider' && by.includes('model')),
  );
  const isOfDays = userId === undefined && !parts.some((part) => ofRow[part]);
  const days = { first: dayOfDate(query.from), last: dayOfDate(query.to) };
  const split = { parts, isOfDays, days, reads: readsOf(days, running) };
  const texts = statementParts(wanted, split, params);
  if (parts.includes('day') && !isOfDays) return { text: byDay(texts), params };
  // Finding the page first reads the rows twice. That pays if there are many counts to sum, or many rows.
  const isOfUsers = !isOfDays && userId === undefined && counts.length > COUNTS_FEW;
  const isLong = parts.includes('model') && parts.includes('day');
  if (parts.length === 0 || !(isOfUsers || isLong)) return { text: byRest(texts), params };
  const names = parts.map((part) => columns[part].replace(/^.*\./, ''));
  return { text: byPage(texts, names), params };
}

/** The texts of which statements are composed. @param params values are appended */
function statementParts({ query, counts }: Wanted, split: Split, params: Param[]): StatementParts {
  const { parts, isOfDays, days, reads } = split;
  const models = parts.includes('provider') ? 'JOIN models m ON m.id = d.model_id' : '';
  const range = { first: dayParam(days.first, params), last: dayParam(days.last, params) };
  const filters = filtersOf(query, params);
  const distinct = ['d.day', 'd.model_id', ...parts.flatMap((part) => ofRow[part] ?? [])];
  const groups = parts.map((part) => columns[part]).join(', ');
  const isByDay = parts.includes('day');
  const summed = (names: readonly UsageCount[], more = '') => {
    const given = { counts: names, filters: `${filters} ${more}`, params };
    const rows = !isOfDays
      ? rowsOfUsers(reads, { ...given, ids: ['model_id', 'user_id', 'key_id'] })
      : isByDay
        ? rowsOfDays(days, { ...given, ids: ['day', 'model_id'] })
        : rowsOfModels(reads, { ...given, ids: ['model_id'] });
    return `FROM (${rows}) d ${models}`;
  };
  return {
    groups,
    grouped: groups && `GROUP BY ${groups} ${isByDay ? '' : hasUsage(reads)}`,
    page: reportParts.map((part) => `${pageColumn(part, query.by)} AS "${part}"`).join(', '),
    counts,
    range,
    perDay: `FROM usage_daily d ${models}
      WHERE d.day BETWEEN ${range.first} AND ${range.last} ${filters}`,
    oneDay: `FROM (SELECT DISTINCT ${distinct.join(', ')}
      FROM usage_daily d WHERE d.day = listed.day ${filters}) d ${models}`,
    countedRows: countedRows(query, parts, filters),
    summed,
    total: () =>
      query.userId === undefined
        ? `FROM (${rowsOfModels(reads, { ids: [], counts, filters, params })}) d`
        : summed(counts),
  };
}

/** The stored numbers of sums of closed days. @returns undefined if they have to be counted */
function countedRows(
  { modelId, userId, provider }: UsageSumsQuery,
  parts: readonly UsagePart[],
  filters: string,
): CountedRows | undefined {
  const isByModel = parts.includes('model');
  const isOfProvider = parts.includes('provider') || (provider !== undefined && !isByModel);
  if (userId !== undefined || isOfProvider) return undefined;
  const isByUser = parts.includes('user');
  const column = !isByUser ? 'keys' : parts.includes('key') ? 'pairs' : 'users';
  const models =
    isByModel || modelId !== undefined
      ? `d.model_id <> ${ALL_MODELS} ${filters}`
      : `d.model_id = ${ALL_MODELS}`;
  return { column, models };
}

interface CountedRows {
  /** A column of `usage_day_counts`. */
  column: 'users' | 'keys' | 'pairs';
  /** A condition. */
  models: string;
}

interface StatementParts {
  /** The columns by which sums are grouped; empty for one sum of everything. */
  groups: string;
  /** The clause that groups the sums, and leaves out those without usage. */
  grouped: string;
  /** The clause that selects the page. */
  page: string;
  counts: readonly UsageCount[];
  /** Parameters with the first and the last day. */
  range: { first: string; last: string };
  /** The source of sums with days. */
  perDay: string;
  /** The same for the day `listed.day`, with each model and user once, so that each is looked up once. */
  oneDay: string;
  countedRows: CountedRows | undefined;
  /** The source of sums without days, and of sums by day and model. @param more conditions, each preceded by AND */
  summed: (names: readonly UsageCount[], more?: string) => string;
  /** The source of the total. For all users it is the sum of days and models, which have fewer rows. */
  total: () => string;
}

const noParts = reportParts.map(() => 'NULL').join(', ');

/** The sums are made once, for both the page and its totals: there are few. */
const byRest = ({ grouped, page, counts, summed }: StatementParts) => `
  WITH sums AS MATERIALIZED (SELECT ${page}, ${sumsOf(counts, 'd.')} ${summed(counts)} ${grouped})
  SELECT * FROM (SELECT CAST(NULL AS BIGINT) AS count, sums.* FROM sums
    ORDER BY "day" DESC, spend DESC, "model", "provider", "user", "key" LIMIT $1 OFFSET $2) page
  UNION ALL SELECT COUNT(*), ${noParts}, ${sumsOf(counts, 'sums.')} FROM sums`;

/**
 * The spend of every sum decides which sums are on the page. The other counts, of which there are many, are summed for
 * the page alone.
 * @param names the columns by which sums are grouped
 */
const byPage = (
  { groups, grouped, page, counts, summed, total }: StatementParts,
  names: readonly string[],
) => {
  const owner = ['key_id', 'user_id'].find((name) => names.includes(name));
  // Selected early, so that few rows are summed.
  const ofChosen = owner === undefined ? '' : `AND d.${owner} IN (SELECT ${owner} FROM chosen)`;
  return `
  WITH spent AS MATERIALIZED (SELECT ${groups}, ${sumsOf(['spend'])} ${summed(['spend'])} ${grouped}),
    chosen AS MATERIALIZED (SELECT ${names.join(', ')} FROM spent
      ORDER BY ${names.includes('day') ? 'day DESC, ' : ''}spend DESC, ${names.join(', ')} LIMIT $1 OFFSET $2)
  SELECT * FROM (SELECT CAST(NULL AS BIGINT) AS count, ${page}, ${sumsOf(counts, 'd.')}
    ${summed(counts, ofChosen)}
    WHERE (${groups}) IN (SELECT * FROM chosen)
    GROUP BY ${groups} ORDER BY "day" DESC, spend DESC, ${groups}) page
  UNION ALL SELECT (SELECT COUNT(*) FROM spent), ${noParts}, ${sumsOf(counts, 'd.')} ${total()}`;
};

/** Only the days of the page are summed. */
const byDay = (parts: StatementParts) => `
  WITH RECURSIVE ${countedDays(parts)},
    placed AS (SELECT day, n, SUM(n) OVER (ORDER BY day DESC) AS through FROM counted),
    days AS MATERIALIZED (SELECT MIN(day) AS first, MAX(day) AS last, MIN(through - n) AS before
      FROM placed WHERE through > $2 AND through - n < CAST($1 AS BIGINT) + $2)
  SELECT * FROM (SELECT CAST(NULL AS BIGINT) AS count, ${parts.page}, ${sumsOf(parts.counts, 'd.')} ${parts.perDay}
    AND d.day BETWEEN (SELECT first FROM days) AND (SELECT last FROM days)
    GROUP BY ${parts.groups} ORDER BY d.day DESC, spend DESC, ${parts.groups}
    LIMIT $1 OFFSET (SELECT CAST(COALESCE($2 - before, 0) AS BIGINT) FROM days)) page
  UNION ALL SELECT (SELECT CAST(COALESCE(SUM(n), 0) AS BIGINT) FROM counted), ${noParts}, ${sumsOf(parts.counts, 'd.')} ${parts.total()}`;

/** The common table `counted`: how many sums each day has. Only those of open days are counted, from indexes alone. */
function countedDays({ groups, range, oneDay, countedRows: stored }: StatementParts): string {
  const isOpen = stored
    ? 'AND NOT EXISTS (SELECT 1 FROM usage_day_counts c WHERE c.day = used.day)'
    : '';
  // Day by day: grouping a whole year at once would sort all its rows.
  return `${usedDays(range)},
    listed AS (SELECT day FROM used WHERE day IS NOT NULL ${isOpen}),
    counted AS MATERIALIZED (SELECT day,
      (SELECT COUNT(*) FROM (SELECT DISTINCT ${groups} ${oneDay}) of_day) AS n FROM listed
      ${
        stored
          ? `UNION ALL SELECT d.day, CAST(SUM(d.${stored.column}) AS BIGINT) FROM usage_day_counts d
      WHERE d.day BETWEEN ${range.first} AND ${range.last} AND ${stored.models} GROUP BY d.day`
          : ''
      })`;
}

function pageColumn(part: UsagePart, by: readonly UsagePart[]): string {
  if (!by.includes(part)) return 'NULL';
  return part === 'provider' && by.includes('model')
    ? '(SELECT provider_code FROM models WHERE id = d.model_id)'
    : columns[part];
}

/**
 * Only the requested filters: one that selects everything would still cost time for every row. @param params values are
 * appended
 */
function filtersOf(query: UsageSumsQuery, params: Param[]): string {
  const given = (value: Param) => `$${params.push(value)}`;
  const filters: string[] = [];
  if (query.userId !== undefined) filters.push(`AND d.user_id = ${given(query.userId)}`);
  if (query.modelId !== undefined) filters.push(`AND d.model_id = ${given(query.modelId)}`);
  if (query.provider !== undefined) {
    filters.push(
      `AND d.model_id IN (SELECT id FROM models WHERE provider_code = ${given(query.provider)})`,
    );
  }
  return filters.join(' ');
}
