import { z } from 'zod';
import { errorCodes } from '../lib/errors.ts';
import { compatibleDocument } from './compatible/openapi.ts';
import { alwaysPossible, credentialErrors, errorResponses } from './error-responses.ts';
import { exampleOf } from './examples.ts';
import { idempotencyHeader } from './header-parameters.ts';
import type { Operation } from './operation.ts';
import { rubles } from './schemas.ts';

type Json = Record<string, unknown>;

const errorEnvelope = z
  .object({
    status: z.literal('error'),
    error: z.object({
      code: z.enum(errorCodes),
      message: z.string(),
      details: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
      needed: rubles.optional().meta({ description: 'Of insufficient_funds, as the next two.' }),
      available: rubles.optional(),
      max_output_tokens: z.int().optional().meta({ description: 'The largest affordable cap.' }),
    }),
    request_id: z.string(),
  })
  .meta({ id: 'Error' });

/** The OpenAPI 3.1 document, made from the very schemas that validate requests. */
export function openApiDocument(operations: readonly Operation[]): Json {
  const schemas: Json = {};
  const paths: Json = {};
  for (const operation of operations) {
    paths[operation.path] = { post: describe(operation, schemas) };
  }
  const compatible = compatibleDocument();
  const tags = new Set([...operations.map((operation) => operation.tag), ...compatible.tags]);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Zastava AI Model Gateway API',
      version: '2.0.0',
      description:
        'Log in, open a room, list models, send, read the history. Amounts are rubles with at most six decimals; times are Unix seconds.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    tags: [...tags].map((name) => ({ name })),
    paths: { ...paths, ...compatible.paths },
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'The token of /auth/login/, or an API key (zk_…).',
        },
      },
      schemas: { ...schemas, ...compatible.schemas },
    },
  };
}

function describe(operation: Operation, schemas: Json): Json {
  const { path, tag, summary, description, access } = operation;
  const body = schemaOf(operation.body, 'input', schemas);
  const result = schemaOf(operation.result, 'output', schemas);
  const envelope = {
    type: 'object',
    required: ['status', 'data'],
    properties: { status: { const: 'ok' }, data: result },
  };
  return {
    operationId: path.slice(1, -1).replaceAll('/', '_'),
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    security: access === 'public' ? [] : [{ bearer: [] }],
    ...(operation.idempotent && { parameters: [idempotencyHeader] }),
    requestBody: {
      required: access === 'public',
      content: { 'application/json': { schema: body, example: exampleOf(path) } },
    },
    responses: {
      '200': { description: 'Success', content: successContent(operation, envelope) },
      ...errorsOf(operation, schemas),
    },
  };
}

function successContent({ streams }: Operation, schema: Json): Json {
  return {
    'application/json': { schema },
    ...(streams && {
      'text/event-stream': {
        schema: { type: 'string' },
        example:
          'event: start\ndata: {"room_id":"…","id":1}\n\nevent: delta\ndata: {"text":"Hel"}\n\nevent: done\ndata: {…}\n\n',
      },
    }),
  };
}

function errorsOf({ access, errors, callsPerMinute }: Operation, schemas: Json): Json {
  const codes = [...alwaysPossible, ...errors];
  if (callsPerMinute !== undefined) codes.push('rate_limited');
  if (access !== 'public') codes.push(...credentialErrors);
  return errorResponses(codes, schemaOf(errorEnvelope, 'output', schemas));
}

/** JSON Schema of a zod schema; parts that carry an id move to the document's components. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output', components: Json): unknown {
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

function pointToComponents(value: unknown): unknown {
  const text = JSON.stringify(value, (key, member: unknown) =>
    key === 'id' && typeof member === 'string' ? undefined : member,
  );
  return JSON.parse(text.replaceAll('#/$defs/', '#/components/schemas/'));
}
