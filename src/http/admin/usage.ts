import { z } from 'zod';
import { listedView, usageParts, usageSumView } from '../../chat/index.ts';
import { dayZone } from '../../lib/days.ts';
import { DAYS_MAX, rangeFields, rangeOf } from '../account/records.ts';
import type { OperationParts } from '../operation-parts.ts';
import { operatorOperation } from '../operation.ts';
import {
  dayZoneField,
  intOrNull,
  pageLimit,
  pageOffset,
  rubles,
  textOrNull,
  withoutNulls,
} from '../schemas.ts';

const counts = {
  requests: z.int(),
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  spend: rubles,
};

export const usageOperation = ({ catalogue, clock, usageSums, users }: OperationParts) =>
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
      login: z.string().nullish().describe('Only this user.'),
      model_id: z.int().nullish().describe('Only this model.'),
      provider: z.string().nullish().describe('Only models that are at this provider now.'),
      limit: pageLimit,
      offset: pageOffset,
    }),
    example: { by: ['day', 'model'] },
    result: z.object({
      from: z.string().describe('YYYY-MM-DD.'),
      to: z.string().describe('YYYY-MM-DD.'),
      ...dayZoneField,
      rows: z
        .array(
          z.object({
            day: textOrNull.describe('YYYY-MM-DD.'),
            model_id: intOrNull,
            model: textOrNull.describe("The model's name at the provider."),
            provider: textOrNull.describe('Where the model is now.'),
            login: textOrNull,
            ...counts,
          }),
        )
        .describe('What the sums are not split by is null.'),
      count: z.int().describe('How many sums there are, on all pages.'),
      total: z.object(counts).describe('The sums over all pages.'),
    }),
    errors: ['not_found'],
    handle: async (body) => {
      const { from, to } = rangeOf(body, clock.now());
      const { login, model_id: modelId, by = usageParts, ...others } = withoutNulls(body);
      const user = login === undefined ? undefined : await users.find(login);
      const query = { ...others, from, to, by, userId: user?.id, modelId };
      const { rows, count, total } = await usageSums.read(query);
      const names = {
        models: new Map(catalogue.everyModel().map((model) => [model.id, model])),
        logins: await users.many(rows.flatMap(({ userId }) => userId ?? [])),
      };
      return {
        from,
        to,
        day_zone: dayZone(),
        rows: rows.map((row) => usageSumView(row, names)),
        count,
        total: listedView(total),
      };
    },
  });
