import { z } from 'zod';
import type { ZodOpenApiContentObject, ZodOpenApiResponsesObject } from 'zod-openapi';
import { limitNames } from '../ledger/index.ts';
import { type ErrorCode, errorCodes } from '../lib/errors.ts';
import { compatibleCodes, compatibleStatusOf, statusOf } from './errors.ts';
import { type Answering, headersAt } from './response-headers.ts';
import { named, rubles, textOrNull } from './schemas.ts';

/** Facts for programs, in addition to the code; the same in every dialect. */
const facts = {
  needed: rubles
    .optional()
    .describe('With insufficient_funds: the highest possible cost, in rubles.'),
  available: rubles.optional().describe('With insufficient_funds: what can be spent, in rubles.'),
  limit: z
    .enum(limitNames)
    .optional()
    .describe(
      'With rate_limited: which limit is reached; with insufficient_funds: the budget, if not the balance is too low.',
    ),
  limit_of: z
    .enum(['user', 'key'])
    .optional()
    .describe('With limit: of your account, see /account/, or of the API key, see /account/keys/.'),
  left: z
    .number()
    .optional()
    .describe('With rate_limited: what is left of that limit, in calls, tokens or rubles.'),
  max_output_tokens: z
    .int()
    .optional()
    .describe(
      'With insufficient_funds and rate_limited: the largest cap that would fit now; 0 or absent: none.',
    ),
  input_tokens: z
    .int()
    .optional()
    .describe('When a conversation is too long: about how many tokens it has.'),
  max_input_tokens: z
    .int()
    .optional()
    .describe('When a conversation is too long: how many tokens the model takes.'),
};

const errorCode = z.enum(errorCodes);
/** The same codes under `/v1`, one of which has OpenAI's name. */
const compatibleCode = z.enum([
  ...errorCodes.map((code) => compatibleCodes[code] ?? code),
  // Only when a response is continued.
  'previous_response_not_found',
]);

/** The error envelope of the native interface. */
export const errorEnvelope = named('Error', {
  status: z.literal('error'),
  error: z.object({
    code: errorCode,
    message: z.string(),
    details: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
    ...facts,
  }),
  request_id: z.string(),
});

/** Under `/v1` errors have the shapes that make SDKs throw their own exceptions. */
export const openAiErrorShape = named('OpenAiError', {
  error: z.object({
    message: z.string(),
    type: z.string(),
    param: textOrNull.describe('The field that is wrong.'),
    code: compatibleCode,
    ...facts,
  }),
});

export const anthropicErrorShape = named('AnthropicError', {
  type: z.literal('error'),
  error: z.object({
    type: z.string(),
    message: z.string(),
    code: compatibleCode,
    ...facts,
    details: z
      .object({ error_code: z.string(), unsupported: z.array(z.string()) })
      .optional()
      .describe('With a request for a thread, which is not supported here.'),
  }),
  request_id: z.string(),
});

/** The responses of an operation for OpenAPI: success, then for each error status its codes. */
export function responsesOf(
  content: ZodOpenApiContentObject,
  codes: Iterable<ErrorCode>,
  error: z.ZodType,
  answering: Answering,
): ZodOpenApiResponsesObject {
  const isNative = error === errorEnvelope;
  const byStatus = Map.groupBy(new Set(codes), (code) =>
    isNative ? statusOf[code] : compatibleStatusOf(code),
  );
  const errors = [...byStatus].map(([status, list]) => {
    const headers = headersAt(status, answering);
    const description = list
      .map((code) => (isNative ? code : (compatibleCodes[code] ?? code)))
      .join(', ');
    return [String(status), { description, headers, content: jsonContent(error) }];
  });
  return {
    '200': { description: 'Success', headers: headersAt(200, answering), content },
    ...Object.fromEntries(errors),
  };
}

/** A JSON body. @param example of it */
export function jsonContent(schema: z.ZodType, example?: unknown): ZodOpenApiContentObject {
  return { 'application/json': { schema, ...(example !== undefined && { example }) } };
}
