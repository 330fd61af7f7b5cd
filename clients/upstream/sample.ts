type Schema = Record<string, unknown>;

/** Values for fields that the prompts of the campaign ask for. */
const known: Readonly<Record<string, unknown>> = { name: 'Ada', age: 36 };

/** The answer where only words describe its fields. */
export const person: Schema = { properties: { name: {}, age: {} } };

/** A value that fits a JSON Schema, as far as the clients of the campaign use it. */
export function sampleOf(schema: Schema, name = '', root = schema): unknown {
  const { $ref, const: only, enum: options, anyOf, properties, items, type } = schema;
  if (typeof $ref === 'string') {
    const place = $ref.split('/').slice(1);
    const found = place.reduce<unknown>((part, key) => (part as Schema | undefined)?.[key], root);
    return sampleOf((found ?? {}) as Schema, name, root);
  }
  if (only !== undefined) return only;
  if (Array.isArray(options)) return options[0];
  if (Array.isArray(anyOf)) return sampleOf((anyOf[0] ?? {}) as Schema, name, root);
  if (properties) {
    const fields = Object.entries(properties as Record<string, Schema>);
    return Object.fromEntries(fields.map(([key, of]) => [key, sampleOf(of, key, root)]));
  }
  if (name in known) return known[name];
  if (items) return [sampleOf(items as Schema, name, root)];
  return type === 'number' || type === 'integer' ? 1 : type === 'boolean' ? true : 'text';
}
