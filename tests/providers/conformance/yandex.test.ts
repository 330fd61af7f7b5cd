import { ChunkReader } from '../../../src/providers/openai/answer.ts';
import { canaryKey } from '../fixtures.ts';
import { conformance } from './suite.ts';

conformance({
  kind: 'yandex',
  // Its texts use OpenAI's dialect.
  folder: 'openai',
  files: {
    'requests.json': 'yandex/requests.json',
    'tool-calls.json': 'openai/tool-calls-two.json',
    'no-usage.json': 'openai/text-no-usage.json',
  },
  setup: (origin) => ({
    baseUrl: `${origin}/v1`,
    options: { folder: 'b1gfolder', image_base_url: origin },
  }),
  path: { plain: '/v1/chat/completions', stream: '/v1/chat/completions' },
  headers: {
    authorization: `Api-Key ${canaryKey}`,
    'openai-project': 'b1gfolder',
    'content-type': 'application/json',
  },
  streamFields: { stream: true },
  usage: {
    text: { promptTokens: 19, completionTokens: 10, totalTokens: 29 },
    stream: { promptTokens: 19, completionTokens: 4, totalTokens: 23 },
  },
  answeringModel: { text: 'gpt-4.1-2025-04-14', stream: 'gpt-4o-mini' },
  seed: null,
  refusalUsage: {
    plain: { promptTokens: 81, completionTokens: 11, totalTokens: 92 },
    stream: { promptTokens: 30, completionTokens: 5, totalTokens: 35 },
  },
  spareEvents: 2,
  toolCalls: 'several',
  errorBody: (status) => ({ error: { message: `scripted ${status}`, code: status } }),
  reader: () => new ChunkReader({ seed: null, warnings: [] }, undefined),
  streamError: 'stream-error.sse',
});
