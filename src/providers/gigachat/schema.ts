import { asArray, asRecord, type JsonRecord } from '../shared/wire.ts';
import { UnsupportedError } from '../spec.ts';

/** The most that all references together may add, as a multiple of the schema's own size. */
const GROWTH_MAX = 8;
/** Nested objects; a schema that contains itself is cut where it begins again. */
const DEPTH_MAX = 64;
/** The API refuses other formats, and they do not bind a model. */
const knownFormats: ReadonlySet<unknown> = new Set(['date', 'date-time', 'time']);

interface Reading {
  root: JsonRecord;
  /** UTF-16 units of JSON that references may still add in total. */
  growth: { left: number };
  depth: number;
  /** The references that were followed to get here. */
  following: readonly string[];
}

class TooLarge extends Error {}

/**
 * The parameters of a tool in the part of JSON Schema that the API accepts: each object has `properties`, each value
 * has one `type`, and there is no `$ref`, `anyOf`, `oneOf` or `allOf`. The first alternative is used, so the model's
 * arguments fit the tool.
 * @param tool the name of the tool
 * @throws UnsupportedError if the schema is too large or too deep
 */
export function plainParameters(tool: string, parameters: JsonRecord): JsonRecord {
  const growth = { left: GROWTH_MAX * JSON.stringify(parameters).length };
  const reading = { root: parameters, growth, depth: 0, following: [] };
  try {
    return typed({ type: 'object', ...oneSchema(parameters, reading) });
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error;
    const why = `The provider of this model takes no parameters as large as those of the tool ${tool}.`;
    throw new UnsupportedError('tools', why);
  }
}

/** @param value a schema; `true`, which allows anything, becomes a string */
function plain(value: unknown, reading: Reading): JsonRecord {
  return typed(oneSchema(asRecord(value) ?? {}, reading));
}

/** Merges a schema with its reference, its first alternative, and all of its parts. */
function oneSchema(schema: JsonRecord, from: Reading): JsonRecord {
  const reading = { ...from, depth: from.depth + 1 };
  if (reading.depth > DEPTH_MAX) throw new TooLarge();
  const { $ref, $defs: _defs, definitions: _more, $schema: _dialect, ...own } = schema;
  const { anyOf, oneOf, allOf, ...described } = own;
  const parts = [anyOf, oneOf].flatMap((list) => alternative(asArray(list) ?? []) ?? []);
  return merged([
    withPlainParts(described, reading),
    ...[...parts, ...(asArray(allOf) ?? [])].map((part) =>
      oneSchema(asRecord(part) ?? {}, reading),
    ),
    ...(typeof $ref === 'string' ? [followed($ref, reading)] : []),
  ]);
}

/** The first alternative that is not null. If each one only lists values, all values together. */
function alternative(list: readonly unknown[]): JsonRecord | undefined {
  const some = list.flatMap((item) => {
    const one = asRecord(item);
    return one && !isNull(one) ? [one] : [];
  });
  const values = some.map(valuesOf);
  const [first] = some;
  if (!first || values.includes(undefined)) return first;
  const { const: _value, ...rest } = first;
  return { ...rest, enum: values.flat() };
}

/** Resolves a reference such as `#/$defs/Unit`; gives an empty schema if it leads nowhere. */
function followed($ref: string, reading: Reading): JsonRecord {
  if (reading.following.includes($ref)) return { type: 'object' };
  let target: unknown = $ref.startsWith('#') ? reading.root : undefined;
  for (const name of $ref.split('/').slice(1)) {
    const key = name.replaceAll('~1', '/').replaceAll('~0', '~');
    const here = asRecord(target);
    target = here && Object.hasOwn(here, key) ? here[key] : undefined;
  }
  const found = asRecord(target) ?? {};
  reading.growth.left -= JSON.stringify(found).length;
  if (reading.growth.left < 0) throw new TooLarge();
  return oneSchema(found, { ...reading, following: [...reading.following, $ref] });
}

function withPlainParts(schema: JsonRecord, reading: Reading): JsonRecord {
  const { type, format, const: _value, properties, items, prefixItems, ...rest } = schema;
  const values = valuesOf(schema);
  const one = asArray(type)?.find((name) => name !== 'null') ?? type;
  const fields = asRecord(properties);
  const others = asRecord(schema['additionalProperties']);
  const item = asArray(items)?.[0] ?? asArray(prefixItems)?.[0] ?? items;
  return {
    ...rest,
    ...(typeof one === 'string' && { type: one }),
    ...(knownFormats.has(format) && { format }),
    ...(values && { enum: values }),
    ...(fields && {
      properties: Object.fromEntries(
        Object.entries(fields).map(([name, value]) => [name, plain(value, reading)]),
      ),
    }),
    ...(others && { additionalProperties: plain(others, reading) }),
    ...(item !== undefined && { items: plain(item, reading) }),
  };
}

/** Earlier parts have precedence. Takes one pass, because a list of parts can be as long as a request. */
function merged(parts: readonly JsonRecord[]): JsonRecord {
  const words = new Map<string, unknown>();
  const fields = new Map<string, unknown>();
  const required = new Set<unknown>();
  for (const part of parts) {
    addMissing(words, part);
    addMissing(fields, asRecord(part['properties']) ?? {});
    for (const name of asArray(part['required']) ?? []) required.add(name);
  }
  return {
    ...Object.fromEntries(words),
    ...(fields.size > 0 && { properties: Object.fromEntries(fields) }),
    ...(required.size > 0 && { required: [...required] }),
  };
}

function addMissing(known: Map<string, unknown>, from: JsonRecord): void {
  for (const [name, value] of Object.entries(from)) if (!known.has(name)) known.set(name, value);
}

/**
 * Adds the type, and what the type requires. The API only accepts lists of strings, so other lists go into the
 * description.
 */
function typed({ enum: listed, ...schema }: JsonRecord): JsonRecord {
  const values = (asArray(listed) ?? []).filter((value) => value !== null);
  const type = schema['type'] ?? typeOf(schema, values[0]);
  const areTexts = values.every((value) => typeof value === 'string');
  const about = typeof schema['description'] === 'string' ? `${schema['description']} ` : '';
  const described = `${about}One of: ${values.map((value) => JSON.stringify(value)).join(', ')}.`;
  return {
    ...schema,
    type,
    ...(values.length > 0 && (areTexts ? { enum: values } : { description: described })),
    ...(type === 'object' && !asRecord(schema['properties']) && { properties: {} }),
    ...(type === 'array' && !asRecord(schema['items']) && { items: { type: 'string' } }),
  };
}

/** The type of a schema that has none. */
function typeOf(schema: JsonRecord, value: unknown): string {
  if ('properties' in schema || 'additionalProperties' in schema) return 'object';
  if ('items' in schema) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value === 'boolean' ? 'boolean' : 'string';
}

function valuesOf(schema: JsonRecord): readonly unknown[] | undefined {
  const { const: value, enum: values } = schema;
  return value === undefined ? asArray(values) : [value];
}

function isNull({ type }: JsonRecord): boolean {
  return type === 'null' || (Array.isArray(type) && type.every((name) => name === 'null'));
}
