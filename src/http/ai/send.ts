import { z } from 'zod';
import type { Catalogue } from '../../catalogue/index.ts';
import type { IdempotencyKey, Sender } from '../../chat/index.ts';
import { invalidField } from '../../lib/errors.ts';
import { sha256Hex } from '../../lib/ids.ts';
import { userOperation, type Call } from '../operation.ts';
import { model, rubles, rublesOf } from '../schemas.ts';
import { sendBody, toSendInput } from './send-body.ts';

const IDEMPOTENCY_KEY_MAX_CHARS = 255;

const sendResult = z
  .object({
    room_id: z.string(),
    id: z.int().meta({ description: 'Strictly growing within a room.' }),
    request: z.string(),
    response: z.string().meta({ description: "The answer, or the image's URL." }),
    cost_request: rubles,
    cost_response: rubles,
    ai: model,
    usage: z.object({
      prompt_tokens: z.int(),
      completion_tokens: z.int(),
      total_tokens: z.int(),
      source: z.enum(['provider', 'estimated']),
    }),
    finish_reason: z.string(),
    balance: rubles.meta({ description: 'After the charge.' }),
    context_used: z.int().meta({ description: 'Earlier messages that were sent along.' }),
    seed: z.number().nullable(),
    warnings: z.array(z.string()),
  })
  .meta({ id: 'SendResult' });

export const sendOperation = (sender: Sender, catalogue: Catalogue) =>
  userOperation({
    path: '/ai/send/',
    tag: 'AI',
    summary: 'Send a request to a model',
    description:
      'The most that the call can cost is held from the balance, the provider is called, and the answer is charged by its usage. With an Idempotency-Key header, the same key and body within 24 hours get the same answer and one charge.',
    body: sendBody,
    result: sendResult,
    errors: [
      'insufficient_funds',
      'room_not_found',
      'model_not_found',
      'idempotency_in_progress',
      'idempotency_key_reused',
      'input_too_long',
      'chat_mode_not_allowed',
      'content_refused',
      'provider_error',
      'provider_unavailable',
      'provider_timeout',
    ],
    slow: true,
    handle: async (body, call) => {
      const key = idempotencyKey('ai/send', call);
      const result = await sender.send(call.caller.userId, toSendInput(body), key);
      if (result.replayed) call.headers['idempotent-replayed'] = 'true';
      return {
        room_id: result.roomId,
        id: result.id,
        request: result.request,
        response: result.response,
        cost_request: rublesOf(result.costRequest),
        cost_response: rublesOf(result.costResponse),
        ai: await catalogue.versionView(result.versionId),
        usage: {
          prompt_tokens: result.promptTokens,
          completion_tokens: result.completionTokens,
          total_tokens: result.totalTokens,
          source: result.usageSource,
        },
        finish_reason: result.finishReason,
        balance: rublesOf(result.balance),
        context_used: result.contextUsed,
        seed: result.seed,
        warnings: result.warnings,
      };
    },
  });

function idempotencyKey(operation: string, { request, bytes }: Call): IdempotencyKey | undefined {
  const key = request.headers.get('idempotency-key');
  if (key === null) return undefined;
  if (key === '' || key.length > IDEMPOTENCY_KEY_MAX_CHARS) {
    throw invalidField('Idempotency-Key', `must have 1 to ${IDEMPOTENCY_KEY_MAX_CHARS} characters`);
  }
  return { operation, key, bodySha256: sha256Hex(bytes) };
}
