import { z } from 'zod';

/** The beginning and the end of a stream. */
const streamExamples: Readonly<Record<string, string>> = {
  '/v1/chat/completions':
    'data: {"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"Hel"}}],…}\n\ndata: [DONE]\n\n',
  '/v1/responses':
    'event: response.output_text.delta\ndata: {"type":"response.output_text.delta","delta":"Hel",…}\n\nevent: response.completed\ndata: {…}\n\n',
  '/v1/messages':
    'event: content_block_delta\ndata: {"type":"content_block_delta","delta":{"type":"text_delta","text":"Hel"},…}\n\nevent: message_stop\ndata: {"type":"message_stop"}\n\n',
};

export function streamContent(path: string) {
  return { schema: z.string(), example: streamExamples[path] ?? 'data: {…}\n\n' };
}
