import { invalidField } from '../../lib/errors.ts';

export const UNSUPPORTED = 'is not supported here: leave it out';

/** Values of `service_tier` that request the usual service. */
const usualTiers: readonly unknown[] = ['auto', 'default', 'standard_only', null, undefined];

/**
 * Refuses fields that would change the answer and that the gateway can't honour. Other unknown fields are ignored.
 * @param fields names with the reason, or names alone
 * @param isHarmless true for a value that requests what happens anyway; absent and null always do
 * @throws `invalid_request` that names the field
 */
export function refuseFields(
  body: Record<string, unknown>,
  fields: readonly string[] | Readonly<Record<string, string>>,
  isHarmless: (value: unknown, field: string) => boolean = () => false,
): void {
  const reasons = Array.isArray(fields)
    ? fields.map((field: string) => [field, UNSUPPORTED] as const)
    : Object.entries(fields);
  for (const [field, reason] of reasons) {
    const value = body[field];
    if (value != null && !isHarmless(value, field)) throw invalidField(field, reason);
  }
  // Another tier has another speed and another price.
  if (!usualTiers.includes(body['service_tier'])) throw invalidField('service_tier', UNSUPPORTED);
}
