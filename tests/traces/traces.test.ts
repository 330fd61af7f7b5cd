/** Traces of sends, as a collector gets them. They do not use the database, so one kind is enough. */
import { beforeAll, describe, expect, test } from 'bun:test';
import { type CollectedSpan, type Collector, startCollector } from '../support/collector.ts';
import { eventsOf } from '../support/event-stream.ts';
import type { RecordedCall } from '../support/scripted-provider.ts';
import { closed, openWorld, type Sent, TEXT_MODEL, type WorldOptions } from '../support/world.ts';
import { recordingLog, type LogLine } from '../users/world.ts';

const SECRET_TEXT = 'a question that stays here';
const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const CALLER = `00-${TRACE_ID}-b7ad6b7169203331-01`;

const models: WorldOptions['models'] = [
  { id: TEXT_MODEL, fallbacks: [102] },
  { id: 102, model: 'fallback' },
];

function settingsFor({ url }: Collector, more: Record<string, string>): Record<string, string> {
  return { OTEL_EXPORTER_OTLP_ENDPOINT: `${url}/`, ...more };
}

/** The spans of a trace, by their names, with the request first. */
function spansOf({ spans }: Collector, requestId: string): CollectedSpan[] {
  const root = spans.find(({ attributes }) => attributes['zastava.request_id'] === requestId);
  if (!root) throw new Error(`there is no trace of ${requestId}`);
  const parts = spans.filter(({ parentSpanId }) => parentSpanId === root.spanId);
  return [root, ...parts.toSorted((a, b) => (a.startTimeUnixNano < b.startTimeUnixNano ? -1 : 1))];
}

const headersOf = (id: string) => ({ headers: { 'x-request-id': id, traceparent: CALLER } });

describe('the trace of', () => {
  const collector = startCollector();
  let sent: Sent;
  let calls: RecordedCall[];
  let token = '';

  beforeAll(async () => {
    using _ = collector;
    const env = settingsFor(collector, {
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20for-the-collector',
      OTEL_SERVICE_NAME: 'gateway-1',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
      ZASTAVA_TRACES_CONTEXT: 'both',
    });
    await using world = await openWorld('sqlite', { models, env });
    const { provider } = world;
    const alice = await world.user();
    token = alice.token;
    await provider.script({ id: 'chatcmpl-7', answeringModel: 'scripted-text-2026-11-24' });
    sent = await alice.send({ message: SECRET_TEXT }, headersOf('plain'));
    await provider.script(({ body }) => (body['model'] === 'fallback' ? 'good' : '500'));
    await alice.send({ message: SECRET_TEXT }, headersOf('failed-over'));
    await provider.script({ pauseAfterFirst: true });
    const events = eventsOf(await alice.stream({}, headersOf('left')));
    await events.next();
    await events.next();
    await events.return(undefined);
    expect(await closed(alice)).toMatchObject({ state: 'stopped' });
    await alice.trySend({ ai: 999 }, headersOf('refused'));
    await alice.trySend({}, { token: 'wrong', ...headersOf('stranger') });
    await world.gateway.data('/account/', {}, { token, ...headersOf('no send') });
    calls = provider.calls;
  });

  test('a send has its steps and its attempt, with tokens and the charge', () => {
    const [root, ...parts] = spansOf(collector, 'plain');
    const charge = Math.round((sent.cost_request + sent.cost_response) * 1_000_000);
    expect(root).toMatchObject({
      name: 'POST /ai/send/',
      kind: 2,
      traceId: TRACE_ID,
      parentSpanId: 'b7ad6b7169203331',
      status: { code: 0 },
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/ai/send/',
        'http.response.status_code': 200,
        'gen_ai.operation.name': 'chat',
        'gen_ai.request.model': 'scripted-text',
        'gen_ai.response.model': 'scripted-text-2026-11-24',
        'zastava.message_id': sent.id,
        'zastava.charge_micro_rubles': charge,
        'zastava.outcome': 'done',
      },
      resource: { 'service.name': 'gateway-1', 'deployment.environment.name': 'test' },
    });
    const tokens = {
      'gen_ai.usage.input_tokens': sent.usage.prompt_tokens,
      'gen_ai.usage.output_tokens': sent.usage.completion_tokens,
    };
    expect(parts.map(({ name }) => name)).toEqual([
      'authenticate',
      'hold',
      'chat scripted-text',
      'settle',
    ]);
    expect(parts[2]).toMatchObject({
      kind: 3,
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'scripted',
        'gen_ai.system': 'scripted',
        'gen_ai.request.model': 'scripted-text',
        'gen_ai.response.model': 'scripted-text-2026-11-24',
        'gen_ai.response.id': 'chatcmpl-7',
        'gen_ai.response.finish_reasons': ['stop'],
        'server.address': '127.0.0.1',
        'server.port': expect.any(Number) as number,
        ...tokens,
      },
    });
    expect(parts[3]?.attributes).toEqual({
      ...tokens,
      'zastava.message_id': sent.id,
      'zastava.charge_micro_rubles': charge,
      'zastava.outcome': 'done',
    });
  });

  test('a send that failed over has each attempt, and the requested and answering models', () => {
    const [root, ...parts] = spansOf(collector, 'failed-over');
    const attempts = parts.filter(({ kind }) => kind === 3);
    expect(attempts.length).toBeGreaterThanOrEqual(2);
    expect(attempts[0]).toMatchObject({
      name: 'chat scripted-text',
      status: { code: 2, message: 'failed' },
      attributes: { 'error.type': 'failed', 'http.response.status_code': 500 },
    });
    expect(attempts.at(-1)).toMatchObject({ name: 'chat fallback', status: { code: 0 } });
    expect(root?.attributes).toMatchObject({
      'gen_ai.request.model': 'scripted-text',
      'gen_ai.response.model': 'fallback',
      'zastava.model_id': 102,
    });
  });

  test('a stream that its client left is marked stopped, not failed', () => {
    const [root, ...parts] = spansOf(collector, 'left');
    expect(root).toMatchObject({ status: { code: 0 } });
    expect(root?.attributes).toMatchObject({ 'zastava.outcome': 'stopped' });
    expect(parts.at(-2)).toMatchObject({
      kind: 3,
      status: { code: 0 },
      attributes: {
        'gen_ai.request.stream': true,
        'gen_ai.response.time_to_first_chunk': expect.any(Number) as number,
        'zastava.outcome': 'stopped',
      },
    });
    expect(parts.at(-1)).toMatchObject({
      name: 'settle',
      attributes: { 'zastava.outcome': 'stopped' },
    });
  });

  test.each([
    ['refused', 'hold', 'model_not_found', 404],
    ['stranger', 'authenticate', 'invalid_token', 401],
  ])('a send that was %s ends in the step that refused it', (id, step, code, status) => {
    const [root, ...parts] = spansOf(collector, id);
    expect(parts.at(-1)).toMatchObject({
      name: step,
      status: { code: 2, message: code },
      attributes: { 'error.type': code },
    });
    expect(root).toMatchObject({
      status: { code: 2 },
      attributes: { 'error.type': code, 'http.response.status_code': status },
    });
  });

  test('a provider gets the context of its attempt', () => {
    const attempts = collector.spans.filter(({ kind }) => kind === 3);
    expect(attempts.length).toBe(calls.length);
    const ids = attempts.map(({ traceId, spanId }) => `00-${traceId}-${spanId}-01`);
    expect(new Set(calls.map(({ headers }) => headers['traceparent']))).toEqual(new Set(ids));
  });

  test('no other request is exported, and no text or secret', () => {
    const ids = collector.spans.flatMap(({ attributes }) => attributes['zastava.request_id'] ?? []);
    expect(new Set(ids)).toEqual(new Set(['failed-over', 'left', 'plain', 'refused', 'stranger']));
    const all = collector.bodies.join('\n');
    for (const secret of [SECRET_TEXT, 'echo:', token, 'sk-scripted', 'for-the-collector']) {
      expect(all).not.toContain(secret);
    }
    for (const { path, headers } of collector.requests) {
      expect(path).toBe('/v1/traces');
      expect(headers['authorization']).toBe('Bearer for-the-collector');
    }
  });
});

test("texts are exported if the operator enables it, and without a shared context the provider gets the caller's", async () => {
  using collector = startCollector();
  const env = settingsFor(collector, { ZASTAVA_TRACES_TEXTS: 'on' });
  let calls: RecordedCall[];
  {
    await using world = await openWorld('sqlite', { env });
    calls = world.provider.calls;
    const alice = await world.user();
    const body = { message: 'Why?', system_prompt: 'Be brief.' };
    await alice.send(body, headersOf('texts'));
  }
  const [root] = spansOf(collector, 'texts');
  expect(root?.traceId).not.toBe(TRACE_ID);
  expect(calls[0]?.headers['traceparent']).toBe(CALLER);
  const text = (content: string) => [{ type: 'text', content }];
  const read = (name: string): unknown => JSON.parse(String(root?.attributes[`gen_ai.${name}`]));
  expect(read('system_instructions')).toEqual(text('Be brief.'));
  expect(read('input.messages')).toEqual([{ role: 'user', parts: text('Why?') }]);
  expect(read('output.messages')).toEqual([{ role: 'assistant', parts: text('echo: Why?') }]);
});

test('a collector that refuses traces fails no send, and the log has one line about it', async () => {
  using collector = startCollector();
  collector.status = 400;
  const logged: LogLine[] = [];
  const env = settingsFor(collector, {});
  {
    await using world = await openWorld('sqlite', { env, log: recordingLog(logged, 'warn') });
    const alice = await world.user();
    await alice.send();
    await alice.send();
  }
  const lost = logged.filter(({ msg }) => String(msg).startsWith('traces are lost'));
  expect(lost).toMatchObject([{ level: 40, reason: 'Bad Request' }]);
});
