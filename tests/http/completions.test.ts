/** `/v1/completions`: filling gaps for editors, and chats of older clients. */
import { describe, expect, test } from 'bun:test';
import { encode } from 'gpt-tokenizer/encoding/cl100k_base';
import { dialects } from '../support/databases.ts';
import { closed, expectBooksHold, micro, sharedWorld } from '../support/world.ts';

interface Completion {
  object: string;
  choices: { text: string; index: number; logprobs: unknown; finish_reason: string | null }[];
  usage: { cost: number; completion_tokens: number };
  error?: { param: string; code: string };
}

for (const dialect of dialects) {
  describe(`completions on ${dialect}`, () => {
    const world = sharedWorld(dialect, {
      models: [
        { id: 101 },
        { id: 105, model: 'coder', model_alias: 'coder', modality: 'completion' },
        { id: 106, provider: 'claude', model: 'claude-x', modality: 'completion' },
      ],
      providers: ({ baseUrl }) => ({
        claude: { kind: 'anthropic', base_url: baseUrl.replace('/v1', ''), api_key: 'sk-x' },
      }),
    });

    async function complete(
      more: object,
      headers: Record<string, string> = {},
      given?: { token: string },
    ) {
      const alice = await world().user();
      const body = { model: 'coder', prompt: 'a = ', max_tokens: 20, ...more };
      const { token } = given ?? alice;
      const answer = await world().gateway.post('/v1/completions', body, { token, headers });
      return { alice, status: answer.status, body: answer.body as unknown as Completion };
    }

    test('fill a gap, by the operation of the same name at the provider', async () => {
      const { alice, body } = await complete({ suffix: '\nprint(a)', stop: '\n', top_p: 0.5 });
      expect(body.object).toBe('text_completion');
      expect(body.choices).toEqual([
        { text: 'filled: a = |\nprint(a)', index: 0, logprobs: null, finish_reason: 'stop' },
      ]);
      const call = world().provider.calls.at(-1);
      expect(call?.path).toBe('/v1/completions');
      expect(call?.body).toMatchObject({
        model: 'coder',
        prompt: 'a = ',
        suffix: '\nprint(a)',
        max_tokens: 20,
        stop: ['\n'],
        top_p: 0.5,
      });
      expect(await alice.charges()).toEqual([micro(body.usage.cost)]);
      await expectBooksHold(world().gateway);
    });

    test('continue several texts, each with its number, for one charge', async () => {
      const { body, alice } = await complete({ prompt: ['a', 'b'], n: 2 });
      expect(body.choices.map(({ text, index }) => [text, index])).toEqual([
        ['filled: a|', 0],
        ['filled: a|', 1],
        ['filled: b|', 2],
        ['filled: b|', 3],
      ]);
      expect(world().provider.calls.at(-1)?.body).toMatchObject({ prompt: ['a', 'b'], n: 2 });
      expect(await alice.charges()).toHaveLength(1);
    });

    test('are held for at their cap, once for each answer', async () => {
      const poor = await world().user({ credit: 0.05 });
      // 100 output tokens cost 0.0267 ₽, the fixed prices are 0.003 ₽.
      expect((await complete({ prompt: ['a', 'b'], max_tokens: 100 }, {}, poor)).status).toBe(402);
      expect((await complete({ max_tokens: 100 }, {}, poor)).status).toBe(200);
    });

    test('take token numbers', async () => {
      const { body } = await complete({ prompt: encode('abc') });
      expect(body.choices[0]?.text).toBe('filled: abc|');
    });

    test('stream', async () => {
      const alice = await world().user();
      const request = {
        model: 'coder',
        prompt: 'x',
        stream: true,
        stream_options: { include_usage: true },
      };
      const headers = {
        'content-type': 'application/json',
        authorization: `Bearer ${alice.token}`,
      };
      const init = { method: 'POST', body: JSON.stringify(request), headers };
      const text = await (await world().gateway.fetch('/v1/completions', init)).text();
      expect(text).toEndWith('data: [DONE]\n\n');
      const chunks = text
        .split('\n\n')
        .filter((line) => line.startsWith('data: {'))
        .map((line) => JSON.parse(line.slice(6)) as Completion);
      expect(chunks.flatMap(({ choices }) => choices.map((choice) => choice.text)).join('')).toBe(
        'filled: x|',
      );
      expect(chunks.at(-1)?.usage.cost).toBeGreaterThan(0);
      expect(
        await closed({ ...alice, history: (body) => alice.history({ ...body, room_id: null }) }),
      ).toMatchObject({
        request: 'x',
        response: 'filled: x|',
        state: 'done',
      });
    });

    test('a repeat under the same key is not charged again', async () => {
      const alice = await world().user();
      const headers = { 'idempotency-key': 'k' };
      const first = await complete({}, headers, alice);
      const second = await complete({}, headers, alice);
      expect(second.body).toEqual(first.body);
      expect(await alice.charges()).toHaveLength(1);
    });

    test('a chat model gets the prompt as a message', async () => {
      const { body } = await complete({ model: '101', prompt: 'Hi' });
      expect(body.choices[0]?.text).toBe('echo: Hi');
      expect(world().provider.calls.at(-1)?.body).toMatchObject({
        messages: [{ role: 'user', content: 'Hi' }],
        max_tokens: 20,
      });
    });

    test.each([
      ['suffix', { model: '101', suffix: 'x' }],
      ['logprobs', { model: '101', logprobs: 1 }],
      ['prompt', { model: '101', prompt: ['a', 'b'] }],
      ['model', { model: '106' }],
      ['echo', { echo: true }],
      ['best_of', { best_of: 3 }],
      ['max_tokens', { max_tokens: 5000 }],
      ['prompt', { prompt: '' }],
    ])('%s is refused by name where it can not be honoured: %j', async (param, more) => {
      const before = world().provider.calls.length;
      const { status, body, alice } = await complete(more);
      expect([status, body.error?.param]).toEqual([400, param]);
      expect(world().provider.calls).toHaveLength(before);
      expect(await alice.funds()).toMatchObject({ held: 0, balance: 100_000_000 });
    });

    test('a model for completions takes no chat', async () => {
      const alice = await world().user();
      expect(await alice.code({ ai: 105 })).toBe('invalid_request');
    });
  });
}
