import { securityFor } from '../openapi/security.ts';
import { z } from 'zod';
import type {
  ZodOpenApiContentObject,
  ZodOpenApiOperationObject,
  ZodOpenApiPathsObject,
} from 'zod-openapi';
import type { ErrorCode } from '../../lib/errors.ts';
import { jsonContent, openAiErrorShape, responsesOf } from '../error-schemas.ts';
import { credentialErrors, serverErrors } from '../possible-errors.ts';
import { streamContent } from './stream-examples.ts';
import { deletedResponse, openAiResponse, responseItems } from './answer-schemas.ts';

const path = '/v1/responses/{response_id}';
const named = {
  response_id: z.string().describe('The id of a response of yours that was stored.'),
};
const shown = z.object({
  include: z
    .array(z.string())
    .optional()
    .describe('reasoning.encrypted_content shows reasoning as it is to be sent back.'),
  stream: z
    .boolean()
    .optional()
    .describe('true: the events of a response that was made with background: true.'),
  starting_after: z
    .int()
    .min(0)
    .optional()
    .describe('With stream: only events after this sequence_number.'),
});
const page = z.object({
  limit: z.int().min(1).max(100).optional().describe('20 by default.'),
  order: z.enum(['asc', 'desc']).optional().describe('Newest first (desc) by default.'),
  after: z.string().optional().describe('Only items after this one, in that order.'),
});

export function storedResponsePaths(): ZodOpenApiPathsObject {
  return {
    [path]: {
      get: {
        ...reading('v1_responses_show', 'Show a response', openAiResponse, ['invalid_request'], {
          'text/event-stream': streamContent('/v1/responses'),
        }),
        description:
          'As it was answered, with its cost. Only your own responses are found. A background response is queued until a model answers, then in_progress.',
        requestParams: { path: z.object(named), query: shown },
      },
      delete: {
        ...reading('v1_responses_delete', 'Delete a response', deletedResponse),
        description:
          'The response can neither be read nor continued any more. Later responses of its conversation can still be read, but not continued. Its message stays in the history of its room: delete the room to erase it.',
      },
    },
    [`${path}/input_items`]: {
      get: {
        ...reading('v1_responses_input_items', 'List the input of a response', responseItems, [
          'invalid_request',
        ]),
        description: 'What was sent to the model as input, in pages.',
        requestParams: { path: z.object(named), query: page },
      },
    },
    [`${path}/cancel`]: {
      post: {
        ...reading('v1_responses_cancel', 'Cancel a response', openAiResponse, ['invalid_request']),
        description:
          'Stops a response that is made in the background; the part that has come is charged. Other responses are refused: to stop a stream, close its connection.',
      },
    },
  };
}

function reading(
  operationId: string,
  summary: string,
  result: z.ZodType,
  refusals: readonly ErrorCode[] = [],
  streamed: ZodOpenApiContentObject = {},
): ZodOpenApiOperationObject {
  return {
    operationId,
    tags: ['OpenAI-compatible'],
    summary,
    ...securityFor('chat'),
    requestParams: { path: z.object(named) },
    responses: responsesOf(
      { ...jsonContent(result), ...streamed },
      [...credentialErrors, 'not_found', 'method_not_allowed', ...refusals, ...serverErrors],
      openAiErrorShape,
      { dialect: 'OpenAI' },
    ),
  };
}
