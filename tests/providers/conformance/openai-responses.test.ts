import { KeptCalls } from '../../../src/providers/openai/kept-calls.ts';
import { ResponseReader } from '../../../src/providers/openai/responses/answer.ts';
import { canaryKey } from '../fixtures.ts';
import { conformance } from './suite.ts';

conformance({
  kind: 'openai',
  name: 'openai, its Responses API,',
  folder: 'openai-responses',
  setup: (origin) => ({ baseUrl: `${origin}/v1`, options: { api: 'responses' } }),
  path: { plain: '/v1/responses', stream: '/v1/responses' },
  headers: { authorization: `Bearer ${canaryKey}`, 'content-type': 'application/json' },
  streamFields: { stream: true },
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
      cachedTokens: 0,
      reasoningTokens: 2,
    },
  },
  answeringModel: { text: 'gpt-6.1-sol', stream: 'gpt-6.1-sol' },
  seed: null,
  refusalUsage: {
    plain: {
      promptTokens: 81,
      completionTokens: 11,
      totalTokens: 92,
      cachedTokens: 0,
      reasoningTokens: 0,
    },
    stream: {
      promptTokens: 30,
      completionTokens: 5,
      totalTokens: 35,
      cachedTokens: 0,
      reasoningTokens: 0,
    },
  },
  spareEvents: 0,
  toolCalls: 'several',
  errorBody: (status) => ({ error: { message: `scripted ${status}`, type: 'scripted' } }),
  reader: () => {
    const sent = { seed: null, warnings: [], model: 'model-1', kept: new KeptCalls() };
    return new ResponseReader(sent, undefined);
  },
  streamError: 'stream-error.sse',
});
