/** Building blocks for the schemas of providers' answers. Unknown fields are always ignored. */
import { z } from 'zod';
import type { Usage } from '../spec.ts';
import { malformedAnswer } from './failures.ts';
import { asArray, asLabel, asRecord, type JsonRecord } from './json.ts';
import { tokenCount } from './usage.ts';

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
