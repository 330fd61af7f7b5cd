import {
  withQuotas,
  type IdempotencyKey,
  type SendFacts,
  type SendInput,
  type SendResult,
} from '../../chat/index.ts';
import type { Quota } from '../../lib/quota.ts';
import { EventBody, type EventWriter } from '../event-stream.ts';
import { REPLAYED_HEADER, undelivered } from '../request-facts.ts';
import type { CompatibleCall } from './caller.ts';
import { openAiLimitHeaders } from '../rate-limit-headers.ts';
import type { CompatibleParts } from './parts.ts';

/** The headers of a dialect: what is left of the caller's limits, and others. */
export type AnswerHeaders = (quotas: readonly Quota[], requestId: string) => Record<string, string>;

/** Names the room, so that the caller can find the call in the history. */
const ROOM_HEADER = 'x-room-id';

/** A send and its idempotency key. */
interface KeyedInput {
  input: SendInput;
  key: IdempotencyKey | undefined;
}

/**
 * Answers a send in one piece.
 * @param view the answer in the dialect's shape
 */
export async function wholeAnswer(
  { sender }: CompatibleParts,
  { caller, requestId }: CompatibleCall,
  { input, key }: KeyedInput,
  view: (result: SendResult) => Promise<unknown>,
  headers: AnswerHeaders = openAiLimitHeaders,
): Promise<Response> {
  const { result, ...facts } = await sender.send(caller.userId, input, key);
  const own = headers(facts.quotas, requestId);
  try {
    const answer = await view(result);
    return Response.json(answer, {
      headers: { ...own, ...factHeaders({ ...facts, roomId: result.roomId }) },
    });
  } catch (error) {
    throw undelivered(error, key);
  }
}

/**
 * Answers a send as a stream of events. A failure before the first word is thrown, so that it becomes an error with its
 * status; a later failure is the stream's last event.
 */
export async function streamedAnswer(
  { sender }: CompatibleParts,
  { caller, request, requestId }: CompatibleCall,
  { input, key }: KeyedInput,
  write: EventWriter,
  headers: AnswerHeaders = openAiLimitHeaders,
): Promise<Response> {
  const body = new EventBody(request, write);
  const facts = await sender.stream(caller.userId, input, key, body);
  await withQuotas(facts.quotas, body.firstWord());
  return body.response({ ...headers(facts.quotas, requestId), ...factHeaders(facts) });
}

function factHeaders({ roomId, replayed }: SendFacts & { roomId: string }): Record<string, string> {
  return { [ROOM_HEADER]: roomId, ...(replayed && { [REPLAYED_HEADER]: 'true' }) };
}
