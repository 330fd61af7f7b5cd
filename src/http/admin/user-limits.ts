import { z } from 'zod';
import type { Catalogue } from '../../catalogue/index.ts';
import { checkModelIds, limitsView } from '../../chat/index.ts';
import {
  LIMIT_MODELS_MAX,
  LIMIT_REQUESTS_MAX,
  LIMIT_TOKENS_MAX,
  type Limits,
} from '../../ledger/index.ts';
import type { Users } from '../../users/index.ts';
import { userLimits } from '../account/schemas.ts';
import { adminOperation } from '../operation.ts';
import { rublesFromZero } from './amount.ts';
import { userLogin } from './user-view.ts';

/** The upper bounds are only documented here: `Limits` checks them, with better messages. */
const upTo = (maximum: number) => z.int().min(1).meta({ maximum }).nullish();

export const userLimitsOperation = (users: Users, limits: Limits, catalogue: Catalogue) =>
  adminOperation({
    path: '/admin/users/limits/',
    summary: "Set or show a user's limits",
    description:
      'An absent field stays as it is; null removes the limit. Exact on all nodes from the next send on.',
    body: z.object({
      login: userLogin,
      requests_per_minute: upTo(LIMIT_REQUESTS_MAX).meta({
        description: 'Sends that begin within a minute.',
      }),
      tokens_per_minute: upTo(LIMIT_TOKENS_MAX).meta({ description: 'Input and output together.' }),
      rubles_per_day: rublesFromZero
        .nullish()
        .meta({ description: 'Above 0. Counts charges and holds of a UTC day.' }),
      models: z
        .array(z.int())
        .meta({ minItems: 1, maxItems: LIMIT_MODELS_MAX })
        .nullish()
        .meta({ description: 'Ids of the models that the user may use; no others.' }),
    }),
    example: { login: 'alice', requests_per_minute: 60 },
    result: z.object({ login: z.string(), limits: userLimits }),
    errors: ['not_found'],
    handle: async (body) => {
      const user = await users.find(body.login);
      if (body.models) checkModelIds(catalogue, body.models);
      const after = await limits.set(user.id, {
        ...given('requestsPerMinute', body.requests_per_minute),
        ...given('tokensPerMinute', body.tokens_per_minute),
        ...given('rublesPerDay', body.rubles_per_day),
        ...given('models', body.models),
      });
      return { login: user.login, limits: limitsView(after) };
    },
  });

/** The field, if the body has it. */
function given<Name extends string, T>(name: Name, value: T | undefined): Partial<Record<Name, T>> {
  return value === undefined ? {} : ({ [name]: value } as Record<Name, T>);
}
