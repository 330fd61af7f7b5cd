import { type Dialect, type Param, type Span, sumsOf, type UsageCount } from '../../db/index.ts';
import { dayOfDate } from '../../lib/days.ts';
import { type Range, rowsOfDays, rowsOfUsers, summedRows } from './usage-rows.ts';

/** Up to so many counts, summing all of them at once costs less than finding the page first. */
const COUNTS_FEW = 4;

/** What sums may be split by. */
export const usageParts = ['day', 'model', 'provider', 'user'] as const;
export const reportParts = [...usageParts, 'key'] as const;
export type UsagePart = (typeof reportParts)[number];

export interface UsageSumsAsk {
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

/** Parts that are columns of a row of usage besides its day and model. */
const ofRow: Partial<Record<UsagePart, string>> = { user: columns.user, key: columns.key };

/** What the statement of a page of sums is made for. */
interface Wanted {
  dialect: Dialect;
  ask: UsageSumsAsk;
  /** With `spend`. */
  counts: readonly UsageCount[];
  /** Spans of days that the sums of users may be read from. */
  closed: readonly Span[];
}

interface Statement {
  text: string;
  params: Param[];
}

/** How sums are split. */
interface Split {
  parts: readonly UsagePart[];
  /** No user and no key is asked for, so that these are sums of days and models. */
  isOfDays: boolean;
}

/** The statement of a page and its totals, of one state of the database. */
export function usageStatement(wanted: Wanted): Statement {
  const { by, userId, limit, offset = 0 } = wanted.ask;
  const params: Param[] = [limit, offset];
  // A model is at one provider, which is looked up for the rows of the page alone.
  const split = reportParts.filter(
    (part) => by.includes(part) && !(part === 'provider' && by.includes('model')),
  );
  const isOfDays = userId === undefined && !split.some((part) => ofRow[part]);
  const parts = statementParts(wanted, { parts: split, isOfDays }, params);
  if (split.includes('day') && !isOfDays) return { text: byDay(parts), params };
  // Finding the page first reads the rows twice. That pays if there are many counts to sum, or many rows.
  const isOfUsers = split.length > 1 && userId === undefined && parts.counts.length > COUNTS_FEW;
  const isLong = split.includes('model') && (split.includes('day') || isOfUsers);
  if (wanted.closed.length === 0 && !isLong) return { text: byRest(parts), params };
  const names = split.map((part) => columns[part].replace('d.', ''));
  return { text: byPage(parts, names), params };
}

/** The texts that statements are made of. @param params gets their values */
function statementParts(wanted: Wanted, split: Split, params: Param[]): StatementParts {
  const { dialect, ask, counts } = wanted;
  const { parts } = split;
  const models = parts.includes('provider') ? 'JOIN models m ON m.id = d.model_id' : '';
  const days = { first: dayOfDate(ask.from), last: dayOfDate(ask.to) };
  const range = { first: `$${params.push(days.first)}`, last: `$${params.push(days.last)}` };
  const filters = filtersOf(ask, params);
  const distinct = ['d.day', 'd.model_id', ...parts.flatMap((part) => ofRow[part] ?? [])];
  const summed = (names: readonly UsageCount[], more = '') => {
    const rows = rowsOf(wanted, split, names, { days, filters: `${filters} ${more}`, params });
    return `FROM (${rows}) d ${models}`;
  };
  return {
    groups: parts.map((part) => columns[part]).join(', '),
    page: reportParts.map((part) => `${pageColumn(part, ask.by)} AS "${part}"`).join(', '),
    counts,
    range,
    perDay: `FROM usage_daily d ${models}
      WHERE d.day BETWEEN ${range.first} AND ${range.last} ${filters}`,
    oneDay: `FROM (SELECT DISTINCT ${distinct.join(', ')}
      FROM usage_daily d WHERE d.day = listed.day ${filters}) d ${models}`,
    isInPrimaryKey: dialect === 'sqlite' && filters === '' && parts.join() === 'day,user',
    summed,
    total: () =>
      ask.userId === undefined
        ? `FROM (${rowsOfDays(days, { columns: counts, filters, params })}) d`
        : summed(counts),
  };
}

/** The rows that are summed, with these counts. */
function rowsOf(
  { closed }: Wanted,
  { isOfDays }: Split,
  names: readonly UsageCount[],
  { days, ...wanted }: { days: Range; filters: string; params: Param[] },
): string {
  if (isOfDays) return rowsOfDays(days, { ...wanted, columns: ['day', 'model_id', ...names] });
  const ofUsers = ['user_id', 'key_id', ...names];
  return closed.length > 0
    ? rowsOfUsers(days, closed, { ...wanted, columns: ofUsers })
    : summedRows(days, { ...wanted, columns: ['model_id', ...ofUsers] });
}

interface StatementParts {
  /** The columns that make a sum; empty for one sum of all. */
  groups: string;
  /** Those of the page. */
  page: string;
  counts: readonly UsageCount[];
  /** Parameters with the first and the last day. */
  range: { first: string; last: string };
  /** Where sums with days come from. */
  perDay: string;
  /** The same of the day `listed.day`, each model and user once: models are looked up for these alone. */
  oneDay: string;
  /** Whether the sums of each day can be counted by reading the primary key in its order, as only SQLite does. */
  isInPrimaryKey: boolean;
  /** Where sums without days come from, and those of days and models. @param more conditions, each after an AND */
  summed: (names: readonly UsageCount[], more?: string) => string;
  /** Where the total comes from. For all users it is the sum of days and models, which have fewer rows. */
  total: () => string;
}

const noParts = reportParts.map(() => 'NULL').join(', ');

/** The sums are made once, for the page and for its totals: they are few. */
const byRest = ({ groups, page, counts, summed }: StatementParts) => `
  WITH sums AS MATERIALIZED (SELECT ${page}, ${sumsOf(counts, 'd.')} ${summed(counts)} ${groups && `GROUP BY ${groups}`})
  SELECT * FROM (SELECT CAST(NULL AS BIGINT) AS count, sums.* FROM sums
    ORDER BY "day" DESC, spend DESC, "model", "provider", "user", "key" LIMIT $1 OFFSET $2) page
  UNION ALL SELECT COUNT(*), ${noParts}, ${sumsOf(counts, 'sums.')} FROM sums`;

/**
 * The spend of every sum decides which are on the page. The other counts, which are many, are summed for the page alone.
 * @param names the columns that make a sum
 */
const byPage = (
  { groups, page, counts, summed, total }: StatementParts,
  names: readonly string[],
) => `
  WITH spent AS MATERIALIZED (SELECT ${groups}, ${sumsOf(['spend'])} ${summed(['spend'])} GROUP BY ${groups}),
    chosen AS MATERIALIZED (SELECT ${names.join(', ')} FROM spent
      ORDER BY ${names.includes('day') ? 'day DESC, ' : ''}spend DESC, ${names.join(', ')} LIMIT $1 OFFSET $2)
  SELECT * FROM (SELECT CAST(NULL AS BIGINT) AS count, ${page}, ${sumsOf(counts, 'd.')}
    ${summed(counts, names.includes('user_id') ? 'AND d.user_id IN (SELECT user_id FROM chosen)' : '')}
    WHERE (${groups}) IN (SELECT * FROM chosen)
    GROUP BY ${groups} ORDER BY "day" DESC, spend DESC, ${groups}) page
  UNION ALL SELECT (SELECT COUNT(*) FROM spent), ${noParts}, ${sumsOf(counts, 'd.')} ${total()}`;

/** Only the days of the page are summed up. */
const byDay = (parts: StatementParts) => `
  WITH RECURSIVE ${countedDays(parts)},
    placed AS (SELECT day, n, SUM(n) OVER (ORDER BY day DESC) AS through FROM counted),
    days AS MATERIALIZED (SELECT MIN(day) AS first, MAX(day) AS last, MIN(through - n) AS before
      FROM placed WHERE through > $2 AND through - n < CAST($1 AS BIGINT) + $2)
  SELECT * FROM (SELECT CAST(NULL AS BIGINT) AS count, ${parts.page}, ${sumsOf(parts.counts, 'd.')} ${parts.perDay}
    AND d.day BETWEEN (SELECT first FROM days) AND (SELECT last FROM days)
    GROUP BY ${parts.groups} ORDER BY d.day DESC, spend DESC, ${parts.groups}
    LIMIT $1 OFFSET (SELECT CAST(COALESCE($2 - before, 0) AS BIGINT) FROM days)) page
  UNION ALL SELECT (SELECT CAST(SUM(n) AS BIGINT) FROM counted), ${noParts}, ${sumsOf(parts.counts, 'd.')} ${parts.total()}`;

/** The common table expression `counted`: how many sums each day has. It reads indexes alone. */
function countedDays({ groups, range, oneDay, isInPrimaryKey }: StatementParts): string {
  const [first, last] = [range.first, range.last].map((day) => `CAST(${day} AS INTEGER)`);
  if (isInPrimaryKey) {
    return `counted AS MATERIALIZED (SELECT day, COUNT(*) AS n
      FROM (SELECT DISTINCT user_id, day FROM usage_daily WHERE day BETWEEN ${first} AND ${last}) used GROUP BY day)`;
  }
  // Day by day: grouping a year at once would sort all its rows.
  return `listed(day) AS (SELECT ${first} UNION ALL SELECT day + 1 FROM listed WHERE day < ${last}),
    counted AS MATERIALIZED (SELECT day,
      (SELECT COUNT(*) FROM (SELECT DISTINCT ${groups} ${oneDay}) of_day) AS n FROM listed)`;
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
