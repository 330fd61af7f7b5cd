type Json = Record<string, unknown>;

/** The formats known to zod that JSON Schema itself lists. */
const knownFormats = new Set(['date', 'date-time', 'time', 'email', 'uri', 'uuid', 'ipv4', 'ipv6']);

/**
 * A copy of a document or a part of it, without details that zod writes and readers misread: its own formats, a choice
 * of one, and `additionalProperties: false`. The last would be wrong: requests may have unknown fields, and answers of
 * later versions will have more.
 */
export function tidied<T>(value: T): T {
  if (Array.isArray(value)) return value.map((member: unknown) => tidied(member)) as T;
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value)
    .filter(([key, member]) => !isMisread(key, member))
    .map(([key, member]): [string, unknown] => [key, tidied(member)]);
  return withoutChoiceOfOne(Object.fromEntries(kept)) as T;
}

function isMisread(key: string, member: unknown): boolean {
  if (key === 'additionalProperties') return member === false;
  return key === 'format' && typeof member === 'string' && !knownFormats.has(member);
}

function withoutChoiceOfOne(schema: Json): Json {
  for (const key of ['oneOf', 'anyOf', 'allOf']) {
    const { [key]: choices, ...rest } = schema;
    if (Array.isArray(choices) && choices.length === 1) return { ...(choices[0] as Json), ...rest };
  }
  return schema;
}
