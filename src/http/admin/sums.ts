/** What the operations have in common that sum up usage by day, model, provider and user. */
import { z } from 'zod';
import { dayZone } from '../../lib/days.ts';
import { rangeOf } from '../account/records.ts';
import type { OperationParts } from '../operation-parts.ts';
import { dayZoneField, intOrNull, pageLimit, pageOffset, textOrNull } from '../schemas.ts';

/** @param limitation what an answer about some models lacks */
export const sumFilters = (limitation: string) => ({
  login: z.string().nullish().describe('Only this user.'),
  model_id: z.int().nullish().describe(`Only this model${limitation}.`),
  provider: z
    .string()
    .nullish()
    .describe(`Only models that are at this provider now${limitation}.`),
  limit: pageLimit,
  offset: pageOffset,
});

const date = z.string().describe('YYYY-MM-DD.');
export const sumDays = { from: date, to: date, ...dayZoneField };

export const sumParts = {
  day: textOrNull.describe('YYYY-MM-DD.'),
  model_id: intOrNull,
  model: textOrNull.describe("The model's name at the provider."),
  provider: textOrNull.describe('Where the model is now.'),
};

type Filters = z.output<z.ZodObject<ReturnType<typeof sumFilters>>> & Parameters<typeof rangeOf>[0];

/** The filters in the form that the sums take, and the days for the answer. @throws `not_found` for the login */
export async function sumsQuery(
  { clock, users }: Pick<OperationParts, 'clock' | 'users'>,
  { from, to, login, model_id: modelId, provider, limit, offset }: Filters,
) {
  const range = rangeOf({ from, to }, clock.now());
  const userId = login == null ? undefined : (await users.find(login)).id;
  const models = { modelId: modelId ?? undefined, provider: provider ?? undefined };
  return {
    query: { ...range, userId, ...models, limit, offset },
    days: { ...range, day_zone: dayZone() },
  };
}
