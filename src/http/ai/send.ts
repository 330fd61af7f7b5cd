import { keyIdOf } from '../../users/index.ts';
import { z } from 'zod';
import { withQuotas, type IdempotencyKey, type SendInput } from '../../chat/index.ts';
import { toRubles } from '../../lib/money.ts';
import { sendErrors } from '../possible-errors.ts';
import { errorObject } from '../errors.ts';
import { eventLines, type EventWriter } from '../event-stream.ts';
import type { OperationParts } from '../operation-parts.ts';
import { type UserCall, userOperation } from '../operation.ts';
import { errorInLanguage, refusalsFor } from '../languages.ts';
import { rateLimitHeaders } from '../rate-limit-headers.ts';
import { idempotencyKey, REPLAYED_HEADER, undelivered } from '../request-facts.ts';
import { emptyBody, model, rubles } from '../schemas.ts';
import { answerDetached, SEND } from './detached.ts';
import {
  exampleSend,
  leftStream,
  sendBody,
  sendResult,
  sendResultView,
  toSendInput,
} from './send-schemas.ts';

export const settingsOperation = ({ modelsWithinLimits }: OperationParts) =>
  userOperation({
    path: '/ai/settings/',
    right: 'chat',
    summary: 'List the models with their limits and prices',
    description: 'Only the models that you may use. `id` is the parameter `ai` of a send.',
    body: emptyBody,
    result: z.object({ ai: z.array(model) }),
    handle: async (_, { caller }) => ({
      ai: (await modelsWithinLimits(caller.userId, keyIdOf(caller))).map(({ view }) => view),
    }),
  });

export const sendOperation = (parts: OperationParts) =>
  userOperation({
    path: '/ai/send/',
    right: 'chat',
    summary: 'Send a request to a model',
    description:
      'Holds the highest possible cost of the call from the balance, calls the provider, and charges the answer by its usage. With an Idempotency-Key header, the same key and body within 24 hours get the same answer and one charge. With `stream: true` the answer is text/event-stream: `start` (room_id, id), `delta` (text), then `done` (the Send result) or `error` (the error object).',
    body: sendBody,
    example: exampleSend,
    result: sendResult,
    errors: sendErrors,
    idempotent: true,
    streams: true,
    slow: true,
    handle: async (body, call) => {
      const { userId } = call.caller;
      const input = toSendInput(body, call);
      const key = idempotencyKey(SEND, call.request, call.digest);
      if (body.detached) {
        const { request, facts } = call;
        const write = body.stream ? eventWriter(parts, request, facts.requestId) : undefined;
        return answerDetached(parts, call, input, key, write);
      }
      if (body.stream) return streamResponse(parts, call, input, key);
      const { result, replayed, quotas } = await parts.sender.send(userId, input, key);
      if (quotas.length > 0) Object.assign(call.headers, rateLimitHeaders(quotas));
      if (replayed) call.headers[REPLAYED_HEADER] = 'true';
      try {
        return await sendResultView(parts, result, call.request);
      } catch (error) {
        throw undelivered(error, key);
      }
    },
  });

export const estimateOperation = ({ catalogue, estimate: estimateSend }: OperationParts) =>
  userOperation({
    path: '/ai/estimate/',
    right: 'chat',
    summary: 'Show the highest possible and the probable cost of a send',
    description: 'Takes the body of a send. Sends, holds and stores nothing.',
    body: sendBody,
    example: exampleSend,
    result: z.object({
      cost_max: rubles.describe('The highest possible cost, which a send holds.'),
      cost_likely: rubles.describe(
        'The cost of the input as the tokenizer counts it, and of an answer of your average length with this model in the last 7 days.',
      ),
      input_tokens_max: z.int(),
      output_tokens_max: z.int(),
      context_used: z.int(),
      left_stream: leftStream,
      ai: model,
      warnings: z.array(z.string()),
    }),
    errors: ['room_not_found', 'model_not_found', 'input_too_long', 'chat_mode_not_allowed'],
    handle: async (body, call) => {
      const estimate = await estimateSend(call.caller.userId, toSendInput(body, call));
      return {
        cost_max: toRubles(estimate.costMax),
        cost_likely: toRubles(estimate.costLikely),
        input_tokens_max: estimate.inputTokensMax,
        output_tokens_max: estimate.outputTokensMax,
        context_used: estimate.contextUsed,
        left_stream: estimate.leftStream,
        ai: await catalogue.versionView(estimate.versionId),
        warnings: estimate.warnings.map(refusalsFor(call.request)),
      };
    },
  });

/** Answers a send as `text/event-stream`. Refusals before the provider is called are plain errors. */
function streamResponse(
  parts: OperationParts,
  { request, facts, caller: { userId } }: UserCall,
  input: SendInput,
  key: IdempotencyKey | undefined,
): Promise<Response> {
  return parts.streams.open(
    userId,
    request,
    facts,
    eventWriter(parts, request, facts.requestId),
    async (body) => {
      const { quotas, replayed } = await parts.sender.stream(userId, input, key, body);
      body.whenEnded(facts.streams());
      await withQuotas(quotas, body.providerCalled());
      return body.response({
        ...rateLimitHeaders(quotas),
        ...(replayed && { [REPLAYED_HEADER]: 'true' }),
      });
    },
  );
}

function eventWriter(parts: OperationParts, request: Request, requestId: string): EventWriter {
  return (event) => {
    switch (event.type) {
      case 'served':
        // Here, the last event names the model that answered.
        return '';
      case 'reasoning':
        return '';
      case 'start':
        return eventLines('start', { room_id: event.roomId, id: event.id });
      case 'delta':
        return eventLines('delta', { text: event.text });
      case 'tool_call': {
        const { type, ...call } = event;
        return eventLines(type, call);
      }
      case 'done':
        return Promise.resolve(sendResultView(parts, event.result, request)).then((result) =>
          eventLines('done', result),
        );
      case 'error':
        return eventLines('error', {
          ...errorObject(errorInLanguage(event.error, request)),
          request_id: requestId,
        });
    }
  };
}
