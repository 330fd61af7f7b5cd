import { z } from 'zod';
import { listedView, usageParts, usageSumViews } from '../../chat/index.ts';
import { DAYS_MAX, rangeFields } from '../account/records.ts';
import type { OperationParts } from '../operation-parts.ts';
import { operatorOperation } from '../operation.ts';
import { rubles, textOrNull } from '../schemas.ts';
import { sumDays, sumFilters, sumParts, sumsQuery } from './sums.ts';

const counts = {
  requests: z.int(),
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  spend: rubles,
};

export const usageOperation = (parts: OperationParts) =>
  operatorOperation({
    path: '/admin/usage/',
    unlogged: true,
    summary: 'Sum up the usage of all users',
    description: `By day, model, provider and user, or some of these. Newest day first, then the largest spend. At most ${DAYS_MAX} days at once.`,
    body: z.object({
      ...rangeFields,
      by: z
        .array(z.enum(usageParts))
        .min(1)
        .max(usageParts.length)
        .nullish()
        .describe('What the sums are split by; absent: all four.'),
      ...sumFilters(''),
    }),
    example: { by: ['day', 'model'] },
    result: z.object({
      ...sumDays,
      rows: z
        .array(z.object({ ...sumParts, login: textOrNull, ...counts }))
        .describe('What the sums are not split by is null.'),
      count: z.int().describe('How many sums there are, on all pages.'),
      total: z.object(counts).describe('The sums over all pages.'),
    }),
    errors: ['not_found'],
    handle: async (body) => {
      const { query, days } = await sumsQuery(parts, body);
      const { usageSums } = parts;
      const { rows, count, total } = await usageSums.read({ ...query, by: body.by ?? usageParts });
      return { ...days, rows: await usageSumViews(parts, rows), count, total: listedView(total) };
    },
  });
