import { CompletionReader } from '../../../src/providers/gigachat/answer.ts';
import { conformance } from './suite.ts';

const TOKEN = 'access-token-of-the-test';

conformance({
  kind: 'gigachat',
  folder: 'gigachat',
  setup: (origin) => ({
    baseUrl: `${origin}/api/v1`,
    options: { auth_url: `${origin}/api/v2/oauth` },
  }),
  serve: ({ path }) => {
    if (path !== '/api/v2/oauth') return undefined;
    const expires_at = Date.now() + 1_800_000;
    return { body: JSON.stringify({ access_token: TOKEN, expires_at }) };
  },
  path: { plain: '/api/v1/chat/completions', stream: '/api/v1/chat/completions' },
  headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
  streamFields: { stream: true },
  usage: {
    text: { promptTokens: 19, completionTokens: 10, totalTokens: 29 },
    stream: { promptTokens: 19, completionTokens: 4, totalTokens: 23 },
  },
  answeringModel: { text: 'GigaChat-2:2.0.28.2', stream: 'GigaChat-2:2.0.28.2' },
  seed: null,
  refusalUsage: {
    plain: { promptTokens: 81, completionTokens: 11, totalTokens: 92 },
    stream: { promptTokens: 30, completionTokens: 5, totalTokens: 35 },
  },
  spareEvents: 1,
  toolCalls: 'one',
  renewsToken: true,
  errorBody: (status) => ({ status, message: `scripted ${status}` }),
  reader: () => new CompletionReader({ seed: null, warnings: [] }, undefined),
});
