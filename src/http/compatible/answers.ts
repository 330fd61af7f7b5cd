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

/** Makes the headers in which a dialect shows what is left of a caller's limits, and its own. */
export type AnswerHeaders = (quotas: readonly Quota[], requestId: string) => Record<string, string>;

/** The header that names the room, so that the caller finds the call in the history. */
const ROOM_HEADER = 'x-room-id';

/** What is sent, under which idempotency key. */
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
 * Answers a send as a stream of already written events. What fails before the first word is thrown, so
 * that it becomes an error with the status that fits; later failures are the stream's last event.
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
