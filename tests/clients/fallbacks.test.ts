/** Which model answered, as every interface under /v1 names it. */
import { describe, expect, test } from 'bun:test';
import { chunkWriter } from '../../src/http/openai/chat-answer.ts';
import { sharedWorld, type Chatter } from '../support/world.ts';

const FIRST = 101;
const SECOND = 102;
const world = sharedWorld('sqlite', {
  models: [
    { id: FIRST, model: 'm-first', model_alias: 'mini', fallbacks: [SECOND] },
    { id: SECOND, model: 'm-second', max_output_tokens: 100 },
  ],
});

const messages = [{ role: 'user', content: 'Hi' }];
const bodies = {
  '/v1/chat/completions': { messages },
  '/v1/responses': { input: 'Hi' },
  '/v1/messages': { max_tokens: 50, messages },
};

/** An answer, or its events, as received. */
async function answered({ token }: Chatter, path: string, body: object): Promise<string> {
  const response = await world().gateway.fetch(path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${token}`,
      'idempotency-key': `${path} ${JSON.stringify(body)}`,
    },
    body: JSON.stringify({ model: 'mini', ...body }),
  });
  const text = await response.text();
  expect([path, response.status, text]).toEqual([path, 200, text]);
  return text;
}

/** The names that an answer or its events contain, in order. */
async function named(chatter: Chatter, path: string, body: object): Promise<string[]> {
  const text = await answered(chatter, path, body);
  return [...text.matchAll(/"model":"([^"]*)"/g)].map(([, name = '']) => name);
}

describe('the model of an answer', () => {
  for (const [path, body] of Object.entries(bodies)) {
    for (const stream of [false, true]) {
      test(`of ${path}, stream ${stream}: is the one that answered, also in replays`, async () => {
        const { provider, user } = world();
        const [alice, bob] = [await user(), await user()];
        await provider.script(({ body: sent }) => (sent['model'] === 'm-first' ? '500' : 'good'));
        const fallen = await named(alice, path, { ...body, stream });
        await provider.script('good');
        const again = await named(alice, path, { ...body, stream });
        expect(new Set(fallen)).toEqual(new Set(['scripted/m-second']));
        expect(new Set(again)).toEqual(new Set(['scripted/m-second']));
        expect(new Set(await named(bob, path, { ...body, stream }))).toEqual(new Set(['mini']));
      });
    }
  }

  for (const [path, cap] of [
    ['/v1/chat/completions', 'max_completion_tokens'],
    ['/v1/responses', 'max_output_tokens'],
    ['/v1/messages', 'max_tokens'],
  ] as const) {
    for (const stream of [false, true]) {
      test(`of ${path}, stream ${stream}: warns when its output limit is below the requested cap`, async () => {
        const { provider, user } = world();
        const alice = await user();
        await provider.script(({ body: sent }) => (sent['model'] === 'm-first' ? '500' : 'good'));
        const request = { ...bodies[path], stream };
        const warning = `"warnings":["${cap} was lowered to 100,`;
        expect(await answered(alice, path, { ...request, [cap]: 101 })).toContain(warning);
        expect(await answered(alice, path, { ...request, [cap]: 100 })).not.toContain('warnings');
        await provider.script('good');
      });
    }
  }

  test('of embeddings is the one that answered, too', async () => {
    const { provider, user } = world();
    await provider.script(({ body: sent }) => (sent['model'] === 'm-first' ? '500' : 'good'));
    expect(await named(await user(), '/v1/embeddings', { input: 'Hi' })).toEqual([
      'scripted/m-second',
    ]);
    await provider.script('good');
  });

  test('of a stream is the requested one until it is known which one answers', () => {
    const write = chunkWriter({ model: 'mini', ignored: [], includeUsage: false });
    const start = write({ type: 'start', roomId: 'r', id: 1, askedAt: 0 });
    expect([start, write({ type: 'served', model: 'second' })]).toEqual([
      expect.stringContaining('"model":"mini"'),
      '',
    ]);
    expect(write({ type: 'delta', text: 'Hi' })).toContain('"model":"second"');
  });
});
