import { z } from 'zod';
import { reportParts, reportView } from '../../chat/index.ts';
import { partCounts, recordOf } from '../../lib/units.ts';
import { DAYS_MAX, rangeFields } from '../account/records.ts';
import type { OperationParts } from '../operation-parts.ts';
import { operatorOperation } from '../operation.ts';
import { named, rubles, textOrNull } from '../schemas.ts';
import { sumDays, sumFilters, sumParts, sumsQuery } from './sums.ts';

const sums = {
  requests: z.int().describe('Messages that were answered or charged.'),
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  ...recordOf(partCounts, 'column', ({ meaning }) => z.int().describe(`Of these, ${meaning}.`)),
  revenue: rubles.describe('The sum of the charges, in rubles.'),
  cost: rubles.describe(
    'What you pay, in rubles, as far as it is known: also for failed attempts.',
  ),
  margin: rubles.describe('The revenue of messages of a known cost, less the cost.'),
  unknown_cost_messages: z
    .int()
    .describe('Messages whose cost is not known. They count neither in `cost` nor in `margin`.'),
  unknown_cost_revenue: rubles.describe('The revenue from them.'),
  undercharges: z.int().describe('Answers that may have cost more than was charged.'),
  undercharged: rubles.describe(
    'The part of their full price that was not charged, where it is known.',
  ),
  failed_attempts: z.int().describe('Failed attempts that you pay for.'),
  failed_cost: rubles.describe(
    'What you pay for them; also in `cost`, if that of the message is known.',
  ),
};

const accounts = named('AccountSums', {
  opening_balance: rubles.describe('The balance before the first day.'),
  payments: rubles.describe('Top-ups.'),
  refunds: rubles,
  corrections: rubles.describe('Below zero: money was taken back.'),
  charges: rubles,
  closing_balance: rubles.describe(
    'After the last day: opening balance + payments + refunds + corrections − charges.',
  ),
  held: rubles.describe('The current amount, whichever days the report covers.'),
});

export const reportOperation = (parts: OperationParts) =>
  operatorOperation({
    path: '/admin/report/',
    unlogged: true,
    summary: 'Report revenue, cost and margin, and the money in accounts',
    description: `By day, model, provider, user and API key, or some of these. Newest day first, then the largest revenue. At most ${DAYS_MAX} days at once.`,
    body: z.object({
      ...rangeFields,
      by: z
        .array(z.enum(reportParts))
        .max(reportParts.length)
        .nullish()
        .describe('What the sums are split by; absent or empty: one row of all.'),
      ...sumFilters('; the report has no accounts then'),
    }),
    example: { by: ['model'] },
    result: z.object({
      ...sumDays,
      rows: z
        .array(
          named('ReportRow', {
            ...sumParts,
            login: textOrNull.describe('The user, or the owner of the key.'),
            key_id: textOrNull.describe('null: sent without a key, or the report is not by key.'),
            key_name: textOrNull,
            key_hint: textOrNull,
            ...sums,
            account: accounts.nullable().describe('Only of a report by user alone.'),
          }),
        )
        .describe('What the sums are not split by is null.'),
      count: z.int().describe('How many rows there are, on all pages.'),
      total: named('ReportSums', sums).describe('The sums over all pages.'),
      accounts: accounts.nullable().describe('Of all accounts, or of the user.'),
    }),
    errors: ['not_found'],
    handle: async (body) => {
      const { query, days } = await sumsQuery(parts, body);
      const found = await parts.report.read({ ...query, by: body.by ?? [] });
      return { ...days, ...(await reportView(parts, found)) };
    },
  });
