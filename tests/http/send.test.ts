/** Rules of models and sends that the specification leaves open. The `spec-` tests cover the specification. */
import { describe, expect, test } from 'bun:test';
import { BREAKER_FAILURES, BREAKER_OPEN_MS } from '../../src/providers/routing/breaker.ts';
import { stillClock } from '../support/clock.ts';
import { dialects } from '../support/databases.ts';
import { openWorld, sharedWorld, type ModelJson, type ModelLine } from '../support/world.ts';

const models: ModelLine[] = [
  { id: 101, fallbacks: [] },
  { id: 103, model: 'scripted-image', type: 'IMAGE', is_chat_mode_allowed: 0 },
  { id: 104, model: 'no-chat', is_chat_mode_allowed: 0 },
  { id: 105, model: 'warm', min_temperature: 0.5, max_temperature: 1, max_output_tokens: 50 },
  { id: 106, model: 'requested', fallbacks: [107, 108] },
  { id: 107, model: 'first-fallback', is_chat_mode_allowed: 0 },
  { id: 108, model: 'second-fallback', max_output_tokens: 20 },
  { id: 109, model: 'short-input', max_input_tokens: 40 },
  { id: 110, model: 'Тест', description: 'Имя 😀', model_alias: 'mini', cost_tokens_per: 1000 },
  {
    id: 111,
    model: 'unpriced',
    cost_input_tokens_rub: undefined,
    cost_output_tokens_rub: undefined,
    cost_input_fix_rub: undefined,
    cost_output_fix_rub: undefined,
  },
];

for (const dialect of dialects) {
  describe(`${dialect}: models`, () => {
    const world = sharedWorld(dialect, { models });
    const list = async (token: string) =>
      (await world().gateway.data<{ ai: ModelJson[] }>('/ai/settings/', {}, { token })).ai;

    test('are listed by id, with prices in rubles per 1,000,000 tokens', async () => {
      const { token } = await world().gateway.addUser();
      const listed = await list(token);
      expect(listed.map(({ id }) => id)).toEqual([
        1, 2, 101, 103, 104, 105, 106, 107, 108, 109, 110,
      ]);
      for (const model of listed) {
        expect(model).toMatchObject({ cost_tokens_unit: 1_000_000, currency: 'RUB' });
      }
      expect(listed.at(-1)).toMatchObject({
        id: 110,
        code: 'scripted',
        model: 'Тест',
        description: 'Имя 😀',
        model_alias: 'mini',
        cost_input_tokens_rub: 133_333.333,
        cost_output_tokens_rub: 266_666.667,
      });
    });

    test('without a price are for admins only', async () => {
      const { gateway, user } = world();
      const admin = await user({ isAdmin: true, credit: 0 });
      const alice = await user();
      expect((await list(admin.token)).at(-1)).toMatchObject({ id: 111, priced: false });
      expect(await alice.code({ ai: 111 })).toBe('model_not_found');
      expect(await alice.code({ ai: 999 })).toBe('model_not_found');
      const body = { room_id: alice.room, ai: 111, message: 'Hi' };
      expect(await gateway.code('/ai/estimate/', body, alice)).toBe('model_not_found');
      expect(await admin.send({ ai: 111 })).toMatchObject({ cost_request: 0, cost_response: 0 });
    });
  });

  describe(`${dialect}: send`, () => {
    const world = sharedWorld(dialect, { models });

    test('a number that JSON cannot hold is refused', async () => {
      const { gateway, user } = world();
      const alice = await user();
      for (const field of ['seed', 'temperature', 'max_output_tokens', 'chat_depth', 'ai']) {
        const text = JSON.stringify({ room_id: alice.room, ai: 101, message: 'Hi', [field]: 'N' });
        for (const number of ['1e999', '-1e999']) {
          const { body } = await gateway.post('/ai/send/', text.replace('"N"', number), alice);
          expect(body.error?.details?.[0]?.path).toBe(field);
        }
      }
    });

    test('null counts as absent in optional fields', async () => {
      const nothing = { system_prompt: null, chat_depth: null, max_output_tokens: null };
      const more = { temperature: null, seed: null, stream: null };
      const alice = await world().user();
      expect((await alice.send({ ...nothing, ...more })).warnings).toEqual([]);
    });

    test('the provider gets what was requested, and nothing else', async () => {
      const { provider, user } = world();
      const alice = await user();
      await alice.send({ message: 'Hi' });
      expect(provider.calls.at(-1)).toMatchObject({
        path: '/v1/chat/completions',
        headers: { authorization: 'Bearer sk-scripted' },
      });
      expect(provider.calls.at(-1)?.body).toEqual({
        model: 'scripted-text',
        messages: [{ role: 'user', content: 'Hi' }],
        max_tokens: 1_000,
      });
      const all = { system_prompt: 'Be brief', max_output_tokens: 7, temperature: 0.3, seed: 42 };
      await alice.send({ message: 'Hi', ...all });
      expect(provider.calls.at(-1)?.body).toEqual({
        model: 'scripted-text',
        messages: [
          { role: 'system', content: 'Be brief' },
          { role: 'user', content: 'Hi' },
        ],
        max_tokens: 7,
        temperature: 0.3,
        seed: 42,
      });
    });

    test('an unsupported seed is named in the warnings', async () => {
      const { provider, user } = world();
      const alice = await user();
      const sent = await alice.send({ seed: 0.5 });
      expect(sent.warnings).toEqual([expect.stringContaining('0.5')]);
      expect(sent.seed).toBeNull();
      expect(provider.calls.at(-1)?.body).not.toHaveProperty('seed');
      expect(await alice.send({ seed: -7 })).toMatchObject({ seed: -7, warnings: [] });
    });

    test('the answer has the extra fields', async () => {
      const alice = await world().user();
      await world().provider.script({ finishReason: 'length', id: 'answer-1' });
      const sent = await alice.send();
      await world().provider.script('good');
      expect(sent.usage).toEqual({
        prompt_tokens: 9,
        completion_tokens: 3,
        total_tokens: 12,
        source: 'provider',
      });
      expect(sent).toMatchObject({ finish_reason: 'length', context_used: 0, warnings: [] });
      expect(sent.balance).toBe((await alice.funds()).balance / 1e6);
      const [item] = await alice.history();
      expect(item?.message_id_reply).toBe('answer-1');
    });

    test('ids grow strictly within a room, also with concurrent sends', async () => {
      const alice = await world().user();
      const before = await alice.send();
      const sent = await Promise.all(Array.from({ length: 20 }, () => alice.send()));
      const ids = sent.map(({ id }) => id);
      expect(new Set(ids).size).toBe(20);
      expect(Math.min(...ids)).toBeGreaterThan(before.id);
      const after = await alice.send();
      expect(after.id).toBeGreaterThan(Math.max(...ids));
      const history = (await alice.history()).map(({ message_id }) => Number(message_id));
      expect(history).toEqual([before.id, ...ids.toSorted((a, b) => a - b), after.id]);
    });

    test('an image model answers with the URL of the stored image', async () => {
      const { gateway, provider, user } = world();
      const alice = await user();
      const sent = await alice.send({ ai: 103, message: 'a cat' });
      expect(provider.calls.at(-1)).toMatchObject({
        path: '/v1/images/generations',
        body: { model: 'scripted-image', prompt: 'a cat', n: 1 },
      });
      expect(sent.response).toMatch(/\/images\/[0-9a-f]{48}\.png$/);
      const image = await gateway.fetch(new URL(sent.response).pathname);
      expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/png']);
      expect((await alice.history()).at(-1)?.response).toBe(sent.response);
    });

    test('fields without effect on an image model are accepted in their range, and named', async () => {
      const alice = await world().user();
      const odd = { max_output_tokens: 5, temperature: 1, system_prompt: 'Be brief', seed: 3 };
      const { warnings } = await alice.send({ ai: 103, ...odd });
      expect(warnings).toHaveLength(4);
      for (const field of Object.keys(odd)) {
        expect(warnings.filter((warning) => warning.includes(field))).toHaveLength(1);
      }
    });

    test('fallbacks are tried in order, and `ai` names the one that answered', async () => {
      const { provider, user } = world();
      const alice = await user();
      await provider.script(({ body }) => (body['model'] === 'requested' ? '500' : 'good'));
      expect(await alice.send({ ai: 106 })).toMatchObject({ ai: { id: 107 } });
      await provider.script(({ body }) => (body['model'] === 'second-fallback' ? 'good' : '503'));
      expect(await alice.send({ ai: 106 })).toMatchObject({ ai: { id: 108 } });
      expect((await alice.history()).map(({ ai }) => ai.id)).toEqual([107, 108]);
      // A fallback that cannot take the request is skipped: it has no chat, or a cap below the requested one.
      await alice.send({ ai: 106, chat_depth: 1 });
      expect((await alice.history()).at(-1)?.ai.id).toBe(108);
      await provider.script('500');
      expect(await alice.code({ ai: 106 })).toBe('provider_error');
      await provider.script('good');
      expect(await alice.send({ ai: 106 })).toMatchObject({ ai: { id: 106 } });
    });

    test('refused content is not sent to another provider', async () => {
      const { provider, user } = world();
      const alice = await user();
      const error = { message: 'no', code: 'content_filter' };
      await provider.script({ status: 400, body: { error } });
      const calls = provider.calls.length;
      expect(await alice.code({ ai: 106 })).toBe('content_refused');
      expect(provider.calls.length).toBe(calls + 1);
      await provider.script('good');
    });

    test('a 5xx after the start of a provider call says not to repeat it', async () => {
      const { provider, user } = world();
      const alice = await user();
      await provider.script('500');
      const { status, headers } = await alice.trySend();
      await provider.script('good');
      expect([status, headers.get('x-should-retry')]).toEqual([502, 'false']);
    });
  });

  describe(`${dialect}: fallbacks of a provider that is down`, () => {
    const world = sharedWorld(dialect, {
      models: [
        { id: 101, provider: 'down', fallbacks: [102] },
        { id: 102, model: 'up' },
        { id: 103, provider: 'down' },
      ],
      providers: () => ({ down: { kind: 'openai', base_url: 'http://127.0.0.1:1/v1' } }),
    });

    test('the send succeeds while another provider answers', async () => {
      const alice = await world().user();
      expect(await alice.send()).toMatchObject({ ai: { id: 102 } });
    });

    test('a refused connection may be repeated, unless another provider was called', async () => {
      const { provider, user } = world();
      const alice = await user();
      const refused = await alice.trySend({ ai: 103 });
      expect(refused.body.error?.code).toBe('provider_unavailable');
      expect(refused.headers.get('x-should-retry')).toBeNull();
      await provider.script('500');
      const called = await alice.trySend({ ai: 101 });
      expect(called.status).toBeGreaterThanOrEqual(500);
      expect(called.headers.get('x-should-retry')).toBe('false');
    });
  });

  test(`${dialect}: an open breaker answers 503 without a call, and closes again`, async () => {
    const clock = stillClock();
    await using world = await openWorld(dialect, { clock });
    const { provider, user } = world;
    const alice = await user();
    await provider.script('reset');
    for (let i = 0; i < BREAKER_FAILURES; i++) expect(await alice.code()).toBe('provider_error');
    const { length } = provider.calls;
    await provider.script('good');
    for (const kind of [{}, { stream: true }, { stream: true, detached: true }]) {
      const { status, body, headers } = await alice.trySend(kind);
      expect([kind, status, body.error?.code]).toEqual([kind, 503, 'provider_unavailable']);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      expect(headers.get('x-should-retry')).toBeNull();
    }
    expect(provider.calls).toHaveLength(length);
    expect(await alice.funds()).toMatchObject({ balance: 100_000_000, held: 0 });
    clock.forward(BREAKER_OPEN_MS);
    expect((await alice.send()).response).toBe('echo: Hello');
  });
}
