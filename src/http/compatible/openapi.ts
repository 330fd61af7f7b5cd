import { securityFor } from '../openapi/security.ts';
import { z } from 'zod';
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi';
import { roomIdPattern } from '../../chat/index.ts';
import type { ErrorCode } from '../../lib/errors.ts';
import { anthropicEndpoints } from '../anthropic/messages.ts';
import {
  anthropicErrorShape,
  jsonContent,
  openAiErrorShape,
  responsesOf,
} from '../error-schemas.ts';
import { alwaysPossible, credentialErrors, sendErrors, serverErrors } from '../possible-errors.ts';
import { openAiEndpoints } from '../openai/endpoints.ts';
import type { Answering } from '../response-headers.ts';
import { idempotencyKeyHeader } from '../schemas.ts';
import { storedResponsePaths } from './openapi-responses.ts';
import { anthropicModel, anthropicModels, openAiModel, openAiModels } from './answer-schemas.ts';
import type { Endpoint } from './endpoints.ts';
import { streamContent } from './stream-examples.ts';

type Dialect = 'OpenAI' | 'Anthropic';
const tagOf = (dialect: Dialect): string => `${dialect}-compatible`;
const errorShapes = { OpenAI: openAiErrorShape, Anthropic: anthropicErrorShape };
const security = securityFor('chat');

const roomHeader = {
  'X-Room-Id': z
    .string()
    .length(32)
    .regex(roomIdPattern)
    .optional()
    .describe(
      'The room that records the call, obtained from /ai/room/; by default your standing API room.',
    ),
};

const anthropicVersionHeader = {
  'anthropic-version': z.string().optional().describe('Any value requests Anthropic’s shapes.'),
};

/** Pages of the list in Anthropic's shape. OpenAI's shape has all models at once. */
const modelPage = {
  limit: z
    .int()
    .min(1)
    .max(1000)
    .optional()
    .describe('With anthropic-version: the most models in the answer; all by default.'),
  after_id: z.string().optional().describe('With anthropic-version: only models after this one.'),
  before_id: z.string().optional().describe('With anthropic-version: only models before this one.'),
};

const aboutTag = (dialect: Dialect): string =>
  `For clients of ${dialect}. Errors and answers have its shapes; unknown fields are ignored.`;

/** The groups of these paths, each with its description. */
export const compatibleTags = {
  [tagOf('OpenAI')]: aboutTag('OpenAI'),
  [tagOf('Anthropic')]: aboutTag('Anthropic'),
};

/** The paths under `/v1`. Details are in OpenAI's and Anthropic's own references, and are not repeated here. */
export function compatiblePaths(): ZodOpenApiPathsObject {
  return {
    '/v1/models': {
      get: {
        ...listing([openAiModels, anthropicModels], 'invalid_request'),
        operationId: 'v1_models',
        summary: 'List the models',
        description:
          'The models that you may use, each with the native Model in an extra field. With the header anthropic-version, in Anthropic’s shape.',
        requestParams: {
          header: z.object(anthropicVersionHeader),
          query: z.object(modelPage),
        },
      },
    },
    '/v1/models/{model}': {
      get: {
        ...listing([openAiModel, anthropicModel], 'model_not_found'),
        operationId: 'v1_models_model',
        summary: 'Show a model',
        description:
          'With the native Model in an extra field. With the header anthropic-version, in Anthropic’s shape.',
        requestParams: {
          header: z.object(anthropicVersionHeader),
          path: z.object({
            model: z.string().meta({ param: { example: 'sandbox/sandbox-text' } }),
          }),
        },
      },
    },
    ...endpointPaths(openAiEndpoints, 'OpenAI'),
    ...storedResponsePaths(),
    ...endpointPaths(anthropicEndpoints, 'Anthropic'),
  };
}

function endpointPaths(endpoints: readonly Endpoint[], dialect: Dialect): ZodOpenApiPathsObject {
  const entries = endpoints.map((endpoint) => [
    endpoint.path,
    { post: describe(endpoint, dialect) },
  ]);
  return Object.fromEntries(entries);
}

function describe(
  { path, summary, body, form, result, media, texts, example, sends, streams }: Endpoint,
  dialect: Dialect,
): ZodOpenApiOperationObject {
  const answering: Answering = { dialect, sends, idempotent: sends };
  return {
    operationId: path.slice(1).replaceAll('/', '_'),
    tags: [tagOf(dialect)],
    summary,
    description: sends ? aboutSends(dialect) : aboutCounts(dialect),
    ...security,
    ...(sends && {
      requestParams: { header: z.object({ ...roomHeader, ...idempotencyKeyHeader }) },
    }),
    requestBody: {
      required: true,
      content: {
        ...(form !== 'only' && jsonContent(body.loose(), example)),
        ...(form && {
          'multipart/form-data': { schema: body.loose(), ...(form === 'only' && { example }) },
        }),
      },
    },
    responses: responsesOf(
      {
        ...(media === undefined ? jsonContent(result) : { [media]: { schema: result } }),
        ...(texts && { 'text/plain': { schema: z.string(), example: texts } }),
        ...(streams && { 'text/event-stream': streamContent(path) }),
      },
      [
        ...alwaysPossible,
        ...credentialErrors,
        ...(sends ? sendErrors : (['model_not_found'] as const)),
      ],
      errorShapes[dialect],
      answering,
    ),
  };
}

function aboutSends(dialect: Dialect): string {
  return `Body and answer are those of ${dialect}’s own reference. Users, API keys, holds and charges are those of /ai/send/. The call is recorded in the room that X-Room-Id names, or else in your standing API room.`;
}

function aboutCounts(dialect: Dialect): string {
  return `The body is that of ${dialect}’s own reference. The gateway counts the tokens itself: it calls no provider, and holds, charges and records nothing.`;
}

/** The part that the two paths of models share. */
function listing(shapes: readonly z.ZodType[], refusal: ErrorCode): ZodOpenApiOperationObject {
  return {
    tags: [tagOf('OpenAI')],
    ...security,
    responses: responsesOf(
      jsonContent(z.union(shapes)),
      [...credentialErrors, refusal, 'method_not_allowed', ...serverErrors],
      z.union(Object.values(errorShapes)),
      { dialect: 'Anthropic' },
    ),
  };
}
