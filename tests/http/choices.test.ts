/** Several answers to one request, and log probabilities. */
import { describe, expect, test } from 'bun:test';
import { streamedChoices } from '../support/chat-completions.ts';
import { dialects } from '../support/databases.ts';
import { responseResource, streamingEvent } from '../support/open-responses.ts';
import { expectBooksHold, micro, sharedWorld, type World } from '../support/world.ts';

interface Completion {
  choices: { index: number; message: { content: string }; logprobs: unknown }[];
  usage: { completion_tokens: number; cost: number };
  error?: { param: string; code: string; message: string };
}

const messages = [{ role: 'user', content: 'Hi' }];

async function send({ gateway }: World, token: string, more: object) {
  const body = { model: '101', messages, max_tokens: 100, ...more };
  const answer = await gateway.post('/v1/chat/completions', body, { token });
  return { status: answer.status, body: answer.body as unknown as Completion };
}

for (const dialect of dialects) {
  describe(`several answers on ${dialect}`, () => {
    const world = sharedWorld(dialect, {
      models: [{ id: 101 }, { id: 102, provider: 'claude', model: 'claude-x' }],
      providers: ({ baseUrl }) => ({
        claude: { kind: 'anthropic', base_url: baseUrl.replace('/v1', ''), api_key: 'sk-x' },
      }),
    });

    test('are each in the answer, and all in the charge and the history', async () => {
      const alice = await world().user();
      const { body } = await send(world(), alice.token, { n: 3 });
      expect(body.choices.map(({ index, message }) => [index, message.content])).toEqual([
        [0, 'echo: Hi'],
        [1, 'echo: Hi (1)'],
        [2, 'echo: Hi (2)'],
      ]);
      expect(world().provider.calls.at(-1)?.body).toMatchObject({ n: 3, max_tokens: 100 });
      expect(body.usage.completion_tokens).toBe(6);
      expect(await alice.charges()).toEqual([micro(body.usage.cost)]);
      await expectBooksHold(world().gateway);
    });

    test('are held for at their cap each', async () => {
      const { gateway, provider, user } = world();
      // Fixed prices of 0.003 ₽, and 100 output tokens of 0.000267 ₽ for each answer.
      const poor = await user({ credit: 0.05 });
      const before = provider.calls.length;
      const two = await send(world(), poor.token, { n: 2 });
      expect([two.status, two.body.error?.code]).toEqual([402, 'insufficient_funds']);
      expect(provider.calls).toHaveLength(before);
      expect((await send(world(), poor.token, { n: 1 })).status).toBe(200);
      const smaller = await send(world(), poor.token, { n: 2, max_tokens: 40 });
      expect(smaller.status).toBe(200);
      await expectBooksHold(gateway);
    });

    test('are sent whole in a stream', async () => {
      const { gateway, user } = world();
      const alice = await user();
      const body = { model: '101', messages, n: 2, stream: true };
      const headers = {
        'content-type': 'application/json',
        authorization: `Bearer ${alice.token}`,
      };
      const init = { method: 'POST', body: JSON.stringify(body), headers };
      const text = await (await gateway.fetch('/v1/chat/completions', init)).text();
      const chunks = streamedChoices<{ index: number; delta: { content?: string } }>(text);
      const said = [0, 1].map((at) =>
        chunks.map(({ index, delta }) => (index === at ? (delta.content ?? '') : '')).join(''),
      );
      expect(said).toEqual(['echo: Hi', 'echo: Hi (1)']);
      expect(text).toEndWith('data: [DONE]\n\n');
      expect(await alice.charges()).toHaveLength(1);
    });

    test('a repeat under the same key gets all of them again, for one charge', async () => {
      const { gateway, user } = world();
      const alice = await user();
      const body = { model: '101', messages, n: 2, logprobs: true };
      const options = { token: alice.token, headers: { 'idempotency-key': 'k' } };
      const first = await gateway.post('/v1/chat/completions', body, options);
      const second = await gateway.post('/v1/chat/completions', body, options);
      expect(second.body).toEqual(first.body);
      expect(await alice.charges()).toHaveLength(1);
    });

    test('log probabilities are those of the provider', async () => {
      const alice = await world().user();
      const { body } = await send(world(), alice.token, { logprobs: true, top_logprobs: 2 });
      expect(body.choices[0]?.logprobs).toMatchObject({ content: [{ logprob: -0.5 }] });
      expect(world().provider.calls.at(-1)?.body).toMatchObject({
        logprobs: true,
        top_logprobs: 2,
      });
    });

    test('log probabilities are in responses too, whole and streamed', async () => {
      const { gateway, user, provider } = world();
      const { token } = await user();
      const include = ['message.output_text.logprobs'];
      const request = { model: '101', input: 'Hi', include, top_logprobs: 2 };
      const { body } = await gateway.post('/v1/responses', request, { token });
      const { output, ...repeated } = responseResource.parse(body);
      const text = output[0]?.type === 'message' ? output[0].content[0] : undefined;
      expect([text?.text, text?.logprobs[0]?.logprob, repeated.top_logprobs]).toEqual([
        'echo: Hi',
        -0.5,
        2,
      ]);
      expect(provider.calls.at(-1)?.body).toMatchObject({ logprobs: true, top_logprobs: 2 });
      const stream = await gateway.fetch('/v1/responses', {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify({ ...request, include: undefined, stream: true }),
      });
      const lines = (await stream.text()).split('\n').filter((line) => line.startsWith('data: '));
      const events = lines.map(
        (line) => JSON.parse(line.slice('data: '.length)) as Record<string, unknown>,
      );
      for (const event of events) streamingEvent.parse(event);
      const { logprobs } = text ?? {};
      const of = (type: string) => events.filter((event) => event['type'] === `response.${type}`);
      expect(of('output_text.delta')).toMatchObject([{ delta: 'echo: Hi', logprobs }]);
      expect(of('output_text.done')).toMatchObject([{ text: 'echo: Hi', logprobs }]);
      expect(of('completed')).toMatchObject([{ response: { output: [{ content: [text] }] } }]);
    });

    test('a response names the field by which it asks for log probabilities', async () => {
      const { gateway, user } = world();
      const { token } = await user();
      const include = ['message.output_text.logprobs'];
      for (const [param, more] of [
        ['include', { include }],
        ['top_logprobs', { top_logprobs: 2 }],
      ] as const) {
        const request = { model: '102', input: 'Hi', ...more };
        const { status, body } = await gateway.post('/v1/responses', request, { token });
        expect([status, body]).toMatchObject([400, { error: { param } }]);
      }
    });

    test.each([
      ['n', { n: 2 }],
      ['logprobs', { logprobs: true }],
    ])(
      '%s is refused by name where the provider has none, and nothing is held',
      async (param, more) => {
        const { user, provider } = world();
        const alice = await user();
        const before = provider.calls.length;
        const { status, body } = await send(world(), alice.token, { ...more, model: '102' });
        expect([status, body.error?.param]).toEqual([400, param]);
        expect(provider.calls).toHaveLength(before);
        expect(await alice.funds()).toMatchObject({ held: 0, balance: 100_000_000 });
      },
    );
  });
}
