import type { Catalogue } from '../../catalogue/index.ts';
import type { Sender } from '../../chat/index.ts';
import { sendErrors } from '../error-responses.ts';
import { idempotencyKey, REPLAYED_HEADER, undelivered } from '../request-facts.ts';
import { userOperation } from '../operation.ts';
import { rateLimitHeaders } from '../rate-limit-headers.ts';
import { exampleSend, sendBody, sendResult, sendResultView, toSendInput } from './send-schemas.ts';
import { streamResponse } from './send-stream.ts';

export const sendOperation = (sender: Sender, catalogue: Catalogue) =>
  userOperation({
    path: '/ai/send/',
    right: 'chat',
    summary: 'Send a request to a model',
    description:
      'The most that the call can cost is held from the balance, the provider is called, and the answer is charged by its usage. With an Idempotency-Key header, the same key and body within 24 hours get the same answer and one charge. With `stream: true` the answer is text/event-stream: `start` (room_id, id), `delta` (text), then `done` (the Send result) or `error` (the error object).',
    body: sendBody,
    example: exampleSend,
    result: sendResult,
    errors: sendErrors,
    idempotent: true,
    streams: true,
    slow: true,
    handle: async (body, call) => {
      const { userId } = call.caller;
      const input = toSendInput(body, call.request);
      const key = idempotencyKey('ai/send', call.request, call.bytes);
      if (body.stream) return streamResponse(sender, catalogue, call, input, key);
      const { result, replayed, quotas } = await sender.send(userId, input, key);
      if (quotas.length > 0) Object.assign(call.headers, rateLimitHeaders(quotas));
      if (replayed) call.headers[REPLAYED_HEADER] = 'true';
      try {
        return await sendResultView(catalogue, result);
      } catch (error) {
        throw undelivered(error, key);
      }
    },
  });
