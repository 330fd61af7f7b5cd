import type { IdempotencyKey, SendFacts, SendInput } from '../../chat/index.ts';
import type { EventWriter } from '../event-stream.ts';
import type { OperationParts } from '../operation-parts.ts';
import type { CompatibleCall } from './call.ts';

/** A send that continues without its client. */
export interface BackgroundSend {
  parts: OperationParts;
  call: CompatibleCall;
  input: SendInput;
  key: IdempotencyKey | undefined;
}

/** Begins the send. @returns the send and its message, once the message is stored */
export async function beginInBackground({ parts, call, input, key }: BackgroundSend) {
  const { userId } = call.caller;
  const begin = () => parts.sender.detach(userId, input, key);
  const { send, ...facts } = await parts.streams.detach(userId, call.facts, begin);
  return { ...facts, roomId: send.roomId, id: send.id };
}

/**
 * Begins the send, and follows it in a stream. A client that leaves does not stop it. The stream begins at once, so
 * that the client knows which response to ask for if it breaks.
 */
export function streamInBackground(
  { parts, call, input, key }: BackgroundSend,
  write: EventWriter,
  headersOf: (sent: SendFacts & { roomId: string }) => Record<string, string>,
): Promise<Response> {
  const { facts, request, caller } = call;
  const { userId } = caller;
  const begin = () => parts.sender.detach(userId, input, key);
  // The request's body counts towards the send, not towards its stream.
  const itself = { takeAtEnd: () => () => undefined };
  return parts.streams.open(userId, request, itself, write, async (body) => {
    const { send, isNew, ...sent } = await parts.streams.detachInStream(userId, facts, begin);
    send.follow(body);
    const over = facts.streams();
    // The charge is logged with the request that began the send.
    if (isNew) void send.ended.then(over);
    else body.whenEnded(over);
    return body.response(headersOf({ ...sent, roomId: send.roomId }));
  });
}
