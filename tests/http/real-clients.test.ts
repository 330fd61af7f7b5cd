/**
 * Programs of others, on both sides of the product as an operator starts it: curl sends requests, and an independent
 * OpenAI-compatible server answers them.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LLMock } from '@copilotkit/aimock';
import { dialects, openTestDatabase, type TestDatabase } from '../support/databases.ts';
import { tinyPng } from '../support/scripted-provider.ts';
import { micro, type HistoryItem, type ModelJson, type Sent } from '../support/world.ts';
import { startServer, type ServerProcess } from '../torture/support/server-process.ts';

/** A file as an operator writes it. */
const catalogue = `
providers:
  others:
    kind: openai
    base_url: \${OTHERS_URL}
    api_key: \${OTHERS_KEY}
models:
  - id: 101
    provider: others
    model: gpt-5-mini
    description: GPT-5 mini
    model_alias: mini
    type: TEXT
    max_input_tokens: 272000
    max_output_tokens: 1000
    cost_input_tokens_rub: 25
    cost_output_tokens_rub: 200
  - id: 102
    provider: others
    model: gpt-image-1
    type: IMAGE
    max_input_tokens: 4000
    max_output_tokens: 1000
    is_chat_mode_allowed: 0
    cost_output_fix_rub: 3.5
`;

const LOGIN = 'admin';
const PASSWORD = 'a password of the operator';

interface Reply {
  status: number;
  headers: string;
  body: string;
}

async function curl(...options: string[]): Promise<Reply> {
  const child = Bun.spawn(['curl', '-sS', '-i', ...options], { stdout: 'pipe', stderr: 'pipe' });
  const [whole, complaint] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  if ((await child.exited) !== 0) throw new Error(`curl: ${complaint}`);
  // For a long body, the server first answers 100 Continue.
  const final = whole.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '');
  const end = final.indexOf('\r\n\r\n');
  const headers = final.slice(0, end).toLowerCase();
  return { status: Number(headers.split(' ')[1]), headers, body: final.slice(end + 4) };
}

for (const dialect of dialects) {
  describe(`${dialect}: curl, and an independent provider`, () => {
    const provider = new LLMock({ port: 0 });
    let database: TestDatabase;
    let directory: string;
    let server: ServerProcess;
    let token = '';
    let room = '';

    beforeAll(async () => {
      provider.onMessage(/weather/i, {
        content: 'It is sunny ☀ in Москва.',
        usage: { prompt_tokens: 12, completion_tokens: 7, total_tokens: 19 },
      });
      provider.onMessage(/And tomorrow/, { content: 'Rain.' });
      provider.onImage(/gate/, { image: { b64Json: tinyPng.toString('base64') } });
      await provider.start();
      database = await openTestDatabase(dialect);
      directory = await mkdtemp(join(tmpdir(), 'zastava-clients-'));
      await Bun.write(join(directory, 'catalogue.yaml'), catalogue);
      server = await startServer({
        ZASTAVA_DATA_DIR: directory,
        ZASTAVA_SECRET: 's'.repeat(32),
        ZASTAVA_CATALOGUE: join(directory, 'catalogue.yaml'),
        ZASTAVA_ADMIN_PASSWORD: PASSWORD,
        OTHERS_URL: `${provider.url}/v1`,
        OTHERS_KEY: 'sk-of-others',
        ...(database.config.kind === 'postgres' && { ZASTAVA_DATABASE_URL: database.config.url }),
      });
    });
    afterAll(async () => {
      await server.kill();
      await provider.stop();
      await database[Symbol.asyncDispose]();
      await rm(directory, { recursive: true, force: true });
    });

    const send = (path: string, body: string, ...options: string[]) =>
      curl(
        '-X',
        'POST',
        server.url + path,
        '-H',
        'Content-Type: application/json',
        '-d',
        body,
        ...(token === '' ? [] : ['-H', `Authorization: Bearer ${token}`]),
        ...options,
      );
    const data = async <T>(path: string, body: string, ...options: string[]): Promise<T> => {
      const reply = await send(path, body, ...options);
      expect([path, reply.status]).toEqual([path, 200]);
      return (JSON.parse(reply.body) as { data: T }).data;
    };

    test('log in', async () => {
      const body = JSON.stringify({ login: LOGIN, password: PASSWORD });
      ({ token } = await data<{ token: string }>('/auth/login/', body));
      expect(token).toContain('.');
    });

    test('open a room', async () => {
      ({ room_id: room } = await data<{ room_id: string }>('/ai/room/', '{"room_id": null}'));
      expect(room).toHaveLength(32);
    });

    test('list the models of the catalogue', async () => {
      const { ai } = await data<{ ai: ModelJson[] }>('/ai/settings/', '{}');
      expect(ai.map(({ id, code, model }) => [id, code, model])).toContainEqual([
        101,
        'others',
        'gpt-5-mini',
      ]);
    });

    test("send, at the catalogue's price and the provider's usage", async () => {
      const body = { room_id: room, ai: 101, message: 'How is the weather? 🌦', temperature: 0.5 };
      const sent = await data<Sent>('/ai/send/', JSON.stringify(body));
      expect(sent.response).toBe('It is sunny ☀ in Москва.');
      expect(sent.usage).toMatchObject({ prompt_tokens: 12, completion_tokens: 7 });
      expect([micro(sent.cost_request), micro(sent.cost_response)]).toEqual([300, 1_400]);
      expect(sent.balance).toBe(1_000 - 0.0017);
      const heard = provider.getLastRequest();
      expect(heard?.body).toMatchObject({ model: 'gpt-5-mini', temperature: 0.5 });
      expect(heard?.headers).toHaveProperty('authorization');
    });

    test('send with the earlier message as context, streamed', async () => {
      const body = {
        room_id: room,
        ai: 101,
        message: 'And tomorrow?',
        chat_depth: 5,
        stream: true,
      };
      const { status, headers, body: text } = await send('/ai/send/', JSON.stringify(body), '-N');
      expect(status).toBe(200);
      expect(headers).toContain('content-type: text/event-stream');
      const events = text.trim().split('\n\n');
      expect(events[0]).toStartWith('event: start\n');
      expect(events.at(-1)).toStartWith('event: done\n');
      const done = JSON.parse(events.at(-1)?.split('\ndata: ')[1] ?? '') as Sent;
      expect(done).toMatchObject({ response: 'Rain.', context_used: 1 });
      expect(provider.getLastRequest()?.body).toMatchObject({
        messages: [
          { role: 'user', content: 'How is the weather? 🌦' },
          { role: 'assistant', content: 'It is sunny ☀ in Москва.' },
          { role: 'user', content: 'And tomorrow?' },
        ],
      });
    });

    test('draw an image, and fetch it without a token', async () => {
      const body = JSON.stringify({ room_id: room, ai: 102, message: 'a gate' });
      const sent = await data<Sent>('/ai/send/', body);
      expect(sent.cost_response).toBe(3.5);
      expect(sent.response).toStartWith(`${server.url}/images/`);
      const file = join(directory, 'gate.png');
      const reply = await curl(sent.response, '-o', file, '-w', '');
      expect(reply.body).toBe('');
      const saved = Buffer.from(await Bun.file(file).arrayBuffer());
      expect(saved.includes(tinyPng)).toBe(true);
    });

    test('read the history', async () => {
      const history = await data<{ data: HistoryItem[] }>('/ai/history/', `{"room_id":"${room}"}`);
      expect(history.data.map(({ request }) => request)).toEqual([
        'How is the weather? 🌦',
        'And tomorrow?',
        'a gate',
      ]);
      expect(history.data[0]).toMatchObject({ usage_total_tokens: '19', ai: { id: 101 } });
    });

    test("the provider's error is answered in our format", async () => {
      provider.nextRequestError(500, { message: 'secret stack trace' });
      const body = JSON.stringify({ room_id: room, ai: 101, message: 'weather' });
      const { status, headers, body: text } = await send('/ai/send/', body);
      expect(status).toBe(502);
      expect(headers).toContain('x-should-retry: false');
      expect(text).toContain('"provider_error"');
      expect(text).not.toContain('secret');
    });

    test('a body over the limit, also in chunks, is refused in our format', async () => {
      const file = join(directory, 'large.json');
      await Bun.write(file, `{"message":"${'x'.repeat(5 * 1024 * 1024)}"}`);
      for (const framing of [[], ['-H', 'Transfer-Encoding: chunked']]) {
        const reply = await curl(
          '-X',
          'POST',
          `${server.url}/ai/send/`,
          '-H',
          'Content-Type: application/json',
          '-H',
          `Authorization: Bearer ${token}`,
          '--data-binary',
          `@${file}`,
          ...framing,
        );
        expect(reply.status).toBe(413);
        expect(reply.body).toContain('"payload_too_large"');
      }
    });

    test('stop: exit code 0', async () => {
      expect(await server.stop()).toBe(0);
    });
  });
}
