import type { z } from 'zod';
import { checkAgainstModel, estimateConversation } from '../../chat/index.ts';
import { anthropicMessage, tokenCount } from '../compatible/answer-schemas.ts';
import { sendEndpoint, type Endpoint } from '../compatible/endpoints.ts';
import { modelOfType } from '../compatible/requested-model.ts';
import { parseBody } from '../operation.ts';
import { anthropicLimitHeaders } from '../rate-limit-headers.ts';
import { traceparentOf } from '../request-facts.ts';
import { messageView } from './answer.ts';
import {
  conversationOf,
  messagesBody,
  messagesFields,
  refuseUnsupported,
} from './messages-body.ts';
import { messageWriter } from './stream.ts';

const textModels = { type: 'TEXT', otherwise: 'makes images: choose a text model' } as const;
const hello = {
  model: 'sandbox/sandbox-text',
  messages: [{ role: 'user' as const, content: 'Hello' }],
};

const messages = sendEndpoint({
  path: '/v1/messages',
  summary: 'Message',
  body: messagesBody,
  result: anthropicMessage,
  example: { ...hello, max_tokens: 100 },
  models: textModels,
  refuse: refuseUnsupported,
  content: contentOf,
  view: (result, { model }) => messageView(result, model),
  writer: (_, { model, nameOf, requestId }) => messageWriter({ model, nameOf, requestId }),
  headers: (quotas, requestId) => ({
    ...anthropicLimitHeaders(quotas),
    ...requestIdHeader(requestId),
  }),
  fields: messagesFields,
});

const countBody = messagesBody.partial({ max_tokens: true });

/** An estimate: it sends and charges nothing. */
const countTokens: Endpoint = {
  path: '/v1/messages/count_tokens',
  summary: 'How many tokens a message takes; nothing is sent or charged',
  body: countBody,
  result: tokenCount,
  example: hello,
  sends: false,
  streams: false,
  answer: async (parts, call) => {
    refuseUnsupported(call.body);
    const body = parseBody(countBody, call.body) as z.output<typeof countBody>;
    // A send would refuse the models that the user's limits exclude; here nothing is sent.
    const models = await parts.modelsWithinLimits(call.caller.userId);
    const model = modelOfType(models, body.model, textModels);
    const content = contentOf(body);
    checkAgainstModel(model, {
      ...content,
      maxOutputTokens: body.max_tokens ?? 1,
      ai: model.id,
      traceparent: traceparentOf(call.request),
    });
    return Response.json(
      { input_tokens: await estimateConversation(content.conversation) },
      { headers: requestIdHeader(call.requestId) },
    );
  },
  fields: messagesFields,
};

/** The Anthropic-compatible interface: the same users, keys, holds and charges, in Anthropic's shapes. */
export const anthropicEndpoints: readonly Endpoint[] = [messages, countTokens];

/** Anthropic's clients show it as `_request_id`. */
export function requestIdHeader(requestId: string): Record<string, string> {
  return { 'request-id': requestId };
}

function contentOf(body: z.output<typeof countBody>) {
  return {
    kind: 'conversation' as const,
    conversation: conversationOf(body),
    maxOutputTokens: body.max_tokens,
    temperature: body.temperature ?? undefined,
    seed: undefined,
  };
}
