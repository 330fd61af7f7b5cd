import type { FieldNames } from '../compatible/field-names.ts';

/** What a text request has under the same name in every endpoint. */
const shared = {
  ai: 'model',
  topP: 'top_p',
  toolChoice: 'tool_choice',
  parallelToolCalls: 'parallel_tool_calls',
};

/** The limit of output goes by two names: an error says the one that was sent. */
export function chatFields(body: Record<string, unknown>): FieldNames {
  const cap = body['max_completion_tokens'] == null ? 'max_tokens' : 'max_completion_tokens';
  return {
    ...shared,
    max_output_tokens: cap,
    maxOutputTokens: cap,
    frequencyPenalty: 'frequency_penalty',
    presencePenalty: 'presence_penalty',
    responseFormat: 'response_format',
    reasoningEffort: 'reasoning_effort',
  };
}

export const responseFields: FieldNames = {
  ...shared,
  maxOutputTokens: 'max_output_tokens',
  messages: 'input',
  responseFormat: 'text.format',
  reasoningEffort: 'reasoning.effort',
};

export const imageFields: FieldNames = { ai: 'model', message: 'prompt' };

export const embeddingFields: FieldNames = { ai: 'model', message: 'input' };
