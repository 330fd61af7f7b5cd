import type { Catalogue } from '../../catalogue/index.ts';
import type { IdempotencyKey, Sender, SendInput, StreamEvent } from '../../chat/index.ts';
import { errorObject } from '../errors.ts';
import { REPLAYED_HEADER } from '../request-facts.ts';
import type { UserCall } from '../operation.ts';
import { EventBody, type EventWriter } from '../event-stream.ts';
import { rateLimitHeaders } from '../rate-limit-headers.ts';
import { sendResultView } from './send-schemas.ts';

/** Answers a send as `text/event-stream`. Refusals before the provider is called are plain errors. */
export async function streamResponse(
  sender: Sender,
  catalogue: Catalogue,
  { request, facts, caller }: UserCall,
  input: SendInput,
  key: IdempotencyKey | undefined,
): Promise<Response> {
  const body = new EventBody(request, writer(catalogue, facts.requestId));
  const { quotas, replayed } = await sender.stream(caller.userId, input, key, body);
  return body.response({
    ...rateLimitHeaders(quotas),
    ...(replayed && { [REPLAYED_HEADER]: 'true' }),
  });
}

function writer(catalogue: Catalogue, requestId: string): EventWriter {
  return async (event) => {
    // The native interface names the model that answered in its last event.
    if (event.type === 'served') return '';
    const { name, data } = await eventView(event, catalogue, requestId);
    return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
  };
}

async function eventView(
  event: Exclude<StreamEvent, { type: 'served' }>,
  catalogue: Catalogue,
  requestId: string,
): Promise<{ name: string; data: unknown }> {
  switch (event.type) {
    case 'start':
      return { name: 'start', data: { room_id: event.roomId, id: event.id } };
    case 'delta':
      return { name: 'delta', data: { text: event.text } };
    case 'tool_call': {
      const { index, id, name: tool, arguments: args } = event;
      return { name: 'tool_call', data: { index, id, name: tool, arguments: args } };
    }
    case 'done':
      return { name: 'done', data: await sendResultView(catalogue, event.result) };
    case 'error': {
      const error = errorObject(event.error);
      return { name: 'error', data: { ...error, request_id: requestId } };
    }
  }
}
