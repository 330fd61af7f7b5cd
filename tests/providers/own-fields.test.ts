/** The operator's own headers and fields in calls to a provider. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { createProvider, type ProviderSetup } from '../../src/providers/index.ts';
import { withExtra } from '../../src/providers/shared/merge.ts';
import { plain } from './conformance/requests.ts';
import { WireServer } from './conformance/wire-server.ts';
import { canaryKey, allTextsOf, providerErrorOf, running } from './fixtures.ts';

const folder = `${import.meta.dir}/../fixtures/providers`;
const SECRET = 'gateway-canary-9876543210';
const headers = { 'x-gateway-key': SECRET, 'user-agent': 'house' };

let server: WireServer;
beforeAll(async () => {
  server = await WireServer.start();
});
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(() => void server.calls.splice(0));

const optionsOf: Record<string, (origin: string) => Record<string, string>> = {
  gigachat: (origin) => ({ auth_url: `${origin}/oauth` }),
  yandex: (origin) => ({ folder: 'b1g', image_base_url: origin }),
};

function providerOf(kind: string, more: Partial<ProviderSetup>) {
  const origin = `http://127.0.0.1:${server.port}`;
  return createProvider({
    code: 'c',
    kind,
    baseUrl: `${origin}/v1`,
    apiKey: canaryKey,
    timeoutSeconds: 600,
    options: optionsOf[kind]?.(origin) ?? {},
    ...more,
  });
}

/** Answers every call with text, and gives GigaChat its token. */
function script(reply: { status?: number; body: string }): void {
  const token = JSON.stringify({ access_token: 'token', expires_at: Date.now() + 1_800_000 });
  server.script(({ path }) => (path === '/oauth' ? { body: token } : reply));
}

describe.each(['openai', 'anthropic', 'gemini', 'gigachat', 'yandex'])('the kind %s', (kind) => {
  const dialect = kind === 'yandex' ? 'openai' : kind;

  test('sends the operator’s headers and fields with each text, streamed or not', async () => {
    const [body, stream] = await Promise.all([
      Bun.file(`${folder}/${dialect}/text.json`).text(),
      Bun.file(`${folder}/${dialect}/stream.sse`).text(),
    ]);
    const extraBody = { house: { region: 'eu', list: [1] }, temperature: 2 };
    const [bare, own] = [providerOf(kind, {}), providerOf(kind, { headers, extraBody })];
    script({ body });
    await bare.generateText(plain, running());
    const expected = JSON.parse(server.calls.at(-1)?.text ?? '') as object;
    const request = { ...plain, temperature: 0.5 };
    await own.generateText(request, running());
    const whole = server.calls.at(-1);
    script({ body: stream });
    await Array.fromAsync(own.streamText(request, running()));
    for (const call of [whole, server.calls.at(-1)]) {
      expect(call?.headers).toMatchObject(headers);
      expect(JSON.parse(call?.text ?? '')).toMatchObject({
        ...expected,
        house: extraBody.house,
      });
      // The request's own value stays.
      if (kind !== 'gemini')
        expect(JSON.parse(call?.text ?? '')).toMatchObject({ temperature: 0.5 });
    }
  });

  test('keeps the values of headers out of what errors report', async () => {
    const message = `key ${SECRET} and ${canaryKey} refused, ${encodeURIComponent(SECRET)}`;
    script({ status: 400, body: JSON.stringify({ error: { message }, message }) });
    const error = await providerErrorOf(() =>
      providerOf(kind, { headers }).generateText(plain, running()),
    );
    expect(error.reported?.message).toContain('[key]');
    expect(allTextsOf(error)).not.toContain('gateway-canary');
  });
});

test('objects in both are merged; of other values, the request’s own stays', () => {
  const body = { model: 'm', generationConfig: { maxOutputTokens: 9, topP: undefined }, stop: [] };
  const extra = { generationConfig: { topP: 0.1, maxOutputTokens: 99 }, stop: ['x'], seed: 7 };
  expect(withExtra(body, extra)).toEqual({
    model: 'm',
    generationConfig: { maxOutputTokens: 9, topP: 0.1 },
    stop: [],
    seed: 7,
  });
});
