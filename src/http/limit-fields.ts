import { z } from 'zod';
import {
  LIMIT_MODELS_MAX,
  LIMIT_REQUESTS_MAX,
  LIMIT_TOKENS_MAX,
  type KeyLimits,
  type UserLimits,
} from '../ledger/index.ts';
import { rublesFromZero } from './admin/amount.ts';

/** The upper bounds are only documented here: `src/ledger` checks them, with better messages. */
const upTo = (maximum: number) => z.int().min(1).meta({ maximum }).nullish();

/** Fields of a body that set the limits of a user: an absent field keeps its limit, null removes it. */
export const userLimitFields = {
  requests_per_minute: upTo(LIMIT_REQUESTS_MAX).describe('Sends that begin within a minute.'),
  tokens_per_minute: upTo(LIMIT_TOKENS_MAX).describe('Input and output together.'),
  rubles_per_day: rublesFromZero.nullish().describe('Above 0: charges and holds of a day.'),
  models: z
    .array(z.int())
    .meta({ minItems: 1, maxItems: LIMIT_MODELS_MAX })
    .nullish()
    .describe('Ids of the models that may be used; no others.'),
};

export const keyLimitFields = {
  ...userLimitFields,
  rubles_per_month: rublesFromZero
    .nullish()
    .describe('Above 0: charges of a calendar month, and holds.'),
  rubles_total: rublesFromZero
    .nullish()
    .describe('Above 0: all charges since the key was made, and holds.'),
};

type Given<Fields extends z.core.$ZodLooseShape> = z.output<z.ZodObject<Fields>>;

export function givenUserLimits(body: Given<typeof userLimitFields>): Partial<UserLimits> {
  return {
    ...given('requestsPerMinute', body.requests_per_minute),
    ...given('tokensPerMinute', body.tokens_per_minute),
    ...given('rublesPerDay', body.rubles_per_day),
    ...given('models', body.models),
  };
}

export function givenKeyLimits(body: Given<typeof keyLimitFields>): Partial<KeyLimits> {
  return {
    ...givenUserLimits(body),
    ...given('rublesPerMonth', body.rubles_per_month),
    ...given('rublesTotal', body.rubles_total),
  };
}

/** The field, if the body has it. */
function given<Name extends string, T>(name: Name, value: T | undefined): Partial<Record<Name, T>> {
  return value === undefined ? {} : ({ [name]: value } as Record<Name, T>);
}
