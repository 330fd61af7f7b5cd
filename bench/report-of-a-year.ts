import type { Dialect } from '../src/db/index.ts';
import { stopPostgres } from '../tests/support/postgres.ts';
import type { Measure, MeasureOptions } from './support/measure.ts';
import { grouped, medianOf, quantileOf } from './support/numbers.ts';
import { openSumsOfYear, type SumsOfYear } from './support/sums-of-a-year.ts';

const SHAPE = { messages: 10_000_000, users: 1_000, models: 30 };
const ROUNDS = 10;
/** As many rows as an answer has by default. */
const PAGE = 100;
const dialects = ['sqlite', 'postgres'] as const satisfies readonly Dialect[];

const splits = [
  [],
  ['day'],
  ['user'],
  ['key'],
  ['model', 'provider', 'day'],
  ['model', 'user'],
  ['model', 'key'],
  ['day', 'user'],
  ['day', 'key'],
] as const;

interface Read {
  /** Rows on all pages. */
  count: number;
  tookMs: number[];
}

/** The cost of the operator's report of a year to the server. */
export const reportOfYear: Measure = {
  name: 'report',
  async run(options) {
    const measured = new Map<string, string[]>();
    for (const dialect of dialects) {
      for (const [by, { count, tookMs }] of await measure(dialect, options)) {
        measured.set(by, [...(measured.get(by) ?? [grouped(count)]), ...times(tookMs)]);
      }
    }
    await stopPostgres();
    return {
      name: 'Report',
      title: `the operator's report of a year of ${grouped(SHAPE.messages)} messages, ms`,
      columns: ['by', 'rows', 'SQLite', 'p95', 'PostgreSQL', 'p95 of it'],
      rows: [...measured].map(([by, cells]) => [by, ...cells]),
      notes: [
        `${grouped(SHAPE.users)} users with 2 API keys and 4 of ${SHAPE.models} models each; on a day 60 % of them send, some much more than others. \`usage_daily\` has a row for each user, day, model and key.`,
        `Milliseconds from the request to its whole answer inside the process, of the first ${PAGE} rows and the totals: medians of ${ROUNDS} rounds in turn. The column \`rows\` counts those of all pages.`,
        'The sums are those that settles and chores leave. Messages and charges are not stored, since no report reads them. The total of each answer is compared with the sum of all charges.',
      ],
    };
  },
};

async function measure(dialect: Dialect, { progress }: MeasureOptions): Promise<Map<string, Read>> {
  progress(`${dialect}: adding up ${grouped(SHAPE.messages)} messages`);
  await using year = await openSumsOfYear(dialect, SHAPE);
  progress(`${dialect}: ${grouped(year.rows)} rows of usage_daily`);
  const reads = new Map<string, Read>();
  for (let round = 1; round <= ROUNDS; round++) {
    for (const by of splits) {
      const { count, tookMs } = await readReport(year, by);
      const name = by.join(', ') || 'all in one';
      reads.set(name, { count, tookMs: [...(reads.get(name)?.tookMs ?? []), tookMs] });
    }
    progress(`${dialect}: round ${round}/${ROUNDS}`);
  }
  return reads;
}

async function readReport(
  { gateway, admin, range, spend }: SumsOfYear,
  by: readonly string[],
): Promise<{ count: number; tookMs: number }> {
  const start = performance.now();
  const { count, total } = await gateway.data<{ count: number; total: { revenue: number } }>(
    '/admin/report/',
    { ...range, by, limit: PAGE },
    admin,
  );
  const tookMs = performance.now() - start;
  if (Math.round(total.revenue * 1_000_000) !== spend) throw new Error('the report is wrong');
  return { count, tookMs };
}

/** The median and the 95th percentile, in milliseconds. */
function times(tookMs: readonly number[]): string[] {
  return [medianOf(tookMs), quantileOf(tookMs, 0.95)].map((ms) => ms.toFixed(0));
}
