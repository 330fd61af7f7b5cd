import { createParser } from 'eventsource-parser';
import { ApiError, type Body, type CallOptions, post } from './client.ts';
import type { SendResult } from './types.ts';

/** An event of a streamed send. */
export type SendEvent =
  | { type: 'start'; data: { room_id: string; id: number } }
  | { type: 'delta'; data: { text: string } }
  | { type: 'done'; data: SendResult }
  | { type: 'error'; data: { code: string; message: string; request_id?: string } };

/**
 * Sends a message, and yields the events of its answer as they arrive.
 * @throws ApiError for a refusal, and `offline` for a stream that breaks before its end
 */
export async function* streamSend(
  body: Body<'/ai/send/'>,
  options: CallOptions,
): AsyncGenerator<SendEvent> {
  const response = await post('/ai/send/', { ...body, stream: true }, options);
  const waiting: SendEvent[] = [];
  const parser = createParser({
    onEvent: ({ event, data }) =>
      waiting.push({ type: event, data: JSON.parse(data) as unknown } as SendEvent),
  });
  const decoder = new TextDecoder();
  const reader = response.body?.getReader();
  for (let isOver = reader === undefined; !isOver;) {
    const piece = await reader?.read().catch((error: unknown) => broken(error, options));
    parser.feed(decoder.decode(piece?.value, { stream: piece?.done !== true }));
    for (const event of waiting.splice(0)) {
      yield event;
      if (event.type === 'done' || event.type === 'error') return;
    }
    isOver = piece?.done ?? true;
  }
  throw new ApiError('offline', 'the connection broke');
}

function broken(error: unknown, { signal }: CallOptions): never {
  if (signal?.aborted) throw error;
  throw new ApiError('offline', 'the connection broke');
}
