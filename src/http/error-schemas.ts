import { z } from 'zod';
import { errorCodes } from '../lib/errors.ts';
import { rubles } from './schemas.ts';

/** Facts for programs besides the code, the same in every dialect. */
const facts = {
  needed: rubles.optional().meta({
    description: 'With insufficient_funds: the most that the request can cost, in rubles.',
  }),
  available: rubles
    .optional()
    .meta({ description: 'With insufficient_funds: what can be spent, in rubles.' }),
  limit: z
    .enum(['requests_per_minute', 'tokens_per_minute', 'rubles_per_day'])
    .optional()
    .meta({ description: 'With rate_limited: which of your limits is reached; see /account/.' }),
  left: z.number().optional().meta({
    description: 'With rate_limited: what is left of that limit, in calls, tokens or rubles.',
  }),
  max_output_tokens: z.int().optional().meta({
    description:
      'With insufficient_funds and rate_limited: the largest cap that would fit now; 0 or absent: none.',
  }),
};

const code = z.enum(errorCodes);

/** The error envelope of the native interface. */
export const errorEnvelope = z
  .object({
    status: z.literal('error'),
    error: z.object({
      code,
      message: z.string(),
      details: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
      ...facts,
    }),
    request_id: z.string(),
  })
  .meta({ id: 'Error' });

/** Under `/v1` errors have the shapes that make SDKs throw their own exceptions. */
export const openAiErrorShape = z
  .object({
    error: z.object({
      message: z.string(),
      type: z.string(),
      param: z.string().nullable().meta({ description: 'The field that is wrong.' }),
      code,
      ...facts,
    }),
  })
  .meta({ id: 'OpenAiError' });

export const anthropicErrorShape = z
  .object({
    type: z.literal('error'),
    error: z.object({
      type: z.string(),
      message: z.string(),
      code,
      ...facts,
      details: z
        .object({ error_code: z.string(), unsupported: z.array(z.string()) })
        .optional()
        .meta({ description: 'With a request for a thread, which is not supported here.' }),
    }),
    request_id: z.string(),
  })
  .meta({ id: 'AnthropicError' });
