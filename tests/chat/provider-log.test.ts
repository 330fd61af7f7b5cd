/** A provider quotes the request, or its own answer, in an error. At `info` the log contains neither. */
import { expect, test } from 'bun:test';
import type { RecordedCall } from '../support/scripted-provider.ts';
import type { LogLevel } from '../../src/lib/log.ts';
import { BREAKER_FAILURES } from '../../src/providers/routing/breaker.ts';
import { dialects } from '../support/databases.ts';
import { openWorld, type World } from '../support/world.ts';
import { recordingLog, type LogLine } from '../users/world.ts';

const SYSTEM = 'You are the keeper of the orchard; the gate code is 4711-«зима».';
const MESSAGE = 'Tell Olga\nthat "the meeting" is at C:\\new\\table, 100% sure';
const EARLIER = 'Nobody may ever know this earlier sentence';
const SHORT = 'psst!';

async function openLogged(dialect: 'sqlite' | 'postgres', level: LogLevel = 'info') {
  const written: LogLine[] = [];
  const world = await openWorld(dialect, { log: recordingLog(written, level) });
  return { world, written: () => written.filter(({ msg }) => msg === 'provider call failed') };
}

/** Answers every call with an error that quotes the whole call. */
async function quoting({ provider }: World, quote: (call: RecordedCall) => string): Promise<void> {
  await provider.script((call) => ({
    status: 400,
    body: { error: { type: 'invalid_request_error', message: `Invalid input: ${quote(call)}` } },
  }));
}

/** Whether twelve consecutive characters of any of the texts are in it. */
function expectNothingOf(texts: readonly string[], line: unknown): void {
  const logged = JSON.stringify(line);
  for (const text of texts) {
    for (let at = 0; at + 12 <= text.length; at++) {
      const piece = text.slice(at, at + 12);
      expect(logged).not.toContain(piece);
      expect(logged).not.toContain(JSON.stringify(piece).slice(1, -1));
    }
  }
}

const last = ({ body }: RecordedCall) => JSON.stringify((body['messages'] as unknown[]).at(-1));

for (const dialect of dialects) {
  test(`${dialect}: nothing of a quoted request is logged`, async () => {
    const { world, written } = await openLogged(dialect);
    await using _ = world;
    const alice = await world.user();
    await alice.send({ message: EARLIER });
    const quotes = [
      ({ body }: RecordedCall) => JSON.stringify(body),
      last,
      ({ body }: RecordedCall) => encodeURIComponent(JSON.stringify(body['messages'])),
    ];
    for (const quote of quotes) {
      await quoting(world, quote);
      await alice.code({ system_prompt: SYSTEM, message: MESSAGE, chat_depth: 5 });
    }
    expect(written()).toHaveLength(quotes.length);
    for (const line of written()) {
      expect(line).toMatchObject({ reason: 'failed', status: 400, user: alice.userId });
      expect(line).toMatchObject({ type: 'invalid_request_error' });
      expect(line).not.toHaveProperty('text');
      expectNothingOf([SYSTEM, MESSAGE, EARLIER], line);
    }
    await quoting(world, last);
    await alice.code({ message: SHORT });
    expect(JSON.stringify(written().at(-1))).not.toContain(SHORT);
  });

  test(`${dialect}: no text reaches the log from the compatible interfaces, from streams or from tools`, async () => {
    const { world, written } = await openLogged(dialect);
    await using _ = world;
    const alice = await world.user();
    const model = 'scripted/scripted-text';
    const messages = [{ role: 'user', content: [{ type: 'text', text: MESSAGE }] }];
    const tools = [
      { type: 'function', function: { name: 'tell', description: EARLIER, parameters: {} } },
    ];
    for (const stream of [false, true]) {
      for (const part of ['messages', 'tools']) {
        await quoting(world, ({ body }) => JSON.stringify(body[part]));
        const body = { model, messages, tools, stream };
        const { status } = await world.gateway.post('/v1/chat/completions', body, alice);
        expect(status).toBe(400);
      }
    }
    expect(written()).toHaveLength(4);
    for (const line of written()) {
      expectNothingOf([MESSAGE, EARLIER], line);
    }
  });

  test(`${dialect}: no reasoning that a client sends back reaches the log`, async () => {
    const { world, written } = await openLogged(dialect);
    await using _ = world;
    const alice = await world.user();
    await quoting(world, () => SYSTEM);
    const messages = [
      { role: 'assistant', content: 'a', reasoning_content: SYSTEM },
      { role: 'user', content: 'q' },
    ];
    const body = { model: 'scripted/scripted-text', messages };
    expect((await world.gateway.post('/v1/chat/completions', body, alice)).status).toBe(400);
    expect(written()).toHaveLength(1);
    expectNothingOf([SYSTEM], written()[0]);
  });

  test(`${dialect}: no part of an answer that ends in an error reaches the log`, async () => {
    const events = [
      { choices: [{ index: 0, delta: { content: SYSTEM } }] },
      { error: { code: 500, message: `The filter stopped at: ${SYSTEM}` } },
    ];
    using provider = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: () =>
        new Response(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''), {
          headers: { 'content-type': 'text/event-stream' },
        }),
    });
    const lines: LogLine[] = [];
    await using world = await openWorld(dialect, {
      log: recordingLog(lines, 'info'),
      models: [{ id: 101, provider: 'quoting' }],
      providers: () => ({ quoting: { kind: 'openai', base_url: `${provider.url.href}v1` } }),
    });
    const alice = await world.user();
    expect(await (await alice.stream()).text()).toContain('event: error');
    const written = lines.filter(({ msg }) => msg === 'provider call failed');
    expect(written).toMatchObject([{ status: 500, code: '500' }]);
    expectNothingOf([SYSTEM, 'The filter stopped'], written[0]);
  });

  test(`${dialect}: at debug, the beginning of the provider's message is logged, without its key`, async () => {
    const { world, written } = await openLogged(dialect, 'debug');
    await using _ = world;
    const alice = await world.user();
    await quoting(world, ({ headers }) => `${headers['authorization']} ${'x'.repeat(40_000)}`);
    await alice.code({ message: MESSAGE });
    expect(written()).toHaveLength(1);
    expect(written()[0]).toMatchObject({ status: 400, type: 'invalid_request_error' });
    const text = String(written()[0]?.text);
    expect(text).toStartWith('Invalid input: Bearer [key] xxx');
    expect(text.length).toBeLessThanOrEqual(300);
  });
}

const keys = [{ key: 'sk-the-first-key-0001' }, { key: 'sk-the-second-key-0002' }];

test('a refused key with a working one beside it is logged by its end, though the send succeeds', async () => {
  using provider = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: ({ headers }) =>
      headers.get('authorization')?.endsWith('0001') === true
        ? Response.json({ error: { message: 'revoked' } }, { status: 401 })
        : Response.json({
            choices: [{ message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
            usage: { prompt_tokens: 1, completion_tokens: 1 },
          }),
  });
  const lines: LogLine[] = [];
  await using world = await openWorld('sqlite', {
    log: recordingLog(lines, 'info'),
    models: [{ id: 101, provider: 'keyed' }],
    providers: () => ({
      keyed: { kind: 'openai', base_url: `${provider.url.href}v1`, api_keys: keys },
    }),
  });
  const alice = await world.user();
  const { id } = await alice.send();
  const failed = 'provider call failed, but another one answered';
  expect(lines.filter(({ msg }) => msg === failed)).toMatchObject([
    { level: 40, provider: 'keyed', key: '…0001', status: 401, reason: 'failed', message: id },
  ]);
  expect(lines.at(-1)).toMatchObject({ msg: 'request', provider_ms: expect.any(Number) });
  // The key is paused now.
  await alice.send();
  expect(lines.filter(({ msg }) => msg === failed)).toHaveLength(1);
  expect(JSON.stringify(lines)).not.toContain('the-first-key');
});

test('a call that was not sent is logged with the reason', async () => {
  const lines: LogLine[] = [];
  await using world = await openWorld('sqlite', {
    log: recordingLog(lines, 'info'),
    models: [{ id: 101, provider: 'down' }],
    // Nothing listens there.
    providers: () => ({ down: { kind: 'openai', base_url: 'http://127.0.0.1:1/v1' } }),
  });
  const alice = await world.user();
  for (let sends = 0; sends <= BREAKER_FAILURES; sends++) await alice.code();
  const failed = lines.filter(({ msg }) => msg === 'provider call failed');
  const reasons = failed.map(({ reason }) => reason);
  expect([reasons[0], reasons.at(-1)]).toEqual(['unreachable', 'breaker_open']);
});
