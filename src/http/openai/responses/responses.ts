import { openAiResponse } from '../../compatible/answer-schemas.ts';
import { sendEndpoint } from '../../compatible/endpoints.ts';
import { textFields, textModels } from '../chat-completions.ts';
import { outputOf, responseView } from './answer.ts';
import { conversationOf, refuseUnsupported, responseBody } from './body.ts';
import { responseWriter } from './stream.ts';

/** The Responses API, without what it keeps between requests. */
export const responses = sendEndpoint({
  path: '/v1/responses',
  summary: 'Response',
  body: responseBody,
  result: openAiResponse,
  example: { model: 'sandbox/sandbox-text', input: 'Hello' },
  models: textModels,
  refuse: refuseUnsupported,
  content: (body) => ({
    kind: 'conversation',
    conversation: conversationOf(body),
    maxOutputTokens: body.max_output_tokens ?? undefined,
    temperature: body.temperature ?? undefined,
    seed: undefined,
  }),
  view: (result, about) => responseView(result, about, outputOf(result)),
  writer: (body, { model }) => responseWriter({ body, model }),
  fields: {
    ...textFields,
    maxOutputTokens: 'max_output_tokens',
    messages: 'input',
    responseFormat: 'text.format',
    reasoningEffort: 'reasoning.effort',
  },
});
