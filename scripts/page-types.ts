/** Makes web/api/types.ts, the TypeScript types of the native operations, from the OpenAPI document. */
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';

/** The parts of JSON Schema that the document uses. */
interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema;
  items?: Schema;
  description?: string;
}

type Content = Record<string, { schema?: Schema }>;

interface Operation {
  operationId: string;
  requestBody?: { content: Content };
  responses: Record<string, { content?: Content }>;
}

export interface OpenApiDocument {
  paths: Record<string, { post?: Operation; 'x-same-as'?: string }>;
  components: { schemas: Record<string, Schema> };
}

/** The path of the page's types, relative to the root of the checkout. */
export const PAGE_TYPES_FILE = 'web/api/types.ts';

/** The operations whose answer is `{"status":"ok","data":…}`, and the named types of their bodies and answers. */
export async function pageTypes({ paths, components }: OpenApiDocument): Promise<string> {
  const used = new Set<string>();
  const operations = Object.entries(paths).flatMap(([path, { post, 'x-same-as': other }]) => {
    const data = jsonOf(post?.responses['200']?.content)?.properties?.['data'];
    if (!post || !data || other !== undefined) return [];
    const body = jsonOf(post.requestBody?.content) ?? {};
    return [
      `'${path}': { body: ${typeOf(body, used, true)}; data: ${typeOf(data, used, false)} };`,
    ];
  });
  // Each type may use further ones: iterating a set also visits items that are added meanwhile.
  const named: string[] = [];
  for (const name of used) {
    const schema = components.schemas[name] ?? {};
    named.push(`${comment(schema)}export type ${name} = ${typeOf(schema, used, false)};`);
  }
  const text = [
    '/** Generated from docs/openapi.json: change the schemas of src/http, and run `npm run generate`. */\n',
    `/** The JSON operations by path: what each takes, and the \`data\` of its answer. */`,
    `export interface Operations {\n${operations.join('\n')}\n}\n`,
    ...named.sort((a, b) => (a < b ? -1 : 1)),
  ].join('\n');
  const file = join(import.meta.dir, '..', PAGE_TYPES_FILE);
  return format(text, { ...(await resolveConfig(file)), filepath: file });
}

function jsonOf(content: Content | undefined): Schema | undefined {
  return content?.['application/json']?.schema;
}

/**
 * A schema as a TypeScript type.
 * @param isAsked whether it belongs to a request: there, a field that may be absent may be undefined
 */
function typeOf(schema: Schema, used: Set<string>, isAsked: boolean): string {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
    used.add(name);
    return name;
  }
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return choices.map((one) => `(${typeOf(one, used, isAsked)})`).join(' | ');
  if (schema.allOf) {
    return schema.allOf.map((one) => `(${typeOf(one, used, isAsked)})`).join(' & ');
  }
  const types = [schema.type ?? 'unknown'].flat();
  return types.map((type) => plainType(type, schema, used, isAsked)).join(' | ');
}

function plainType(type: string, schema: Schema, used: Set<string>, isAsked: boolean): string {
  if (type === 'integer') return 'number';
  if (type === 'array') return `(${typeOf(schema.items ?? {}, used, isAsked)})[]`;
  if (type !== 'object') return type;
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const isRequired = schema.required?.includes(name) === true;
    const value = typeOf(field, used, isAsked);
    const undefinable = isAsked && !isRequired ? ' | undefined' : '';
    return `${comment(field)}'${name}'${isRequired ? '' : '?'}: ${value}${undefinable};\n`;
  });
  const others = schema.additionalProperties;
  if (others && fields.length === 0) return `Record<string, ${typeOf(others, used, isAsked)}>`;
  // An empty body is an object without fields, not any value.
  return fields.length === 0 ? 'Record<string, never>' : `{\n${fields.join('')}}`;
}

function comment({ description }: Schema): string {
  return description === undefined ? '' : `/** ${description.replaceAll('*/', '* /')} */\n`;
}
