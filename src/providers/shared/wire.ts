import { z } from 'zod';
import { tokenCounts } from '../../lib/units.ts';
import type { ProviderCost, Usage } from '../spec.ts';
import { malformedAnswer } from './failures.ts';

/** Building blocks for the schemas of providers' answers. Unknown fields are always ignored. */

/** A short string such as an id or a finish reason; null if it is absent, empty, too long or of another type. */
export const label = z.transform(asLabel);

/** A count of tokens; null if it is absent or not a count. */
export const tokens = z.transform(tokenCount);

/** A string; undefined if it is absent or of another type. */
export const text = z
  .transform((value: unknown) => (typeof value === 'string' ? value : undefined))
  .optional();

/** A list whose items are not checked; undefined if it is absent or of another type. */
export const list = z.transform(asArray).optional();

/** A field of any type, possibly absent. */
export const anything = z.unknown().optional();

/** A JSON object with any content, passed on as it is. */
export const jsonObject = z.custom<JsonRecord>((value) => asRecord(value) !== undefined);

/** An object; undefined if it is absent or of another type. */
export function section<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.object(shape).optional().catch(undefined);
}

/**
 * Checks (a part of) an answer against its schema.
 * @param usage what the provider reported so far, kept in the error
 * @throws ProviderError `failed`, naming the first field that does not match
 */
export function readWire<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  usage?: Usage,
): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const path = result.error.issues[0]?.path.join('.') || 'it';
  throw malformedAnswer(`${path} is missing or has the wrong type`, { usage });
}

/** Readers for untrusted JSON. */

export type JsonRecord = Readonly<Record<string, unknown>>;

export function asRecord(value: unknown): JsonRecord | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return value as JsonRecord;
}

export function asArray(value: unknown): readonly unknown[] | undefined {
  return Array.isArray(value) ? value : undefined;
}

/** The longest identifier or finish reason of a provider that is kept, in UTF-16 units. */
const LABEL_MAX = 255;

/** A short string such as an id; null if it is empty, too long or not a string. */
export function asLabel(value: unknown): string | null {
  if (typeof value !== 'string' || value === '' || value.length > LABEL_MAX) return null;
  return storable(value);
}

/**
 * Replaces characters that databases cannot store with U+FFFD, so that a paid answer is not lost: PostgreSQL refuses
 * U+0000, and SQLite garbles lone surrogates.
 */
export function storable(value: string): string {
  const clean = value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value;
  return clean.isWellFormed() ? clean : clean.toWellFormed();
}

/** A larger number is not a token count; sums of larger ones could lose precision. */
const TOKENS_MAX = 10_000_000_000;

/** A reported count of tokens: a whole number of at least 0. Anything else counts as not reported: null, not 0. */
export function tokenCount(value: unknown): number | null {
  if (typeof value !== 'number' || !Number.isInteger(value)) return null;
  return value >= 0 && value <= TOKENS_MAX ? value : null;
}

/** The tokens of two calls together; null if either of them did not report them. */
export function sumOfCounts(one: number | null, other: number | null): number | null {
  return one === null || other === null ? null : one + other;
}

/** The usage of two calls together. */
export function sumOfUsage(one: Usage, other: Usage): Usage {
  const sum = { ...one };
  for (const { count } of tokenCounts) sum[count] = sumOfCounts(one[count], other[count]);
  return sum;
}

/** The rest of a total; null if a count was not reported, or exceeds the total. */
export function differenceOfCounts(total: number | null, part: number | null): number | null {
  return total === null || part === null || total < part ? null : total - part;
}

/** A larger number is not the cost of one call. */
const COST_MAX = 1_000_000;
const COST_DECIMALS = 12;

/** A reported cost, in the currency of its field; undefined if none was reported. */
export function reportedCost(
  value: unknown,
  currency: ProviderCost['currency'],
): ProviderCost | undefined {
  if (typeof value !== 'number' || !(value >= 0 && value <= COST_MAX)) return undefined;
  const amount = value.toFixed(COST_DECIMALS).replace(/\.?0+$/, '');
  return { amount, currency };
}
