/** The facts that an Ollama server reports about its models, and how it is found. */
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { ollamaAddress, readOllama } from '../../src/config/ollama.ts';
import {
  listedModels,
  shownModel,
  type ListedModel,
  type OllamaModel,
} from '../../src/providers/ollama/convert.ts';
import { OllamaLook } from '../../src/providers/index.ts';
import { OllamaDouble, ollamaFixture } from '../support/ollama-double.ts';

const row = (name: string, more: Partial<ListedModel> = {}): ListedModel => ({
  name,
  digest: 'd',
  build: '',
  family: null,
  ...more,
});

async function shown(file: string, contextTokens?: number): Promise<OllamaModel | undefined> {
  return shownModel(row('m'), await ollamaFixture(file), contextTokens);
}

describe('the list of models', () => {
  test('omits those that run in a cloud', async () => {
    const models = listedModels(await ollamaFixture('tags.json'));
    expect(models?.map(({ name }) => name)).toEqual([
      'llama3.2:latest',
      'gemma3:4b',
      'nomic-embed-text:latest',
    ]);
    expect(models?.[0]).toMatchObject({ build: '3.2B, Q4_K_M', family: 'llama' });
  });

  test('of an old server has only names', async () => {
    const models = listedModels(await ollamaFixture('tags-old.json'));
    expect(models).toMatchObject([{ name: 'codellama:13b', family: 'llama' }]);
  });

  test('is undefined for anything else', () => {
    for (const body of [null, [], 'Ollama is running', {}, { models: {} }, { models: null }]) {
      expect(listedModels(body)).toBeUndefined();
    }
  });
});

describe('the context of a model', () => {
  test('is what its Modelfile sets', async () => {
    expect(await shown('show-gemma3.json', 65_536)).toMatchObject({ contextTokens: 32_768 });
  });

  test('is otherwise what that Ollama sets, otherwise the smallest default', async () => {
    expect(await shown('show-llama3.2.json', 65_536)).toMatchObject({ contextTokens: 65_536 });
    expect(await shown('show-llama3.2.json')).toMatchObject({ contextTokens: 4_096 });
  });

  test('is never more than the model was trained for', async () => {
    expect(await shown('show-llama3.2.json', 999_999)).toMatchObject({ contextTokens: 131_072 });
    expect(await shown('show-nomic-embed-text.json')).toMatchObject({ contextTokens: 2_048 });
    expect(await shown('show-old.json')).toMatchObject({ contextTokens: 2_048 });
  });
});

describe('what a model is for', () => {
  test('is read from its capabilities', async () => {
    const vision = await shown('show-gemma3.json');
    expect(vision).toMatchObject({ use: 'chat', capabilities: ['vision'] });
    const embedding = await shown('show-nomic-embed-text.json');
    expect(embedding).toMatchObject({ use: 'embeddings', capabilities: [] });
    expect(shownModel(row('drawer'), { capabilities: ['image'] }, undefined)).toBeUndefined();
  });

  test('is guessed from its family if a server reports none', async () => {
    const old = await ollamaFixture('show-old.json');
    expect(shownModel(row('m'), old, undefined)?.use).toBe('chat');
    expect(shownModel(row('m', { family: 'nomic-bert' }), old, undefined)?.use).toBe('embeddings');
  });

  test('is nothing if it runs in a cloud', async () => {
    const show = { ...(await ollamaFixture('show-llama3.2.json')), remote_host: 'https://x' };
    expect(shownModel(row('m'), show, undefined)).toBeUndefined();
  });
});

test('any answer gives at most a list of valid models', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (tags, show) => {
      for (const listed of listedModels({ models: [tags] }) ?? []) {
        const model = shownModel(listed, show, undefined);
        expect(model?.contextTokens ?? 1).toBeGreaterThan(0);
      }
    }),
  );
});

describe('a poll', () => {
  const signal = new AbortController().signal;

  test('describes new models once', async () => {
    await using ollama = OllamaDouble.start();
    const look = new OllamaLook({ address: `http://${ollama.host}`, contextTokens: undefined });
    const names = async () => (await look.models(signal)).map(({ name }) => name);
    const all = ['gemma3:4b', 'llama3.2:latest', 'nomic-embed-text:latest'];
    expect(await names()).toEqual(all);
    expect(ollama.calls).toHaveLength(4);
    expect(ollama.calls).not.toContain('POST /api/show gpt-oss:120b-cloud');
    expect(await names()).toEqual(all);
    expect(ollama.calls.slice(4)).toEqual(['GET /api/tags']);
    ollama.remove('gemma3:4b');
    expect(await names()).toEqual(all.slice(1));
    ollama.bringBack('gemma3:4b');
    expect(await names()).toEqual(all);
    expect(ollama.calls.slice(5)).toEqual([
      'GET /api/tags',
      'GET /api/tags',
      'POST /api/show gemma3:4b',
    ]);
  });

  test('fails if nothing answers, or something other than Ollama does', async () => {
    await using ollama = OllamaDouble.start();
    ollama.away = true;
    const away = new OllamaLook({ address: `http://${ollama.host}`, contextTokens: undefined });
    expect(away.models(signal)).rejects.toMatchObject({ fault: 'busy' });
    await using other = { [Symbol.asyncDispose]: () => server.stop(true) };
    const server = Bun.serve({ port: 0, fetch: () => new Response('<html>') });
    expect(other).toBeDefined();
    const page = new OllamaLook({ address: server.url.origin, contextTokens: undefined });
    expect(page.models(signal)).rejects.toMatchObject({ fault: 'failed' });
  });
});

describe('the address', () => {
  test.each([
    ['localhost', 'http://localhost:11434'],
    ['__proto__', 'http://__proto__:11434'],
    ['10.0.0.7:8000', 'http://10.0.0.7:8000'],
    ['host:80', 'http://host'],
    [':4000', 'http://127.0.0.1:4000'],
    ['0.0.0.0', 'http://127.0.0.1:11434'],
    ['0.0.0.0:1234', 'http://127.0.0.1:1234'],
    ['::', 'http://[::1]:11434'],
    ['::1', 'http://[::1]:11434'],
    ['[::1]:7', 'http://[::1]:7'],
    ['"box.lan"', 'http://box.lan:11434'],
    ['http://box.lan', 'http://box.lan'],
    ['https://box.lan/ollama/', 'https://box.lan/ollama'],
    ['box.lan/ollama', 'http://box.lan:11434/ollama'],
  ])('%s is %s', (host, address) => {
    expect(ollamaAddress(host)).toBe(address);
  });

  test.each(['http://', 'two words', 'user:password@host', 'host:99999', 'http://host/?a=1'])(
    '%s cannot be read',
    (host) => {
      expect(ollamaAddress(host)).toBeUndefined();
    },
  );

  test('of any text is a URL or undefined', () => {
    fc.assert(
      fc.property(fc.string(), (host) => {
        const address = ollamaAddress(host);
        expect(address === undefined || URL.canParse(`${address}/v1`)).toBe(true);
        expect(address?.endsWith('/') ?? false).toBe(false);
      }),
    );
  });
});

describe('looking for an Ollama', () => {
  const here = { address: 'http://127.0.0.1:11434', free: false, contextTokens: undefined };

  test('tries this machine if there is only one node', () => {
    expect(readOllama({}, undefined, false)).toEqual(here);
    expect(readOllama({}, undefined, true)).toBeUndefined();
    expect(readOllama({}, 'on', true)).toEqual(here);
    expect(readOllama({ OLLAMA_HOST: 'box' }, undefined, true)).toMatchObject({
      address: 'http://box:11434',
    });
  });

  test('makes it free only if set so, and never if it is off', () => {
    expect(readOllama({}, 'free', false)).toEqual({ ...here, free: true });
    expect(readOllama({ OLLAMA_HOST: 'box' }, 'off', false)).toBeUndefined();
    expect(readOllama({ OLLAMA_HOST: 'two words' }, 'off', false)).toBeUndefined();
    expect(readOllama({ OLLAMA_HOST: 'two words' }, undefined, false)).toBe('unreadable');
  });

  test('does not go through a proxy by default', () => {
    const proxied = { HTTP_PROXY: 'http://proxy:3128' };
    expect(readOllama(proxied, undefined, false)).toBeUndefined();
    expect(readOllama({ ...proxied, no_proxy: 'a, 127.0.0.1' }, undefined, false)).toEqual(here);
    expect(readOllama(proxied, 'on', false)).toEqual(here);
  });

  test("reads the context length from Ollama's own variable", () => {
    const tokens = (text: string) => readOllama({ OLLAMA_CONTEXT_LENGTH: text }, undefined, false);
    expect(tokens('64000')).toEqual({ ...here, contextTokens: 64_000 });
    for (const text of ['0', '-1', '64k', '']) expect(tokens(text)).toEqual(here);
  });
});
