import { compatibleDocument } from './compatible/openapi.ts';
import { alwaysPossible, credentialErrors, errorResponses } from './error-responses.ts';
import { errorEnvelope } from './error-schemas.ts';
import { exampleOf } from './examples.ts';
import { idempotencyHeader } from './header-parameters.ts';
import { schemaOf, type Json } from './json-schema.ts';
import type { Operation } from './operation.ts';
import { headersAt, responseHeaders, type Answering } from './response-headers.ts';

/** The OpenAPI 3.1 document, made from the very schemas that validate requests. */
export function openApiDocument(operations: readonly Operation[]): Json {
  const schemas: Json = {};
  const paths: Json = {};
  for (const operation of operations) {
    paths[operation.path] = { post: describe(operation, schemas) };
  }
  const compatible = compatibleDocument(schemas);
  const tags = new Set([...operations.map((operation) => operation.tag), ...compatible.tags]);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Zastava AI Model Gateway API',
      version: '2.0.0',
      description:
        'Log in or use an API key, open a room, list the models, send, read the history.\n\nNative operations take a JSON object by POST. They answer `{"status":"ok","data":{…}}`, or an error with a `code` for programs, a `message` for people, and the `request_id` that names the request in the log. Amounts are rubles with at most six decimals; times are Unix seconds.\n\nGive each send an `Idempotency-Key`: then it can be repeated after a broken connection, and is charged once.',
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
      headers: responseHeaders,
      schemas,
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
      required: isRequired(body),
      content: { 'application/json': { schema: body, example: exampleOf(path) } },
    },
    responses: {
      '200': {
        description: 'Success',
        headers: headersAt(200, answeringOf(operation)),
        content: successContent(operation, envelope),
      },
      ...errorsOf(operation, schemas),
    },
  };
}

/** An empty request is `{}`, which is right only where nothing is needed. */
function isRequired({ required }: Json): boolean {
  return Array.isArray(required) && required.length > 0;
}

function answeringOf({ errors, idempotent }: Operation): Answering {
  return { sends: errors.includes('provider_error'), idempotent };
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

function errorsOf(operation: Operation, schemas: Json): Json {
  const { access, errors, callsPerMinute } = operation;
  const codes = [...alwaysPossible, ...errors];
  if (callsPerMinute !== undefined) codes.push('rate_limited');
  if (access !== 'public') codes.push(...credentialErrors);
  const schema = schemaOf(errorEnvelope, 'output', schemas);
  return errorResponses(codes, schema, answeringOf(operation));
}
