import { z } from 'zod';
import { parseDecimal } from '../lib/money.ts';
import { longAboveField, priceFields, unitName } from '../lib/price-fields.ts';
import { recordOf } from '../lib/units.ts';
import { extraBodyProblem } from './extra-body.ts';
import { headerNameProblem, headersProblem } from './headers.ts';
import { hoursSchema } from './hours.ts';
import {
  ADDRESS_MAX,
  API_KEY_MAX,
  CONCURRENT_MAX,
  DESCRIPTION_FULL_MAX,
  FALLBACKS_MAX,
  FILE_ID_MAX,
  FILE_ID_MIN,
  KEY_WEIGHT_MAX,
  KEYS_MAX,
  NAME_MAX,
  OPTION_MAX,
  REQUESTS_PER_MINUTE_MAX,
  TEMPERATURE_MAX,
  TIMEOUT_SECONDS_MAX,
  TOKENS_MAX,
} from './limits.ts';
import { modalities } from './modality.ts';
import type { ModelFacts } from './model.ts';
import type { SandboxMode } from './plan.ts';
import type { ProviderFacts } from './provider-facts.ts';
import { isKeyText, KEY_FORM, namesIn, referenceProblem } from './references.ts';

/** The beginning of the message about an absent field. */
export const MISSING = 'is missing';

const weightedKey = z.strictObject(
  {
    key: apiKey(),
    weight: whole(1, KEY_WEIGHT_MAX).optional(),
  },
  { error: wanted('a map of key and weight') },
);

/**
 * The fields of a catalogue file. Unknown fields are refused: a mistyped price would be a wrong price.
 * Messages are printed after the name of the field, and never quote its value.
 */
export const providerSchema = z.strictObject({
  kind: text(NAME_MAX),
  base_url: text(ADDRESS_MAX).superRefine(checked(addressProblem)).optional(),
  api_key: apiKey().optional(),
  api_keys: z
    .array(weightedKey, { error: wanted('a list of keys, each with key and weight') })
    .min(1, 'must be at least one key')
    .max(KEYS_MAX, `must be at most ${KEYS_MAX} keys`)
    .superRefine(checked(keysProblem))
    .optional(),
  max_concurrent: whole(1, CONCURRENT_MAX).optional(),
  max_requests_per_minute: whole(1, REQUESTS_PER_MINUTE_MAX).optional(),
  timeout_seconds: whole(1, TIMEOUT_SECONDS_MAX).optional(),
  options: z
    .record(text(NAME_MAX), text(OPTION_MAX).superRefine(checked(referenceProblem)), {
      error: wanted('a map of option names to text'),
    })
    .optional(),
  headers: z
    .record(z.string(), apiKey(), { error: wanted('a map of header names to text') })
    .superRefine(checked(headersProblem))
    .superRefine((headers, context) => {
      for (const name of Object.keys(headers)) {
        const message = headerNameProblem(name);
        if (message !== undefined) context.addIssue({ code: 'custom', message, path: [name] });
      }
    })
    .optional(),
  extra_body: z
    .record(z.string(), z.unknown(), { error: wanted('a map of fields') })
    .superRefine((body, context) => {
      const problem = extraBodyProblem(body);
      if (!problem) return;
      context.addIssue({ code: 'custom', message: problem.message, path: [...problem.path] });
    })
    .optional(),
});

const modelId = z
  .int({ error: wanted('a whole number') })
  .min(FILE_ID_MIN, `ids below ${FILE_ID_MIN} are reserved for Zastava's own models`)
  .max(FILE_ID_MAX, `must be at most ${FILE_ID_MAX}`);

const outputLimit = whole(1, TOKENS_MAX);

/** The message about an absent output limit. */
export const noOutputLimit = `${MISSING}: must be a whole number from 1 to ${TOKENS_MAX}`;

const tokensPer = z.literal([1, 1_000, 1_000_000], { error: wanted('1, 1000 or 1000000') });

export const priceSchema = z.strictObject({
  ...recordOf(priceFields, 'field', () => price('an amount of rubles').optional()),
  [longAboveField]: whole(1, TOKENS_MAX).optional(),
  cost_tokens_per: tokensPer.optional(),
});

const currency = z
  .string({ error: wanted('a currency, e.g. USD') })
  .regex(/^[A-Z]{3}$/, 'must be three capital letters, e.g. USD');

const rateAmount = price('rubles for 1 of the currency');
const rateDate = z.iso.date({ error: wanted('a day, e.g. 2026-11-20') });

/** Rubles for 1 of each currency, with the day of the rate. */
export const ratesSchema = z.record(
  currency,
  z.strictObject({ rub: rateAmount, date: rateDate }, { error: wanted('a map of rub and date') }),
  { error: wanted('a map of currencies, each with rub and date') },
);

const costFields = priceFields.map(({ field }) => ({ name: unitName(field) }));

/** The cost to the operator, in the units of a price. */
export const costSchema = z.strictObject(
  {
    currency: currency.optional(),
    rate: rateAmount.optional(),
    rate_date: rateDate.optional(),
    ...recordOf(costFields, 'name', () => price('an amount of the currency').optional()),
    [longAboveField]: whole(1, TOKENS_MAX).optional(),
    tokens_per: tokensPer.optional(),
  },
  { error: wanted('a map of currency and amounts') },
);

export const modelSchema = z.strictObject({
  id: modelId.optional(),
  provider: text(NAME_MAX),
  model: text(NAME_MAX),
  description: text(NAME_MAX).optional(),
  description_full: plainText(DESCRIPTION_FULL_MAX).optional(),
  model_alias: text(NAME_MAX).nullable().optional(),
  type: z.enum(['TEXT', 'IMAGE'], { error: wanted('TEXT or IMAGE') }),
  modality: z.enum(modalities, { error: wanted(`one of ${modalities.join(', ')}`) }).optional(),
  max_input_tokens: whole(1, TOKENS_MAX),
  /** Required where the modality has output tokens. */
  max_output_tokens: outputLimit.optional(),
  min_temperature: temperature().optional(),
  max_temperature: temperature().optional(),
  is_chat_mode_allowed: z.literal([0, 1], { error: wanted('0 or 1') }).optional(),
  is_image_input_allowed: z.literal([0, 1], { error: wanted('0 or 1') }).optional(),
  ...priceSchema.shape,
  cost_hours: hoursSchema.optional(),
  cost: costSchema.optional(),
  fallbacks: z
    .array(z.int({ error: wanted('the id of a model') }), { error: wanted('a list of model ids') })
    .max(FALLBACKS_MAX, `must be at most ${FALLBACKS_MAX} ids`)
    .optional(),
});

/** YAML 1.2 reads `off` as text and `false` as a boolean; both mean the same. */
export const sandboxSchema = z
  .union([z.literal(['on', 'off']), z.boolean()], { error: wanted('on or off') })
  .transform((value): SandboxMode => (value === 'on' || value === true ? 'on' : 'off'));

export type RawPrice = z.infer<typeof priceSchema>;
export type RawCost = z.infer<typeof costSchema>;
export type RawModel = z.infer<typeof modelSchema>;
export type RawProvider = z.infer<typeof providerSchema>;

/** A model of a file, with all defaults filled in. */
export interface FileModel {
  /** Undefined: matched by provider, model and type, or assigned. */
  id: number | undefined;
  facts: ModelFacts;
  fallbacks: number[];
  /** Its position in the file's list, from 0. */
  index: number;
  line: number;
}

export interface CatalogueFile {
  sandbox: SandboxMode;
  providers: ProviderFacts[];
  models: FileModel[];
  /** True for the operator's own file: applying it binds its variables to the hosts of their providers. */
  binds: boolean;
  /** Things that the operator may have meant differently, one line each. */
  warnings: string[];
}

export function codeProblem(code: string): string | undefined {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(code)) return undefined;
  return 'a provider code is 1 to 64 letters, digits, ".", "_" or "-"';
}

function wanted(what: string): (issue: { input?: unknown }) => string {
  return ({ input }) => {
    if (input === undefined) return `${MISSING}: must be ${what}`;
    if (input === null) return 'is empty: fill it in, or leave the line out';
    return `must be ${what}`;
  };
}

function plainText(max: number) {
  return z
    .string({ error: wanted('text (put it in quotes)') })
    .max(max, `must be at most ${max} characters`)
    .refine((value) => value.isWellFormed() && !value.includes('\0'), {
      error: 'must not contain U+0000 or half of a surrogate pair',
    });
}

function text(max: number) {
  return plainText(max).refine((value) => value.trim() !== '', { error: 'must not be empty' });
}

function whole(min: number, max: number) {
  const error = wanted(`a whole number from ${min} to ${max}`);
  return z.int({ error }).min(min, { error }).max(max, { error });
}

function temperature() {
  return z
    .number({ error: wanted('a number') })
    .min(0, 'must not be negative')
    .max(TEMPERATURE_MAX, `must be at most ${TEMPERATURE_MAX}`);
}

function price(what: string) {
  return z.union([z.number(), z.string()], { error: wanted(what) }).superRefine(
    checked((value: number | string) => {
      if (/^\s*-/.test(String(value)) && parseDecimal(value, 1) !== 0) {
        return 'must not be negative';
      }
      return undefined;
    }),
  );
}

function apiKey() {
  return text(API_KEY_MAX)
    .superRefine(checked(referenceProblem))
    .refine(isKeyText, { error: KEY_FORM });
}

function addressProblem(value: string): string | undefined {
  const problem = referenceProblem(value);
  if (problem !== undefined || namesIn(value).length > 0) return problem;
  const url = URL.parse(value);
  if (!url || !/^https?:$/.test(url.protocol)) return 'must be an http:// or https:// address';
  // The URL is printed, so it must not contain a secret.
  if (url.username || url.password) return 'must not contain a password: use api_key';
  if (url.search || url.hash) return 'must not contain a query (?…) or a fragment (#…)';
  return undefined;
}

function keysProblem(keys: readonly { key: string }[]): string | undefined {
  const isTwice = new Set(keys.map(({ key }) => key)).size < keys.length;
  return isTwice ? 'contain the same key twice: list it once, with a larger weight' : undefined;
}

/** A refinement from a function that returns the problem, or undefined. */
function checked<T>(problemOf: (value: T) => string | undefined) {
  return (value: T, context: z.RefinementCtx<T>) => {
    const message = problemOf(value);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  };
}
