import { ChunkReader } from '../../../src/providers/openai/answer.ts';
import { canaryKey } from '../fixtures.ts';
import { conformance } from './suite.ts';

conformance({
  kind: 'openai',
  folder: 'openai',
  files: {
    'tool-calls.json': 'openai/tool-calls-two.json',
    'no-usage.json': 'openai/text-no-usage.json',
  },
  setup: (origin) => ({ baseUrl: `${origin}/v1`, options: {} }),
  path: { plain: '/v1/chat/completions', stream: '/v1/chat/completions' },
  headers: { authorization: `Bearer ${canaryKey}`, 'content-type': 'application/json' },
  streamFields: { stream: true, stream_options: { include_usage: true } },
  usage: {
    text: { promptTokens: 19, completionTokens: 10, totalTokens: 29 },
    stream: { promptTokens: 19, completionTokens: 4, totalTokens: 23 },
  },
  answeringModel: { text: 'gpt-4.1-2025-04-14', stream: 'gpt-4o-mini' },
  seed: 7,
  refusalUsage: {
    plain: { promptTokens: 81, completionTokens: 11, totalTokens: 92 },
    stream: { promptTokens: 30, completionTokens: 5, totalTokens: 35 },
  },
  // The usage and the end marker.
  spareEvents: 2,
  toolCalls: 'several',
  errorBody: (status) => ({ error: { message: `scripted ${status}`, type: 'scripted' } }),
  reader: () => new ChunkReader({ seed: null, warnings: [] }, undefined),
  streamError: 'stream-error.sse',
});
