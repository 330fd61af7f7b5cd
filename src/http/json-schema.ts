import { z } from 'zod';

export type Json = Record<string, unknown>;

/** JSON Schema of a zod schema; parts that carry an id move to the document's components. */
export function schemaOf(schema: z.ZodType, io: 'input' | 'output', components: Json): Json {
  const made = z.toJSONSchema(schema, { target: 'draft-2020-12', io, unrepresentable: 'any' });
  const { $schema: _, $defs = {}, ...rest } = made;
  for (const [name, definition] of Object.entries($defs)) {
    components[name] ??= pointToComponents(definition);
  }
  // A schema that has an id itself comes without a $defs entry of its own.
  if (typeof rest.id === 'string') {
    components[rest.id] ??= pointToComponents(rest);
    return { $ref: `#/components/schemas/${rest.id}` };
  }
  return pointToComponents(rest);
}

function pointToComponents(value: unknown): Json {
  const text = JSON.stringify(value, (key, member: unknown) =>
    (key === 'id' && typeof member === 'string') || isBoundOfNumbers(key, member)
      ? undefined
      : member,
  );
  return JSON.parse(text.replaceAll('#/$defs/', '#/components/schemas/')) as Json;
}

/** What every integer is bounded by; the reference page would show it as the example of each. */
function isBoundOfNumbers(key: string, member: unknown): boolean {
  if (key === 'minimum') return member === Number.MIN_SAFE_INTEGER;
  return key === 'maximum' && member === Number.MAX_SAFE_INTEGER;
}
