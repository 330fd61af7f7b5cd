import { toRubles } from '../../lib/money.ts';
import { z } from 'zod';
import type { Catalogue } from '../../catalogue/index.ts';
import { usageView, type UsageReport } from '../../chat/index.ts';
import { type Clock, dateOf, DAY_MS } from '../../lib/clock.ts';
import { invalidField } from '../../lib/errors.ts';
import { userOperation } from '../operation.ts';
import { day, rubles } from '../schemas.ts';
import { usageDay } from './schemas.ts';

const DAYS_DEFAULT = 30;
/** One answer is built in memory. */
const DAYS_MAX = 366;

export const usageOperation = (usage: UsageReport, catalogue: Catalogue, clock: Clock) =>
  userOperation({
    path: '/account/usage/',
    summary: 'Show your spend by day and model',
    description: `Newest day first, in UTC. At most ${DAYS_MAX} days at once.`,
    body: z.object({
      from: day
        .nullish()
        .meta({ description: `The first day; absent: the ${DAYS_DEFAULT} days up to \`to\`.` }),
      to: day.nullish().meta({ description: 'The last day; absent: today.' }),
    }),
    result: z.object({
      days: z.array(usageDay),
      total_spend: rubles,
    }),
    handle: async (body, { caller }) => {
      const { from, to } = rangeOf(body, clock.now());
      const rows = await usage.read(caller.userId, from, to);
      const names = catalogue.names();
      return {
        days: rows.map((row) => usageView(row, names)),
        total_spend: toRubles(rows.reduce((sum, row) => sum + row.spend, 0)),
      };
    },
  });

/** Both days included. */
function rangeOf(
  body: { from?: string | null | undefined; to?: string | null | undefined },
  now: number,
): { from: string; to: string } {
  const to = body.to ?? dateOf(now);
  const from =
    body.from ?? dateOf(Math.max(firstDay, Date.parse(to) - (DAYS_DEFAULT - 1) * DAY_MS));
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  if (days < 1) throw invalidField('from', `must not be after ${body.to ? '`to`' : 'today'}`);
  if (days > DAYS_MAX) throw invalidField('from', `the range must have at most ${DAYS_MAX} days`);
  return { from, to };
}

/** Earlier years have a sign. */
const firstDay = Date.parse('0000-01-01');
