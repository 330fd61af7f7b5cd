import { ResponseReader } from '../../../src/providers/gemini/answer.ts';
import { SignatureStore } from '../../../src/providers/gemini/signatures.ts';
import { canaryKey } from '../fixtures.ts';
import { conformance } from './suite.ts';

conformance({
  kind: 'gemini',
  folder: 'gemini',
  setup: (origin) => ({ baseUrl: `${origin}/v1beta`, options: {} }),
  path: {
    plain: '/v1beta/models/model-1:generateContent',
    stream: '/v1beta/models/model-1:streamGenerateContent?alt=sse',
  },
  headers: { 'x-goog-api-key': canaryKey, 'content-type': 'application/json' },
  streamFields: {},
  usage: {
    text: {
      promptTokens: 19,
      completionTokens: 10,
      totalTokens: 29,
      cachedTokens: 4,
      reasoningTokens: 6,
    },
    stream: {
      promptTokens: 19,
      completionTokens: 4,
      totalTokens: 23,
      cachedTokens: 4,
      reasoningTokens: 2,
    },
  },
  answeringModel: { text: 'gemini-3.8-flash', stream: 'gemini-3.8-flash' },
  seed: 7,
  refusalUsage: {
    plain: { promptTokens: 81, completionTokens: 0, totalTokens: 81 },
    stream: { promptTokens: 30, completionTokens: 0, totalTokens: 30 },
  },
  spareEvents: 0,
  toolCalls: 'several',
  errorBody: (status) => ({
    error: { code: status, message: `scripted ${status}`, status: 'UNKNOWN' },
  }),
  reader: () =>
    new ResponseReader({
      sent: { seed: null, warnings: [] },
      signatures: new SignatureStore(),
      secret: undefined,
    }),
  streamError: 'stream-error.sse',
});
