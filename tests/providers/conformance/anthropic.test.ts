import { MessageReader } from '../../../src/providers/anthropic/answer.ts';
import { canaryKey } from '../fixtures.ts';
import { conformance } from './suite.ts';

conformance({
  kind: 'anthropic',
  folder: 'anthropic',
  setup: (origin) => ({ baseUrl: `${origin}/v1`, options: {} }),
  path: { plain: '/v1/messages', stream: '/v1/messages' },
  headers: {
    'x-api-key': canaryKey,
    'anthropic-version': '2023-06-01',
    'content-type': 'application/json',
  },
  streamFields: { stream: true },
  usage: {
    text: {
      promptTokens: 19,
      completionTokens: 10,
      cachedTokens: 4,
      cacheWriteTokens: 3,
      reasoningTokens: 6,
    },
    stream: {
      promptTokens: 19,
      completionTokens: 4,
      cachedTokens: 4,
      cacheWriteTokens: 3,
      reasoningTokens: 2,
    },
  },
  answeringModel: { text: 'claude-sonnet-5', stream: 'claude-sonnet-5' },
  seed: null,
  refusalUsage: {
    plain: { promptTokens: 81, completionTokens: 11 },
    stream: { promptTokens: 30, completionTokens: 5 },
  },
  // `message_stop` adds nothing to `message_delta`.
  spareEvents: 1,
  toolCalls: 'several',
  errorBody: (status) => ({
    type: 'error',
    error: { type: 'api_error', message: `scripted ${status}` },
  }),
  reader: () => new MessageReader({ seed: null, warnings: [] }, undefined),
  streamError: 'stream-error.sse',
});
