/** Embeddings: token numbers, which LangChain for Python sends by default, and lengths of vectors. */
import { describe, expect, test } from 'bun:test';
import { encode } from 'gpt-tokenizer/encoding/cl100k_base';
import { dialects } from '../support/databases.ts';
import { expectBooksHold, micro, sharedWorld } from '../support/world.ts';

const EMBEDDER = 'scripted/scripted-embedder';

interface Embedded {
  data: { embedding: number[] }[];
  usage: { prompt_tokens: number; cost: number; source: string };
  warnings?: string[];
}

for (const dialect of dialects) {
  describe(`embeddings on ${dialect}`, () => {
    const world = sharedWorld(dialect, {
      models: [
        { id: 101 },
        {
          id: 104,
          model: 'scripted-embedder',
          modality: 'embedding',
          max_output_tokens: undefined,
        },
      ],
    });

    async function embed(body: object, headers: Record<string, string> = {}) {
      const alice = await world().user();
      const answered = await world().gateway.post(
        '/v1/embeddings',
        { model: EMBEDDER, ...body },
        { token: alice.token, headers },
      );
      return { alice, status: answered.status, body: answered.body as unknown as Embedded };
    }

    test('a list of numbers is one text, and is sent as such if the provider takes no numbers', async () => {
      const text = 'Привет, мир';
      const { status, body, alice } = await embed({ input: encode(text) });
      expect(status).toBe(200);
      expect(body.data.map(({ embedding }) => embedding[0])).toEqual([text.length]);
      expect(world().provider.calls.at(-1)?.body['input']).toEqual([text]);
      expect(body.warnings).toEqual([expect.stringContaining('cl100k_base')]);
      expect(await alice.charges()).toEqual([micro(body.usage.cost)]);
      await expectBooksHold(world().gateway);
    });

    test('lists of numbers are texts in the same order', async () => {
      const texts = ['one', 'three', 'четыре'];
      const { body } = await embed({ input: texts.map((text) => encode(text)) });
      expect(body.data.map(({ embedding }) => embedding[0])).toEqual([3, 5, 6]);
    });

    test('half a character at the end of one request does not reach the next', async () => {
      const emoji = encode('😀');
      expect(emoji.length).toBeGreaterThan(1);
      await embed({ input: emoji.slice(0, 1) });
      const { body } = await embed({ input: encode('abc') });
      expect(body.data[0]?.embedding[0]).toBe(3);
    });

    test('the numbers are counted if the provider reports no usage', async () => {
      await world().provider.script({ usage: null });
      const input = encode('word '.repeat(50));
      const { body } = await embed({ input });
      expect(body.usage).toMatchObject({ prompt_tokens: input.length, source: 'estimated' });
      await world().provider.script('good');
    });

    test('a model that is declared for embeddings is listed as such, and takes no chat', async () => {
      const { gateway, user } = world();
      const alice = await user();
      const { zastava } = await gateway
        .fetch(`/v1/models/${EMBEDDER}`, { headers: { authorization: `Bearer ${alice.token}` } })
        .then((answer) => answer.json() as Promise<{ zastava: object }>);
      expect(zastava).toMatchObject({ type: 'TEXT', modality: 'embedding', max_output_tokens: 1 });
      const native = await alice.trySend({ ai: 104 });
      expect([native.status, native.body.error?.message]).toEqual([
        422,
        'ai: makes embeddings: call /v1/embeddings',
      ]);
      const chat = { model: EMBEDDER, messages: [{ role: 'user', content: 'Hi' }] };
      for (const path of ['/v1/chat/completions', '/v1/images/generations']) {
        const body = { ...chat, input: 'Hi', prompt: 'Hi' };
        const { status, body: answer } = await gateway.post(path, body, alice);
        expect([path, status]).toEqual([path, 400]);
        expect(JSON.stringify(answer)).toContain('makes embeddings: call /v1/embeddings');
      }
      expect(await alice.charges()).toEqual([]);
    });

    test('a text model embeds too, as files from before the field have it', async () => {
      const { gateway, user } = world();
      const { token } = await user();
      const body = { model: '101', input: 'Hi' };
      expect((await gateway.post('/v1/embeddings', body, { token })).status).toBe(200);
    });

    test('a repeat under the same key is not charged again', async () => {
      const alice = await world().user();
      const send = () =>
        world().gateway.post(
          '/v1/embeddings',
          { model: EMBEDDER, input: [9906, 1917] },
          { token: alice.token, headers: { 'idempotency-key': 'k' } },
        );
      const [first, second] = [await send(), await send()];
      expect(second.body).toEqual(first.body);
      expect(await alice.charges()).toHaveLength(1);
    });

    test.each([0, -1, 1.5, '512', 16_385])(
      'a length of vectors of %j is refused, and nothing is held',
      async (dimensions) => {
        const before = world().provider.calls.length;
        const { status, body, alice } = await embed({ input: 'Hi', dimensions });
        expect(status).toBe(400);
        expect(JSON.stringify(body)).toContain('"param":"dimensions"');
        expect(world().provider.calls).toHaveLength(before);
        expect(await alice.funds()).toMatchObject({ held: 0, balance: 100_000_000 });
      },
    );

    test.each([
      ['a number beyond the vocabulary', [100_256], 'input'],
      ['a control token', [[9906, 100_257]], 'input.0.1'],
      ['a negative number', [-1], 'input'],
      ['U+0000', [188], 'input.0'],
      ['an empty list', [[]], 'input.0'],
      ['more numbers than the model takes', Array.from({ length: 4001 }, () => 9906), 'input.0'],
    ])('%s is refused, and nothing is held', async (_what, input, param) => {
      const before = world().provider.calls.length;
      const { status, body, alice } = await embed({ input });
      expect(status).toBe(400);
      expect(JSON.stringify(body)).toContain(`"param":"${param}`);
      expect(world().provider.calls).toHaveLength(before);
      expect(await alice.funds()).toMatchObject({ held: 0, balance: 100_000_000 });
    });
  });
}
