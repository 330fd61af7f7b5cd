import type { GeneratedYear } from '../../support/generated-year.ts';
import { type Charge, micro, summed, total } from './charges.ts';
import type { Checks } from './checks.ts';

interface Sums {
  requests: number;
  spend: number;
}
interface Row extends Sums {
  day: string | null;
  model_id: number | null;
  provider: string | null;
  login: string | null;
}
interface Usage {
  rows: Row[];
  count: number;
  total: Sums;
}

const parts = ['day', 'model', 'provider', 'user'] as const;
type Part = (typeof parts)[number];
/** All 15 combinations of one part or more. */
const splits = Array.from({ length: 2 ** parts.length - 1 }, (_, index) =>
  parts.filter((_part, bit) => (index + 1) & (1 << bit)),
);

/**
 * Compares usage in the administration, in each split and on all its pages, with all charges.
 * @param limit rows of a page; not a divisor of the rows of a day, so that pages begin and end within days
 */
export async function checkUsage(
  year: GeneratedYear,
  charges: readonly Charge[],
  limit: number,
  checks: Checks,
): Promise<void> {
  for (const by of splits) {
    const found = await rowsOf(year, by, limit);
    // A day with only failed attempts has no charge.
    const rows = found.rows.filter(({ requests }) => requests > 0);
    const expected = summed(charges, nameBy(by), ({ amount }) => amount);
    const what = `usage by ${by.join(', ')}`;
    const named = nameBy(by);
    const name = ({ day, model_id, provider, login }: Row) =>
      named({
        day: day ?? '',
        modelId: model_id ?? 0,
        provider: provider ?? '',
        login: login ?? '',
      });
    checks.sameSums(
      what,
      summed(rows, name, ({ spend }) => micro(spend)),
      expected,
    );
    checks.same(`rows of ${what}`, rows.length, Object.keys(expected).length);
    checks.same(`count of ${what}`, found.count, found.rows.length);
    checks.same(`spend of ${what}`, micro(found.total.spend), total(charges));
    checks.same(`requests of ${what}`, found.total.requests, charges.length);
    checks.same(`order of ${what}`, isOrdered(rows), true);
  }
}

type Named = Pick<Charge, 'day' | 'modelId' | 'provider' | 'login'>;

const nameBy =
  (by: readonly Part[]) =>
  ({ day, modelId, provider, login }: Named): string => {
    const all = { day, model: modelId, provider, user: login };
    return by.map((part) => all[part]).join(' ');
  };

/** The newest day is first, and within a day the row with the highest spend. */
function isOrdered(rows: readonly Row[]): boolean {
  return rows.every((row, at) => {
    const before = rows[at - 1];
    if (!before) return true;
    const [day, earlier] = [row.day ?? '', before.day ?? ''];
    return day === earlier ? micro(row.spend) <= micro(before.spend) : day < earlier;
  });
}

async function rowsOf(
  { gateway, range, admin }: GeneratedYear,
  by: readonly Part[],
  limit: number,
) {
  const rows: Row[] = [];
  for (let offset = 0; ; offset += limit) {
    const query = { ...range, by, limit, offset };
    const page = await gateway.data<Usage>('/admin/usage/', query, admin);
    rows.push(...page.rows);
    if (page.rows.length === 0) return { rows, count: page.count, total: page.total };
  }
}
