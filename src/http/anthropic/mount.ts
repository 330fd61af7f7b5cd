import { authenticate, isAnthropicClient } from '../compatible/caller.ts';
import { mountEndpoints, type Endpoint } from '../compatible/endpoints.ts';
import { modelNamed } from '../compatible/model-names.ts';
import type { CompatibleParts } from '../compatible/parts.ts';
import { nameIn } from '../compatible/model-path.ts';
import type { HttpApp } from '../request-facts.ts';
import { countTokens, messages } from './messages.ts';
import { messagesFields } from './messages-body.ts';
import { modelPage, modelView } from './models.ts';

/** Names the request as Anthropic does, in errors and successes: its clients call that `_request_id`. */
function named(answer: Endpoint['answer']): Endpoint['answer'] {
  return async (parts, call) => withRequestId(await answer(parts, call), call.requestId);
}

function withRequestId(response: Response, requestId: string): Response {
  response.headers.set('request-id', requestId);
  return response;
}

const asked = { model: 'sandbox/sandbox-text', messages: [{ role: 'user', content: 'Hello' }] };

export const anthropicEndpoints: Readonly<Record<string, Endpoint>> = {
  '/v1/messages': {
    summary: 'Message',
    required: ['model', 'max_tokens', 'messages'],
    example: { ...asked, max_tokens: 100 },
    sends: true,
    streams: true,
    answer: named(messages),
    fields: messagesFields,
  },
  '/v1/messages/count_tokens': {
    summary: 'How many tokens a message takes; nothing is sent or charged',
    required: ['model', 'messages'],
    example: asked,
    sends: false,
    answer: named(countTokens),
    fields: messagesFields,
  },
};

/** The Anthropic-compatible interface: same users, keys, holds and charges, in Anthropic's shapes. */
export function mountAnthropic(app: HttpApp, parts: CompatibleParts): void {
  mountEndpoints(app, parts, anthropicEndpoints);
  app.get('/v1/models/*', async (c, next) => {
    if (!isAnthropicClient(c.req.raw)) return next();
    const { userId } = await authenticate(parts.authenticator, c.req.raw);
    const models = await parts.modelsWithinLimits(userId);
    const name = nameIn(c.req.path);
    const view =
      name === '' ? modelPage(models, c.req.query()) : modelView(modelNamed(models, name));
    return withRequestId(Response.json(view), c.env.requestId);
  });
}
