import type { Json } from '../../support/openapi.ts';
import type { Known } from './routes.ts';

/** A value that roughly matches a JSON Schema, as a basis for spoiled ones. */
export function sampleOf(schema: Json, known: Known, name = ''): unknown {
  const choices = (schema['anyOf'] ?? schema['oneOf'] ?? schema['allOf']) as Json[] | undefined;
  if (choices?.[0]) return sampleOf(choices[0], known, name);
  const options = schema['enum'] as unknown[] | undefined;
  if (options) return options[0];
  if ('const' in schema) return schema['const'];
  switch (schema['type']) {
    case 'object':
      return Object.fromEntries(
        Object.entries((schema['properties'] ?? {}) as Record<string, Json>).map(
          ([field, of]): [string, unknown] => [field, sampleOf(of, known, field)],
        ),
      );
    case 'array':
      return [sampleOf((schema['items'] ?? {}) as Json, known, name)];
    case 'integer':
    case 'number':
      return Number(schema['minimum'] ?? 1);
    case 'boolean':
      return false;
    case 'string':
      return wordFor(name, known);
    default:
      return null;
  }
}

function wordFor(field: string, { roomId, login, keyId }: Known): string {
  if (field === 'room_id') return roomId;
  if (field === 'login') return login;
  return field.endsWith('id') || field === 'revoke' ? keyId : 'x';
}
