import { z } from 'zod';
import { hoursSchema, modalities } from '../catalogue/index.ts';
import { roomIdPattern } from '../chat/index.ts';
import { longAboveField, optionalPrices, requiredPrices } from '../lib/price-fields.ts';
import { recordOf } from '../lib/units.ts';

/** Schemas and shapes that several operations share. */

/** An object with its own name in the OpenAPI document. */
export function named<Shape extends z.core.$ZodLooseShape>(id: string, shape: Shape) {
  return z.object(shape).meta({ id });
}

export const textOrNull = z.string().nullable();
export const intOrNull = z.int().nullable();
export const rubles = z.number().describe('Rubles, at most six decimals.');
export const unixSeconds = z.int().describe('Unix seconds.');
/** A field of answers that contain days. */
export const dayZoneField = {
  day_zone: z.string().describe('The time zone of days, e.g. `UTC` or `Europe/Moscow`.'),
};
export const day = z.iso.date({ error: 'must be a day as YYYY-MM-DD' });
export const emptyBody = z.object({});

export const roomId = z
  .string()
  .length(32, 'must be exactly 32 characters')
  // The pattern is only documented: an id that does not match is answered with room_not_found.
  .meta({ description: 'A room obtained from /ai/room/.', pattern: roomIdPattern.source });

/** The room of all examples: the reference page registers it first, and then uses it. */
export const exampleRoom = 'my-first-room-000000000000000000';

export const model = named('Model', {
  id: z.int().describe('The parameter `ai` of a send.'),
  code: z.string().describe('Provider code.'),
  model: z.string().describe("The model's name at the provider."),
  description: z.string(),
  description_full: z.string(),
  model_alias: textOrNull,
  type: z.enum(['TEXT', 'IMAGE']),
  modality: z.enum(modalities).describe('What the model is for.'),
  max_input_tokens: z.int(),
  max_output_tokens: z.int(),
  min_temperature: z.number(),
  max_temperature: z.number(),
  is_chat_mode_allowed: z
    .union([z.literal(0), z.literal(1)])
    .describe('1: earlier messages can be sent along; 0: they can not.'),
  is_image_input_allowed: z
    .union([z.literal(0), z.literal(1)])
    .describe('1: messages can have images; 0: they can not; absent: not known.')
    .optional(),
  ...recordOf(requiredPrices, 'field', ({ description }) => rubles.describe(description)),
  [longAboveField]: z
    .int()
    .describe(
      'A request with more prompt tokens than this is charged at the `cost_long_…` prices as a whole; absent: the model has no such prices.',
    )
    .optional(),
  ...recordOf(optionalPrices, 'field', ({ description }) =>
    rubles.describe(description).optional(),
  ),
  cost_hours: hoursSchema
    .describe(
      'Hours in UTC at which all prices are another percentage of those above, the first that fits; decided when the request arrives. Absent: never.',
    )
    .optional(),
  cost_tokens_unit: z.literal(1_000_000).describe('How many tokens the token prices are for.'),
  currency: z.literal('RUB'),
  priced: z.boolean().describe('False: no price is set yet; usable by admins only.'),
});

/** The last moment that a date can represent, in Unix seconds. */
const EXPIRY_MAX = 8_640_000_000_000;

export const expiryGiven = unixSeconds
  .meta({ minimum: 1, maximum: EXPIRY_MAX })
  .nullish()
  .describe('Unix seconds, in the future; absent or null: valid until revoked.');

const PAGE_ROWS = 100;
const PAGE_ROWS_MAX = 1000;

export const pageLimit = z
  .int()
  .min(1)
  .max(PAGE_ROWS_MAX)
  .nullish()
  .meta({ description: 'The most items in the answer.', default: PAGE_ROWS })
  .transform((limit) => limit ?? PAGE_ROWS);

const PAGE_OFFSET_MAX = 10_000_000;

export const pageOffset = z
  .int()
  .min(0)
  .max(PAGE_OFFSET_MAX)
  .nullish()
  .meta({ description: 'How many items to leave out at the beginning.', default: 0 })
  .transform((offset) => offset ?? 0);

const ID_PROBLEM = 'must be an id: a whole number, or its digits as a string';

/** The id of a message or an entry. Some answers give it as a number, the history as digits. */
export const idGiven = z
  .union([z.string().regex(/^\d{1,15}$/, ID_PROBLEM), z.int(ID_PROBLEM).min(0, ID_PROBLEM)], {
    error: ID_PROBLEM,
  })
  .transform(Number);

export const idempotencyKeyHeader = {
  'Idempotency-Key': z
    .string()
    .min(1)
    .max(255)
    .optional()
    .describe(
      'The same key and body within 24 hours get the same answer, and one charge or entry. Unique per user and operation.',
    ),
};

/** A body without its nulls, for operations to which null says the same as an absent field. */
export function withoutNulls<Body extends object>(
  body: Body,
): { [Field in keyof Body]: Exclude<Body[Field], null> } {
  const given = Object.entries(body).filter(([, value]) => value !== null);
  return Object.fromEntries(given) as { [Field in keyof Body]: Exclude<Body[Field], null> };
}
