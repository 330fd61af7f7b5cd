import { anthropicEndpoints } from '../anthropic/mount.ts';
import {
  alwaysPossible,
  credentialErrors,
  errorResponses,
  sendErrors,
} from '../error-responses.ts';
import { idempotencyHeader, roomHeader } from '../header-parameters.ts';
import { openAiEndpoints } from '../openai/mount.ts';
import type { Endpoint } from './endpoints.ts';

type Json = Record<string, unknown>;

const modelInPath = {
  ...{ name: 'model', in: 'path', required: true, schema: { type: 'string' } },
  example: 'sandbox/sandbox-text',
};

const OPENAI = 'OpenAI-compatible';
const ANTHROPIC = 'Anthropic-compatible';
const security = [{ bearer: [] }];

/** The shapes of errors under `/v1`: their own, so that the clients' own exceptions are thrown. */
const schemas = {
  OpenAiError: {
    type: 'object',
    required: ['error'],
    properties: {
      error: {
        type: 'object',
        required: ['message', 'type', 'param', 'code'],
        properties: {
          message: { type: 'string' },
          type: { type: 'string' },
          param: { type: ['string', 'null'] },
          code: { type: 'string' },
        },
      },
    },
  },
  AnthropicError: {
    type: 'object',
    required: ['type', 'error', 'request_id'],
    properties: {
      type: { const: 'error' },
      error: {
        type: 'object',
        required: ['type', 'message', 'code'],
        properties: {
          type: { type: 'string' },
          message: { type: 'string' },
          code: { type: 'string' },
        },
      },
      request_id: { type: 'string' },
    },
  },
};

/**
 * What the OpenAPI document tells of the interfaces under `/v1`: paths, what they are for and how they fail.
 * Their bodies are those of OpenAI's and Anthropic's own references, so they are not repeated here.
 */
export function compatibleDocument(): { paths: Json; schemas: Json; tags: string[] } {
  const paths: Json = {
    '/v1/models': { get: listing('List the models', 'v1_models') },
    '/v1/models/{model}': {
      get: {
        ...listing('One model', 'v1_models_model'),
        parameters: [modelInPath],
      },
    },
  };
  for (const [path, endpoint] of Object.entries(openAiEndpoints)) {
    paths[path] = { post: described(path, endpoint, OPENAI, 'OpenAiError') };
  }
  for (const [path, endpoint] of Object.entries(anthropicEndpoints)) {
    paths[path] = { post: described(path, endpoint, ANTHROPIC, 'AnthropicError') };
  }
  return { paths, schemas, tags: [OPENAI, ANTHROPIC] };
}

function described(path: string, endpoint: Endpoint, tag: string, error: string): Json {
  const { summary, required, example, sends, streams } = endpoint;
  const stream = { 'text/event-stream': { schema: { type: 'string' } } };
  return {
    operationId: path.slice(1).replaceAll('/', '_'),
    tags: [tag],
    summary,
    description: `Body and answer as in ${tag.replace('-compatible', '')}’s own reference. Same users, API keys, holds and charges as /ai/send/; recorded in the room named by X-Room-Id, or in the caller’s standing API room.`,
    security,
    ...(sends && { parameters: [roomHeader, idempotencyHeader] }),
    requestBody: {
      required: true,
      content: { 'application/json': { schema: { type: 'object', required }, example } },
    },
    responses: {
      '200': {
        description: 'Success',
        content: { 'application/json': { schema: { type: 'object' } }, ...(streams && stream) },
      },
      ...errorResponses([...alwaysPossible, ...credentialErrors, ...sendErrors], refer(error)),
    },
  };
}

function listing(summary: string, operationId: string): Json {
  return {
    operationId,
    tags: [OPENAI],
    summary,
    description:
      'Those that the caller may use, with the native Model beside. With an anthropic-version header in Anthropic’s shape.',
    security,
    responses: {
      '200': {
        description: 'Success',
        content: { 'application/json': { schema: { type: 'object' } } },
      },
      ...errorResponses([...credentialErrors, 'model_not_found'], refer('OpenAiError')),
    },
  };
}

function refer(schema: string): Json {
  return { $ref: `#/components/schemas/${schema}` };
}
