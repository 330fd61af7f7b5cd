/** Paths, methods and fields under /v1, as any HTTP client sees them. */
import { describe, expect, test } from 'bun:test';
import { anthropicEndpoints } from '../../src/http/anthropic/messages.ts';
import { openAiEndpoints } from '../../src/http/openai/endpoints.ts';
import { openGateway } from '../support/gateway.ts';
import { clientWorld } from './caller.ts';

const world = clientWorld();
const messages = [{ role: 'user', content: 'Hi' }];

interface ErrorBody {
  status: number;
  allow: string | null;
  body: { error?: { message: string; param?: string | null }; type?: string };
}

async function call(path: string, init: RequestInit = {}): Promise<ErrorBody> {
  const response = await fetch(world().origin + path, init);
  const body = (await response.json()) as ErrorBody['body'];
  return { status: response.status, allow: response.headers.get('allow'), body };
}

async function post(path: string, body: object, headers: Record<string, string> = {}) {
  const { dial } = await world().caller();
  return call(path, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${dial.key}`,
      ...headers,
    },
  });
}

describe('under /v1', () => {
  test("an unknown path is an error in the dialect's shape", async () => {
    for (const path of ['/v1', '/v1/', '/v1/nothing', '/v1/v1/chat/completions', '/v1/files/x']) {
      for (const method of ['GET', 'POST', 'DELETE']) {
        const { status, body } = await call(path, { method });
        expect([path, status, body.error?.message.length]).toEqual([path, 404, expect.any(Number)]);
      }
    }
    const { status, body } = await call('/v1/files', {
      headers: { 'anthropic-version': '2026-10-21' },
    });
    expect([status, body]).toMatchObject([
      404,
      { type: 'error', error: { type: 'not_found_error' } },
    ]);
  });

  test('the error for an unknown path names every endpoint, and nothing else', async () => {
    const { body } = await call('/v1/nothing');
    const endpoints = [...openAiEndpoints, ...anthropicEndpoints].map(({ path }): string => path);
    expect(body.error?.message.match(/\/v1\/[a-z_/]+/g)).toEqual([
      '/v1/nothing',
      ...endpoints,
      '/v1/models',
    ]);
  });

  test('a path that lacks /v1 gets the one with it', async () => {
    for (const path of ['/chat/completions', '/models/', '/messages']) {
      const { status, body } = await call(path);
      const meant = `/v1${path.replace(/\/$/, '')}`;
      expect([status, body.error?.message]).toEqual([
        404,
        `there is nothing at this path: did you mean ${meant}?`,
      ]);
    }
  });

  test('the error blames the base URL only if the base URL is wrong', async () => {
    const messageAt = async (path: string) => (await call(path)).body.error?.message ?? '';
    for (const path of ['/v1', '/v1/v1/chat/completions']) {
      expect(await messageAt(path)).toContain('the base URL of OpenAI clients ends in /v1');
    }
    for (const path of ['/v1/audio/translations', '/v1/batches', '/v1/messages/batches']) {
      const message = await messageAt(path);
      expect(message).not.toContain('base URL');
      expect(message).toContain(
        `there is nothing at ${path}: this gateway has /v1/chat/completions`,
      );
    }
  });

  test('another method is refused, and the error names the allowed ones', async () => {
    const posts = ['chat/completions', 'responses', 'images/generations', 'embeddings', 'messages'];
    for (const path of posts) {
      const { status, allow, body } = await call(`/v1/${path}`);
      expect([status, allow, body.error]).toMatchObject([405, 'POST', {}]);
    }
    const { status, allow } = await call('/v1/models', { method: 'POST' });
    expect([status, allow]).toEqual([405, 'GET']);
    const headers = { 'anthropic-version': '2023-06-01' };
    const anthropic = await call('/v1/models', { method: 'POST', headers });
    expect(anthropic).toMatchObject({ status: 405, allow: 'GET', body: { type: 'error' } });
  });

  test('a trailing slash changes nothing', async () => {
    expect((await post('/v1/chat/completions/', { model: 'mini', messages })).status).toBe(200);
    expect((await post('/v1/messages/', { model: 'mini', max_tokens: 5, messages })).status).toBe(
      200,
    );
    const { dial } = await world().caller();
    const headers = { authorization: `Bearer ${dial.key}` };
    expect(await call('/v1/models/', { headers })).toEqual(await call('/v1/models', { headers }));
    expect((await call('/v1/models/mini/', { headers })).status).toBe(200);
  });

  test('unknown fields are ignored; known ones that would change the answer are refused by name', async () => {
    const request = { model: 'mini', messages };
    const harmless = {
      store: false,
      metadata: {},
      service_tier: 'auto',
      safety_identifier: 'x',
      logit_bias: {},
      logprobs: false,
      modalities: ['text'],
      drop_me: 1,
      max_tokens: null,
    };
    expect((await post('/v1/chat/completions', { ...request, ...harmless })).status).toBe(200);
    const refused: [string, object][] = [
      ['top_logprobs', { top_logprobs: 3 }],
      ['logit_bias', { logit_bias: { 50256: -100 } }],
      ['n', { n: 129 }],
      ['modalities', { modalities: ['text', 'audio'] }],
      ['web_search_options', { web_search_options: {} }],
      ['verbosity', { verbosity: 'endless' }],
      ['tools.0.type', { tools: [{ type: 'retrieval' }] }],
      [
        'messages.0.content.0.type',
        { messages: [{ role: 'user', content: [{ type: 'input_audio' }] }] },
      ],
      ['messages.0.role', { messages: [{ role: 'wizard', content: 'x' }] }],
      ['max_tokens', { max_tokens: 100_000 }],
      ['max_completion_tokens', { max_completion_tokens: 100_000 }],
      ['model', { model: 'painter' }],
    ];
    for (const [param, change] of refused) {
      const { status, body } = await post('/v1/chat/completions', { ...request, ...change });
      expect([param, status, body.error?.param]).toEqual([param, 400, param]);
    }
    const image = { model: 'painter', prompt: 'x' };
    for (const [param, change] of [
      ['n', { n: 2 }],
      ['background', { background: 'transparent' }],
      ['model', { model: 'mini' }],
      ['prompt', { prompt: '' }],
    ] as const) {
      const { status, body } = await post('/v1/images/generations', { ...image, ...change });
      expect([param, status, body.error?.param]).toEqual([param, 400, param]);
    }
    const tokens = { model: 'scripted/scripted-embedder', input: [1, -2, 3] };
    expect(await post('/v1/embeddings', tokens)).toMatchObject({
      status: 400,
      body: { error: { param: 'input.1' } },
    });
  });

  test('pages of listed origins may call, and read errors', async () => {
    const origin = 'https://app.test';
    await using gateway = await openGateway('sqlite', { env: { ZASTAVA_CORS_ORIGINS: origin } });
    const asPreflight = { origin, 'access-control-request-method': 'POST' };
    for (const path of ['/v1/chat/completions', '/v1/messages', '/v1/nothing']) {
      const preflight = await gateway.fetch(path, { method: 'OPTIONS', headers: asPreflight });
      const answer = await gateway.fetch(path, { method: 'POST', headers: { origin } });
      expect([preflight.status, answer.status >= 400]).toEqual([204, true]);
      for (const { headers } of [preflight, answer]) {
        expect(headers.get('access-control-allow-origin')).toBe(origin);
      }
      // SDKs in a web page see no other headers.
      const seen = answer.headers.get('access-control-expose-headers')?.split(',');
      expect(seen).toEqual(
        expect.arrayContaining([
          'x-should-retry',
          'retry-after',
          'request-id',
          'x-request-id',
          'ratelimit',
          'x-ratelimit-remaining-tokens',
          'anthropic-ratelimit-requests-reset',
        ]),
      );
    }
  });

  test("a field that the provider cannot take is refused in the dialect's terms", async () => {
    const format = { model: 'sandbox-text', messages, response_format: { type: 'json_object' } };
    expect((await post('/v1/chat/completions', format)).body.error?.param).toBe('response_format');
    const text = { model: 'sandbox-text', input: 'x', text: { format: { type: 'json_object' } } };
    expect((await post('/v1/responses', text)).body.error?.param).toBe('text.format');
    const stream = await post('/v1/chat/completions', { ...format, stream: true });
    expect([stream.status, stream.body.error?.param]).toEqual([400, 'response_format']);
  });
});
