import { asArray, asRecord, type JsonRecord } from '../shared/wire.ts';

/**
 * The keywords of a JSON schema that the API reads:
 * https://platform.claude.com/docs/en/build-with-claude/structured-outputs, "JSON Schema limitations". It answers 400
 * to any other keyword. Anthropic's SDK also moves those into the description.
 */
const kept: ReadonlySet<string> = new Set([
  '$ref',
  'type',
  'title',
  'description',
  'enum',
  'const',
  'default',
  'required',
]);
/** Maps of schemas, and lists of them. */
const maps: ReadonlySet<string> = new Set(['$defs', 'definitions', 'properties']);
const lists: ReadonlySet<string> = new Set(['anyOf', 'allOf', 'oneOf']);
const formats: ReadonlySet<unknown> = new Set([
  'date-time',
  'time',
  'date',
  'duration',
  'email',
  'hostname',
  'uri',
  'ipv4',
  'ipv6',
  'uuid',
]);

/**
 * The schema, reduced to the part of JSON Schema that the API accepts. Objects allow no additional properties. What the
 * API does not enforce is written into the description, which the model reads.
 * @param toldOnly gets the names of such keywords
 */
export function enforceable(schema: JsonRecord, onlyInPrompt: Set<string>): JsonRecord {
  const result: Record<string, unknown> = {};
  const described: string[] = [];
  for (const [name, value] of Object.entries(schema)) {
    if (isEnforced(name, value)) result[name] = value;
    else if (maps.has(name)) result[name] = eachValue(value, onlyInPrompt);
    else if (lists.has(name))
      result[name === 'oneOf' ? 'anyOf' : name] = eachItem(value, onlyInPrompt);
    else if (name === 'items' && asRecord(value)) result[name] = sub(value, onlyInPrompt);
    // Notes for human readers of the schema.
    else if (name === '$schema' || name === '$id' || name === '$comment') continue;
    else if (name !== 'additionalProperties' || value !== false) {
      onlyInPrompt.add(name);
      described.push(`${name}: ${JSON.stringify(value)}`);
    }
  }
  if (isObject(schema)) {
    result['properties'] ??= {};
    result['additionalProperties'] = false;
  }
  if (described.length > 0) {
    const description = typeof schema['description'] === 'string' ? schema['description'] : '';
    result['description'] = `${description}\n{${described.join(', ')}}`.trim();
  }
  return result;
}

function isEnforced(name: string, value: unknown): boolean {
  if (name === 'format') return formats.has(value);
  if (name === 'minItems') return value === 0 || value === 1;
  return kept.has(name);
}

function isObject({ type, properties, $ref }: JsonRecord): boolean {
  if ($ref !== undefined) return false;
  return (
    type === 'object' || asArray(type)?.includes('object') || asRecord(properties) !== undefined
  );
}

function sub(value: unknown, onlyInPrompt: Set<string>): unknown {
  const schema = asRecord(value);
  return schema ? enforceable(schema, onlyInPrompt) : value;
}

function eachValue(value: unknown, onlyInPrompt: Set<string>): unknown {
  const entries = Object.entries(asRecord(value) ?? {});
  return Object.fromEntries(entries.map(([name, schema]) => [name, sub(schema, onlyInPrompt)]));
}

function eachItem(value: unknown, onlyInPrompt: Set<string>): unknown {
  return asArray(value)?.map((schema) => sub(schema, onlyInPrompt)) ?? value;
}
