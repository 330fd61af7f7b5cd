import type { z } from 'zod';
import type { ErrorCode } from '../../lib/errors.ts';
import { assert } from '../../lib/errors.ts';
import { anthropicEndpoints } from '../anthropic/mount.ts';
import {
  alwaysPossible,
  credentialErrors,
  errorResponses,
  sendErrors,
  serverErrors,
} from '../error-responses.ts';
import { anthropicErrorShape, openAiErrorShape } from '../error-schemas.ts';
import {
  anthropicVersionHeader,
  idempotencyHeader,
  modelPageParameters,
  roomHeader,
} from '../header-parameters.ts';
import { schemaOf, type Json } from '../json-schema.ts';
import { openAiEndpoints } from '../openai/mount.ts';
import { headersAt, type Answering } from '../response-headers.ts';
import { anthropicModel, anthropicModels, openAiModel, openAiModels } from './answer-schemas.ts';
import { endpointSchemas } from './endpoint-schemas.ts';
import type { Endpoint } from './endpoints.ts';

const modelInPath = {
  name: 'model',
  in: 'path',
  required: true,
  schema: { type: 'string' },
  example: 'sandbox/sandbox-text',
};

const security = [{ bearer: [] }];

type Dialect = 'OpenAI' | 'Anthropic';
const tagOf = (dialect: Dialect): string => `${dialect}-compatible`;
const errorShapes = { OpenAI: openAiErrorShape, Anthropic: anthropicErrorShape };

/**
 * What the OpenAPI document tells of the interfaces under `/v1`: what each path takes and answers. The details
 * are those of OpenAI's and Anthropic's own references, so they are not repeated here.
 * @param schemas the document's components, which those of these paths join
 */
export function compatibleDocument(schemas: Json): { paths: Json; tags: string[] } {
  const paths: Json = {
    '/v1/models': { get: listing('v1_models', schemas) },
    '/v1/models/{model}': { get: listing('v1_models_model', schemas) },
  };
  for (const [path, endpoint] of Object.entries(openAiEndpoints)) {
    paths[path] = { post: described(path, endpoint, 'OpenAI', schemas) };
  }
  for (const [path, endpoint] of Object.entries(anthropicEndpoints)) {
    paths[path] = { post: described(path, endpoint, 'Anthropic', schemas) };
  }
  return { paths, tags: [tagOf('OpenAI'), tagOf('Anthropic')] };
}

function described(path: string, endpoint: Endpoint, dialect: Dialect, schemas: Json): Json {
  const { summary, required, example, sends, streams } = endpoint;
  const known = endpointSchemas[path];
  assert(known, `${path} has schemas`);
  // Fields that are unknown here are let pass; the endpoint may fill in what its schema asks for.
  const body = { ...schemaOf(known.body.loose(), 'input', schemas), required };
  const answer = schemaOf(known.answer, 'output', schemas);
  const stream = { 'text/event-stream': { schema: { type: 'string' } } };
  const answering: Answering = { dialect, sends, idempotent: sends };
  return {
    operationId: path.slice(1).replaceAll('/', '_'),
    tags: [tagOf(dialect)],
    summary,
    description: sends ? aboutSends(dialect) : aboutCounts(dialect),
    security,
    ...(sends && { parameters: [roomHeader, idempotencyHeader] }),
    requestBody: {
      required: true,
      content: { 'application/json': { schema: body, example } },
    },
    responses: {
      '200': {
        description: 'Success',
        headers: headersAt(200, answering),
        content: { 'application/json': { schema: answer }, ...(streams && stream) },
      },
      ...errorResponses(
        [...alwaysPossible, ...credentialErrors, ...(sends ? sendErrors : countErrors)],
        schemaOf(errorShapes[dialect], 'output', schemas),
        answering,
      ),
    },
  };
}

const countErrors: readonly ErrorCode[] = ['model_not_found'];

function aboutSends(dialect: Dialect): string {
  return `Body and answer are those of ${dialect}’s own reference. Users, API keys, holds and charges are those of /ai/send/. The call is recorded in the room that X-Room-Id names, or else in your standing API room.`;
}

function aboutCounts(dialect: Dialect): string {
  return `The body is that of ${dialect}’s own reference. The gateway counts by itself: no provider is called, and nothing is held, charged or recorded.`;
}

function listing(operationId: string, schemas: Json): Json {
  const isList = operationId === 'v1_models';
  const answers: z.ZodType[] = isList
    ? [openAiModels, anthropicModels]
    : [openAiModel, anthropicModel];
  const either = (shapes: readonly z.ZodType[]): Json => ({
    anyOf: shapes.map((shape) => schemaOf(shape, 'output', schemas)),
  });
  const answering: Answering = { dialect: 'Anthropic' };
  return {
    operationId,
    tags: [tagOf('OpenAI')],
    summary: isList ? 'List the models' : 'One model',
    description: `${isList ? 'Those that you may use, each with' : 'With'} the native Model in an extra field. With the header anthropic-version, in Anthropic’s shape.`,
    security,
    parameters: [anthropicVersionHeader, ...(isList ? modelPageParameters : [modelInPath])],
    responses: {
      '200': {
        description: 'Success',
        headers: headersAt(200, answering),
        content: { 'application/json': { schema: either(answers) } },
      },
      ...errorResponses(
        [...credentialErrors, isList ? 'invalid_request' : 'model_not_found', ...serverErrors],
        either(Object.values(errorShapes)),
        answering,
      ),
    },
  };
}
