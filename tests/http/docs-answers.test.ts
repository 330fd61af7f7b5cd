/** The OpenAPI document's answers compared with real ones: bodies, errors and headers. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import {
  type Document,
  type Json,
  readDocument,
  requestContent,
  undescribed,
} from '../support/openapi.ts';
import { tinyPng } from '../support/scripted-provider.ts';
import { openWorld, type Chatter, type World } from '../support/world.ts';
import { nativeRequests, withoutRequest } from './native-requests.ts';

const TEXT = 'scripted/scripted-text';
const IMAGE = 'scripted/scripted-image';
const messages = [{ role: 'user', content: 'Hi' }];
const dot = `data:image/png;base64,${tinyPng.toString('base64')}`;
/** A request body for each POST under `/v1` that sends. */
const sends: Record<string, Json> = {
  '/v1/chat/completions': { model: TEXT, messages, max_tokens: 10 },
  '/v1/completions': { model: TEXT, prompt: 'Hi', max_tokens: 10 },
  '/v1/responses': { model: TEXT, input: 'Hi', max_output_tokens: 10 },
  '/v1/responses/compact': { model: TEXT, input: 'Hi' },
  '/v1/images/generations': { model: IMAGE, prompt: 'A red dot' },
  '/v1/images/edits': { model: IMAGE, prompt: 'A red dot', images: [{ image_url: dot }] },
  '/v1/embeddings': { model: TEXT, input: ['Hi', 'there'] },
  '/v1/messages': { model: TEXT, messages, max_tokens: 10 },
};

let world: World;
let alice: Chatter;
let admin: Chatter;
let document: Document;
/** Documented paths that answered a request with success. */
const succeeded = new Set<string>();

beforeAll(async () => {
  // The fetcher of the trust check connects to no private address, so a check needs no network.
  const inside = 'example.com:80=127.0.0.1:80,example.com:443=127.0.0.1:443';
  const env = { ZASTAVA_FETCH_RESOLVE: inside, ZASTAVA_REGISTRATION: 'open' };
  world = await openWorld('sqlite', { env });
  alice = await world.user();
  admin = await world.user({ isAdmin: true });
  document = await readDocument(await world.gateway.fetch('/openapi.json'));
});
afterAll(() => world[Symbol.asyncDispose]());

interface RequestOptions {
  method?: string;
  token?: string | undefined;
  headers?: Record<string, string>;
}

/**
 * Sends a request, and expects its response as documented.
 * @returns the response
 */
async function described(
  path: string,
  body: Json | undefined,
  { token, headers, method = body === undefined ? 'GET' : 'POST' }: RequestOptions = {},
) {
  const response = await world.gateway.fetch(path, {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
  const answer = {
    status: response.status,
    headers: response.headers,
    body: (isJson ? await response.json() : await response.text()) as Json,
  };
  const known = path
    .replace(/\?.*$/, '')
    .replace(/^(\/v1\/models\/).*/, '$1{model}')
    .replace(/^(\/v1\/responses\/)resp_\w+/, '$1{response_id}');
  if (answer.status === 200) succeeded.add(known);
  const operation = document.paths[known]?.[method.toLowerCase()];
  const wrong = undescribed(document, operation, answer);
  expect([path, answer.status, wrong, wrong.length && answer.body]).toEqual([
    path,
    answer.status,
    [],
    0,
  ]);
  return answer;
}

/** A user with these limits. */
async function limited(limits: Json, credit = 100): Promise<Chatter> {
  const user = await world.user({ credit });
  await world.gateway.data('/admin/users/quota/', { login: user.login, ...limits }, admin);
  return user;
}

const errorOf = ({ body }: { body: Json }) => body['error'] as Json;

describe('the OpenAPI document describes', () => {
  test('the answers of the native interface', async () => {
    for (const [path, body, token, headers] of await nativeRequests(world, alice, admin)) {
      await described(path, body, { token, ...(headers && { headers }) });
    }
    const native = Object.keys(document.paths).filter((path) => !path.startsWith('/v1/'));
    // A request of native-requests.ts is only needed where a user gets no answer to the document's example.
    for (const path of native.filter((each) => !succeeded.has(each) && !(each in withoutRequest))) {
      const example = requestContent(document, path)?.example as Json;
      await described(path, example, { token: alice.token });
    }
    expect(native.filter((path) => !succeeded.has(path))).toEqual(Object.keys(withoutRequest));
  });

  test('the answers under /v1, also to a user with limits', async () => {
    const free = await limited({
      requests_per_minute: 100,
      tokens_per_minute: 1_000_000,
      rubles_per_day: 50,
    });
    for (const [path, body] of Object.entries(sends)) {
      for (const { token } of [alice, free]) {
        const { status, headers } = await described(path, body, { token });
        expect([path, status]).toEqual([path, 200]);
        expect(headers.has('ratelimit')).toBe(token === free.token);
      }
      const streams = document.paths[path]?.['post']?.responses['200']?.content;
      if (streams?.['text/event-stream']) {
        await described(path, { ...body, stream: true }, { token: free.token });
      }
      await described(path, { ...body, model: 'none' }, { token: alice.token });
      await described(path, {}, { token: alice.token });
      await described(path, body);
    }
    const thread = { ...sends['/v1/messages'], thread: { id: 'x' } };
    await described('/v1/messages', thread, { token: alice.token });
    const { max_tokens: _, ...counted } = sends['/v1/messages'] ?? {};
    await described('/v1/messages/count_tokens', counted, alice);
    await described('/v1/messages/count_tokens', { ...counted, model: 'none' }, alice);
    for (const headers of [{}, { 'anthropic-version': '2023-06-01' }] as Record<string, string>[]) {
      for (const path of ['/v1/models', `/v1/models/${TEXT}`, '/v1/models/none']) {
        await described(path, undefined, { token: alice.token, headers });
      }
      await described('/v1/models', undefined, { headers });
      for (const query of ['?limit=1', '?limit=0', '?after_id=none']) {
        await described(`/v1/models${query}`, undefined, { token: alice.token, headers });
      }
    }
    const created = await described('/v1/responses', sends['/v1/responses'], alice);
    for (const id of [String(created.body['id']), 'resp_none']) {
      for (const path of [`/v1/responses/${id}`, `/v1/responses/${id}/input_items`]) {
        await described(path, undefined, alice);
        await described(path, undefined);
      }
      await described(`/v1/responses/${id}/input_items?limit=0`, undefined, alice);
      await described(`/v1/responses/${id}/cancel`, {}, alice);
      await described(`/v1/responses/${id}`, undefined, { token: alice.token, method: 'DELETE' });
    }
    const compatible = Object.keys(document.paths).filter((path) => path.startsWith('/v1/'));
    // Audio is not JSON: speech.test.ts and transcriptions.test.ts cover it. No response can be cancelled.
    const others = [
      '/v1/audio/speech',
      '/v1/audio/transcriptions',
      '/v1/responses/{response_id}/cancel',
    ];
    expect(compatible.filter((path) => !succeeded.has(path))).toEqual(others);
  });

  test('answers that are stored for an Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'once' };
    const credit = { login: alice.login, amount: '1', reason: 'a gift' };
    const requests: [string, Json, Chatter][] = [
      ['/ai/send/', { room_id: alice.room, ai: 101, message: 'Hi' }, alice],
      ['/admin/users/credit/', credit, admin],
      ...Object.entries(sends).map(([path, body]): [string, Json, Chatter] => [path, body, alice]),
    ];
    for (const [path, body, { token }] of requests) {
      await described(path, body, { token, headers });
      const again = await described(path, body, { token, headers });
      expect([path, again.headers.get('idempotent-replayed')]).toEqual([path, 'true']);
    }
  });

  test('what errors say about money and limits, in every dialect', async () => {
    const poor = await world.user({ credit: 0 });
    const soon = await limited({ tokens_per_minute: 200 });
    const later = await limited({ rubles_per_day: '0.02' });
    const once = await limited({ requests_per_minute: 1 });
    await once.send();
    await soon.send({ max_output_tokens: 20 });
    await later.send({ max_output_tokens: 20 });
    const bodies: Record<string, (user: Chatter, cap: number) => Json> = {
      '/ai/send/': ({ room }, max_output_tokens) => ({
        room_id: room,
        ai: 101,
        message: 'Hi',
        max_output_tokens,
      }),
      '/v1/chat/completions': (_, max_tokens) => ({ model: TEXT, messages, max_tokens }),
      '/v1/messages': (_, max_tokens) => ({ model: TEXT, messages, max_tokens }),
    };
    for (const [path, bodyFor] of Object.entries(bodies)) {
      const send = (user: Chatter, cap: number) => described(path, bodyFor(user, cap), user);
      const broke = errorOf(await send(poor, 10));
      expect([path, Object.keys(broke)]).toEqual([path, expect.arrayContaining(['needed'])]);
      expect(broke).toMatchObject({ code: 'insufficient_funds', available: 0 });
      const full = await send(once, 10);
      expect(errorOf(full)).toMatchObject({ limit: 'requests_per_minute', left: 0 });
      expect(Number(full.headers.get('retry-after'))).toBeGreaterThan(0);
      const tokens = errorOf(await send(soon, 175));
      expect(tokens).toMatchObject({ limit: 'tokens_per_minute', left: expect.any(Number) });
      expect(tokens['max_output_tokens']).toBeGreaterThan(0);
      const day = await send(later, 40);
      expect(errorOf(day)).toMatchObject({ limit: 'rubles_per_day' });
    }
  });

  test('the answer to a send whose provider fails', async () => {
    const user = await limited({ requests_per_minute: 1_000 });
    const native = { room_id: user.room, ai: 101, message: 'Hi' };
    const bodies = { '/ai/send/': native, ...sends } as Record<string, Json>;
    try {
      for (const fault of ['503', '400', 'bad_json'] as const) {
        await world.provider.script(fault);
        for (const [path, body] of Object.entries(bodies)) {
          const { status, headers } = await described(path, body, user);
          expect([path, status >= 400, headers.has('ratelimit')]).toEqual([path, true, true]);
        }
      }
    } finally {
      await world.provider.script({});
    }
  });

  test('refusals of the HTTP layer', async () => {
    const requests: [string, RequestInit, number][] = [
      ['/ai/send/', { method: 'PUT' }, 405],
      ['/v1/chat/completions', { method: 'PUT' }, 405],
      ['/v1/messages', { method: 'PUT' }, 405],
      ['/ai/send/', { method: 'POST', body: 'x', headers: { 'content-type': 'text/plain' } }, 415],
      ['/v1/messages', { method: 'POST', body: '{' }, 400],
    ];
    for (const [path, { headers, ...init }, status] of requests) {
      const response = await world.gateway.fetch(path, {
        ...init,
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${alice.token}`,
          ...(headers as Record<string, string> | undefined),
        },
      });
      const answer = { status, headers: response.headers, body: await response.json() };
      expect([path, response.status]).toEqual([path, status]);
      const operation = document.paths[path]?.['post'];
      expect([path, status, undescribed(document, operation, answer)]).toEqual([path, status, []]);
    }
  });

  test('a count of tokens without provider errors or costs', () => {
    const count = document.paths['/v1/messages/count_tokens']?.['post'];
    const statuses = Object.keys(count?.responses ?? {}).map(Number);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([
      200, 400, 401, 403, 404, 405, 413, 415, 500, 503,
    ]);
    expect(count?.responses['503']?.description).toBe('overloaded');
    expect(count?.responses['200']?.headers).not.toHaveProperty('X-Room-Id');
    expect(count?.description).toContain('holds, charges and records nothing');
  });

  test('that a GET may be answered by a busy or broken server', () => {
    for (const path of ['/v1/models', '/v1/models/{model}']) {
      const { responses } = document.paths[path]?.['get'] ?? {};
      expect([path, responses?.['500']?.description]).toEqual([path, 'internal_error']);
      expect([path, responses?.['503']?.description]).toEqual([path, 'overloaded']);
      expect(Object.keys(responses ?? {}).includes('404')).toBe(path.endsWith('{model}'));
    }
  });
});
