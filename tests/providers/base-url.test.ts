/** Addresses with and without the path of the version, and those of Azure. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { createProvider, untakenParts, type ProviderSetup } from '../../src/providers/index.ts';
import { placeOf } from '../../src/providers/openai/place.ts';
import { plain } from './conformance/requests.ts';
import { WireServer } from './conformance/wire-server.ts';
import { canaryKey, providerErrorOf, running } from './fixtures.ts';

const folder = `${import.meta.dir}/../fixtures/providers`;
const missing = { status: 404, body: '{"error":{"message":"no such path"}}' };

let server: WireServer;
beforeAll(async () => {
  server = await WireServer.start();
});
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(() => void server.calls.splice(0));

function providerOf(kind: string, path: string, more: Partial<ProviderSetup> = {}) {
  const baseUrl = `http://127.0.0.1:${server.port}${path}`;
  const setup = { code: 'c', kind, baseUrl, apiKey: canaryKey, timeoutSeconds: 600, options: {} };
  return createProvider({ ...setup, ...more });
}

describe.each([
  ['openai', '/v1', '/chat/completions'],
  ['anthropic', '/v1', '/messages'],
  ['gemini', '/v1beta', '/models/model-1:generateContent'],
])('a base_url of the kind %s', (kind, version, operation) => {
  /** A server that has its operations only under this path. */
  async function serveAt(prefix: string): Promise<void> {
    const body = await Bun.file(`${folder}/${kind}/text.json`).text();
    server.script(({ path }) => (path === prefix + operation ? { body } : missing));
  }

  test.each(['', '/', version, `${version}/`])('may end in %j', async (path) => {
    await serveAt(version);
    const provider = providerOf(kind, path);
    for (const _ of [1, 2, 3]) await provider.generateText(plain, running());
    // The address without the version is tried once.
    const wrong = path.length > 1 ? 0 : 1;
    expect(server.calls.map((call) => call.path === version + operation)).toEqual(
      [false, true, true, true].slice(1 - wrong),
    );
  });

  test('without a path stays if the server has its operations there', async () => {
    await serveAt('');
    const provider = providerOf(kind, '');
    await provider.generateText(plain, running());
    server.script(() => missing);
    const error = await providerErrorOf(() => provider.generateText(plain, running()));
    expect(error).toMatchObject({ status: 404, accepted: false });
    expect(server.calls.map((call) => call.path)).toEqual([operation, operation]);
  });

  test('without a path ends in the first failure if the server has neither', async () => {
    server.script(() => missing);
    const error = await providerErrorOf(() => providerOf(kind, '').generateText(plain, running()));
    expect(error).toMatchObject({ status: 404 });
    expect(server.calls.map((call) => call.path)).toEqual([operation, version + operation]);
  });
});

test('a refusal of the second address is the failure, and that address is kept', async () => {
  const refused = { status: 401, body: '{"error":{"message":"no"}}' };
  server.script(({ path }) => (path.startsWith('/v1/') ? refused : missing));
  const provider = providerOf('openai', '');
  for (const _ of [1, 2]) {
    const error = await providerErrorOf(() => provider.generateText(plain, running()));
    expect(error).toMatchObject({ status: 401 });
  }
  expect(server.calls.map((call) => call.path)).toEqual([
    '/chat/completions',
    '/v1/chat/completions',
    '/v1/chat/completions',
  ]);
});

describe('Azure OpenAI', () => {
  const azure = 'https://house.openai.azure.com';

  test.each([
    [azure, `${azure}/openai/v1`],
    [`${azure}/`, `${azure}/openai/v1`],
    [`${azure}/openai`, `${azure}/openai/v1`],
    [`${azure}/openai/v1`, `${azure}/openai/v1`],
    ['https://house.services.ai.azure.com', 'https://house.services.ai.azure.com/openai/v1'],
  ])('at %s has its operations at %s', (baseUrl, place) => {
    expect(placeOf(baseUrl, undefined)).toMatchObject({ baseUrl: place, otherBaseUrl: undefined });
  });

  test.each([
    [azure, {}],
    [`${azure}/openai`, {}],
    ['https://gateway.house.example', { api_version: '2024-10-21' }],
  ])('at %s with the options %j takes PDF files', (baseUrl, options) => {
    const url = 'data:application/pdf;base64,JVBERg==';
    const messages = [{ role: 'user' as const, content: [{ type: 'file' as const, url }] }];
    const setup = { code: 'c', kind: 'openai', apiKey: canaryKey, timeoutSeconds: 600 };
    expect(untakenParts({ ...setup, baseUrl, options }, messages, undefined)).toBeUndefined();
    const elsewhere = { ...setup, baseUrl: 'https://llm.house.example', options: {} };
    expect(untakenParts(elsewhere, messages, undefined)).toBe('files');
  });

  // Microsoft Learn, "Azure OpenAI in Azure AI Foundry Models REST API reference".
  test.each(['', '/openai', '/openai/v1', '/'])(
    'with an api_version has the deployment in the path, after %j',
    async (path) => {
      const text = await Bun.file(`${folder}/openai/text.json`).text();
      const vectors = '{"data":[{"index":0,"embedding":[1]}]}';
      server.script((call) => ({ body: call.path.includes('/embeddings') ? vectors : text }));
      const options = { api_version: '2024-10-21' };
      const provider = providerOf('openai', path, { options });
      await provider.generateText({ ...plain, model: 'our gpt' }, running());
      await provider.embed?.({ model: 'our-vectors', input: ['a'] }, running());
      const deployments = '/openai/deployments';
      expect(server.calls.map((call) => call.path)).toEqual([
        `${deployments}/our%20gpt/chat/completions?api-version=2024-10-21`,
        `${deployments}/our-vectors/embeddings?api-version=2024-10-21`,
      ]);
      const [call] = server.calls;
      expect(call?.headers).toMatchObject({ 'api-key': canaryKey });
      expect(call?.headers).not.toHaveProperty('authorization');
      expect(JSON.parse(call?.text ?? '')).toHaveProperty('max_completion_tokens');
    },
  );
});
