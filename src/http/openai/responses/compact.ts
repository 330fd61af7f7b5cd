import { z } from 'zod';
import type { SendResult } from '../../../chat/index.ts';
import { toUnixSeconds } from '../../../lib/clock.ts';
import { openAiCompaction } from '../../compatible/answer-schemas.ts';
import { sendEndpoint } from '../../compatible/endpoints.ts';
import { textFields, textModels } from '../chat-completions.ts';
import { warningsView } from '../chat-answer.ts';
import { usageOf } from './answer.ts';
import { input } from './body.ts';
import { compactingMessages, packSummary } from './compaction.ts';
import { inputOf, messagesOf } from './conversation.ts';
import { itemId, responseId } from './ids.ts';

const compactBody = z.object({
  model: z.string(),
  input: input.nullish(),
  previous_response_id: z.string().nullish(),
  instructions: z
    .string()
    .nullish()
    .describe('Not summed up: send them again with the next request.'),
  prompt_cache_key: z.string().nullish(),
});

/** Lets the model summarise a conversation, so that it can be continued with fewer tokens. Nothing is stored. */
export const compactResponse = sendEndpoint({
  path: '/v1/responses/compact',
  summary: 'Compaction of a conversation',
  body: compactBody,
  result: openAiCompaction,
  example: { model: 'sandbox/sandbox-text', input: 'Hello' },
  models: textModels,
  content: async (body, { parts, userId }) => {
    const requested = await inputOf(body, { responses: parts.responses, userId });
    return {
      kind: 'conversation',
      conversation: { messages: compactingMessages(messagesOf(requested)), options: {} },
      maxOutputTokens: undefined,
      temperature: undefined,
      seed: undefined,
    };
  },
  view: (result) => compactionView(result),
  fields: { ...textFields, messages: 'input' },
});

function compactionView(result: SendResult): object {
  return {
    id: responseId(result),
    object: 'response.compaction',
    created_at: toUnixSeconds(result.askedAt),
    output: [
      {
        id: itemId('cmp', result),
        type: 'compaction',
        encrypted_content: packSummary(result.response),
      },
    ],
    usage: usageOf(result),
    ...warningsView(result),
  };
}
