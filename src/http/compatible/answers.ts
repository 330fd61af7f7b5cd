import type { IdempotencyKey, SendInput, SendResult, StreamEvent } from '../../chat/index.ts';
import { eventStream } from '../event-stream.ts';
import type { CompatibleCall } from './caller.ts';
import { firstWords } from './first-words.ts';
import type { CompatibleParts } from './parts.ts';

/** Tells the room, so that a caller finds what it sent in the history. */
const ROOM_HEADER = 'x-room-id';

/** An answer in a dialect's shape, with what every dialect tells in headers. */
export function jsonAnswer(result: SendResult & { replayed: boolean }, view: unknown): Response {
  return Response.json(view, {
    headers: {
      [ROOM_HEADER]: result.roomId,
      ...(result.replayed && { 'idempotent-replayed': 'true' }),
    },
  });
}

/**
 * Answers a send as a stream of already written events. What fails before the first word is thrown, so
 * that it becomes an error with the status that fits; later failures are the stream's last event.
 */
export async function streamedAnswer(
  { sender }: CompatibleParts,
  { caller, request }: CompatibleCall,
  { input, key }: { input: SendInput; key: IdempotencyKey | undefined },
  write: (events: AsyncGenerator<StreamEvent>) => AsyncGenerator<string>,
): Promise<Response> {
  const gone = new AbortController();
  // Until there is a response to cancel, only the request tells that the client has left.
  request.signal.addEventListener('abort', () => gone.abort(), { once: true });
  const events = await sender.stream(caller.userId, input, key, gone.signal);
  const begun = await firstWords(events, gone.signal);
  const response = eventStream(write(begun), () => gone.abort());
  response.headers.set(ROOM_HEADER, input.roomId);
  return response;
}
