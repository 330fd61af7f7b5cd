import { chatCompletion } from '../compatible/answer-schemas.ts';
import { sendEndpoint } from '../compatible/endpoints.ts';
import type { FieldNames } from '../compatible/field-names.ts';
import { completionView } from './chat-answer.ts';
import { chatBody, conversationOf, ignoredFields, refuseUnsupported } from './chat-body.ts';
import { chunkWriter } from './chat-stream.ts';

export const textModels = {
  type: 'TEXT',
  otherwise: 'makes images: call /v1/images/generations',
} as const;

/** The fields of a send that have the same name in every endpoint for texts. */
export const textFields = {
  ai: 'model',
  topP: 'top_p',
  toolChoice: 'tool_choice',
  parallelToolCalls: 'parallel_tool_calls',
};

export const chatCompletions = sendEndpoint({
  path: '/v1/chat/completions',
  summary: 'Chat completion',
  body: chatBody,
  result: chatCompletion,
  example: { model: 'sandbox/sandbox-text', messages: [{ role: 'user', content: 'Hello' }] },
  models: textModels,
  refuse: refuseUnsupported,
  content: (body) => ({
    kind: 'conversation',
    conversation: conversationOf(body),
    maxOutputTokens: body.max_completion_tokens ?? body.max_tokens ?? undefined,
    temperature: body.temperature ?? undefined,
    seed: body.seed ?? undefined,
  }),
  view: (result, { body, model }) =>
    completionView(result, { model, ignored: ignoredFields(body) }),
  writer: (body, { model, nameOf }) =>
    chunkWriter({
      model,
      nameOf,
      ignored: ignoredFields(body),
      includeUsage: body.stream_options?.include_usage ?? false,
    }),
  fields: chatFields,
});

/** The limit of output has two names: an error uses the one that was sent. */
function chatFields(body: Record<string, unknown>): FieldNames {
  const cap = body['max_completion_tokens'] == null ? 'max_tokens' : 'max_completion_tokens';
  return {
    ...textFields,
    max_output_tokens: cap,
    maxOutputTokens: cap,
    frequencyPenalty: 'frequency_penalty',
    presencePenalty: 'presence_penalty',
    responseFormat: 'response_format',
    reasoningEffort: 'reasoning_effort',
  };
}
