import { z } from 'zod';
import { roomIdPattern } from '../chat/index.ts';
import { longAboveField, optionalPrices, recordOf, requiredPrices } from '../lib/units.ts';

/** Schemas and shapes that several operations share. */

export const rubles = z.number().meta({ description: 'Rubles, at most six decimals.' });
export const unixSeconds = z.int().meta({ description: 'Unix seconds.' });
export const day = z.iso.date({ error: 'must be a day as YYYY-MM-DD' });
export const emptyBody = z.object({});

export const roomId = z
  .string()
  .length(32, 'must be exactly 32 characters')
  // The pattern is only documented: an id that does not match is answered with room_not_found.
  .meta({ description: 'A room obtained from /ai/room/.', pattern: roomIdPattern.source });

/** The room of all examples: the reference page registers it first, and uses it after that. */
export const exampleRoom = 'my-first-room-000000000000000000';

export const model = z
  .object({
    id: z.int().meta({ description: 'The parameter `ai` of a send.' }),
    code: z.string().meta({ description: 'Provider code.' }),
    model: z.string().meta({ description: "The model's name at the provider." }),
    description: z.string(),
    description_full: z.string(),
    model_alias: z.string().nullable(),
    type: z.enum(['TEXT', 'IMAGE']),
    max_input_tokens: z.int(),
    max_output_tokens: z.int(),
    min_temperature: z.number(),
    max_temperature: z.number(),
    is_chat_mode_allowed: z
      .union([z.literal(0), z.literal(1)])
      .meta({ description: '1: history context can be used; 0: not.' }),
    ...recordOf(
      requiredPrices,
      ({ field }) => field,
      ({ description }) => rubles.meta({ description }),
    ),
    [longAboveField]: z
      .int()
      .meta({
        description:
          'A request with more prompt tokens than this is charged at the `cost_long_…` prices as a whole; absent: the model has no such prices.',
      })
      .optional(),
    ...recordOf(
      optionalPrices,
      ({ field }) => field,
      ({ description }) => rubles.meta({ description }).optional(),
    ),
    cost_tokens_unit: z
      .literal(1_000_000)
      .meta({ description: 'How many tokens the token prices are for.' }),
    currency: z.literal('RUB'),
    priced: z.boolean().meta({ description: 'False: no price is set yet; usable by admins only.' }),
  })
  .meta({ id: 'Model' });

const PAGE_ROWS = 100;
const PAGE_ROWS_MAX = 1000;

export const pageLimit = z
  .int()
  .min(1)
  .max(PAGE_ROWS_MAX)
  .nullish()
  .meta({ description: 'The most items in the answer.', default: PAGE_ROWS })
  .transform((limit) => limit ?? PAGE_ROWS);

const ID_PROBLEM = 'must be an id: a whole number, or its digits as a string';

/** The id of a message or an entry. Some answers give it as a number, the history as digits. */
export const idGiven = z
  .union([z.string().regex(/^\d{1,15}$/, ID_PROBLEM), z.int(ID_PROBLEM).min(0, ID_PROBLEM)], {
    error: ID_PROBLEM,
  })
  .transform(Number);

/** A number as the history gives it: digits as text, empty for null. */
export function digits(value: number | null): string {
  return value === null ? '' : String(value);
}
