import { z } from 'zod';
import { messageStates, withQuotas } from '../../chat/index.ts';
import type { IdempotencyKey, SendInput } from '../../chat/index.ts';
import { invalidField } from '../../lib/errors.ts';
import type { EventWriter } from '../event-stream.ts';
import type { OperationParts } from '../operation-parts.ts';
import { type UserCall, userOperation } from '../operation.ts';
import { rateLimitHeaders } from '../rate-limit-headers.ts';
import { IDEMPOTENCY_KEY_MAX_CHARS, REPLAYED_HEADER, undelivered } from '../request-facts.ts';
import { exampleRoom, roomId } from '../schemas.ts';
import { sendResultView } from './send-schemas.ts';

/** The keys of sends belong to this operation. */
export const SEND = 'ai/send';

/**
 * Answers a send that continues when its client leaves: a new one, or the one that already runs under the same key.
 * @param write for a stream; absent: the answer is the result
 */
export async function answerDetached(
  parts: OperationParts,
  call: UserCall,
  input: SendInput,
  key: IdempotencyKey | undefined,
  write: EventWriter | undefined,
) {
  const { request, facts, caller } = call;
  const { userId } = caller;
  const { streams, sender } = parts;
  const begin = () => sender.detach(userId, input, key);
  if (write) {
    // The request's body counts towards the send, not towards its stream.
    const itself = { takeAtEnd: () => () => undefined };
    return streams.open(userId, request, itself, write, async (body) => {
      const { send, quotas, replayed, isNew } = await streams.detachInStream(userId, facts, begin);
      send.follow(body);
      const over = facts.streams();
      // The charge is logged with the request that began the send.
      if (isNew) void send.ended.then(over);
      else body.whenEnded(over);
      await withQuotas(quotas, body.providerCalled());
      return body.response({
        ...rateLimitHeaders(quotas),
        ...(replayed && { [REPLAYED_HEADER]: 'true' }),
      });
    });
  }
  const { send, quotas, replayed } = await streams.detach(userId, facts, begin);
  const result = await withQuotas(quotas, send.result(request.signal));
  if (quotas.length > 0) Object.assign(call.headers, rateLimitHeaders(quotas));
  if (replayed) call.headers[REPLAYED_HEADER] = 'true';
  try {
    return await sendResultView(parts, result, request);
  } catch (error) {
    throw undelivered(error, key);
  }
}

export const stopOperation = (parts: OperationParts) =>
  userOperation({
    path: '/ai/stop/',
    right: 'chat',
    summary: 'Stop a detached send',
    description:
      'Stops a running send of yours that was sent with `detached: true`, on any node: by the Idempotency-Key that it was sent with, or by its `room_id` and `id`. The delivered part is kept and charged, as for a stream whose client hung up. A send that has ended stays as it is, and an image is still drawn to its end.',
    body: z.object({
      idempotency_key: z
        .string()
        .min(1)
        .max(IDEMPOTENCY_KEY_MAX_CHARS)
        .nullish()
        .describe('The Idempotency-Key header of the send.'),
      room_id: roomId.nullish().describe('Together with `id`, in place of the key.'),
      id: z.int().nullish().describe('The `id` of the event `start`.'),
    }),
    example: { room_id: exampleRoom, id: 1 },
    result: z.object({
      room_id: z.string(),
      id: z.int(),
      state: z
        .enum(messageStates)
        .describe(
          '`pending`: the provider’s answer is still read to its end, since only the provider can count its tokens.',
        ),
    }),
    errors: ['not_found'],
    slow: true,
    handle: async ({ idempotency_key: key, room_id: room, id: messageId }, { caller }) => {
      const byMessage = room != null && messageId != null ? { roomId: room, messageId } : undefined;
      const target = key != null ? { operation: SEND, key } : byMessage;
      if (!target) throw invalidField('idempotency_key', 'is required, or room_id and id');
      const {
        roomId: stoppedRoom,
        id,
        state,
      } = await parts.sender.detached.stop(caller.userId, target);
      return { room_id: stoppedRoom, id, state };
    },
  });
