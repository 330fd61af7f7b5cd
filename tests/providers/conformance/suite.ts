/** Rules for every dialect, tested against a scripted server of its wire format. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { extraBodyProblem } from '../../../src/catalogue/extra-body.ts';
import {
  createProvider,
  noUsage,
  UnsupportedError,
  type Provider,
  type ProviderFault,
  type ProviderSetup,
  type TextPart,
  type TextRequest,
} from '../../../src/providers/index.ts';
import type { FinishPart } from '../../../src/providers/spec.ts';
import { readStream } from '../../../src/providers/shared/text-stream.ts';
import { canaryKey, allTextsOf, providerErrorOf, running, usageOf } from '../fixtures.ts';
import type { WireDialect } from './dialect.ts';
import { additions, plain } from './requests.ts';
import { WireServer, type Answer, type Reply } from './wire-server.ts';

const fixtures = `${import.meta.dir}/../../fixtures/providers`;

/** Statuses and the resulting faults. The last field says whether the call may be sent again. */
const statuses: readonly [status: number, fault: ProviderFault, accepted: boolean][] = [
  [400, 'failed', false],
  [401, 'failed', false],
  [403, 'failed', false],
  [404, 'not_found', false],
  [408, 'timeout', true],
  [413, 'failed', false],
  [422, 'failed', false],
  [429, 'busy', false],
  [500, 'failed', true],
  [502, 'failed', true],
  [503, 'busy', false],
  [504, 'timeout', true],
  [529, 'busy', false],
];

/** Useless answers with the status 200. */
const useless: readonly [name: string, reply: Reply][] = [
  ['a page', { type: 'text/html', body: '<!doctype html><h1>It works!</h1>' }],
  ['nothing', { body: '' }],
  ['no JSON', { body: '{"id": oops}' }],
  ['a list', { body: '[]' }],
  ['an empty object', { body: '{}' }],
  ['another charset', { type: 'application/json; charset=windows-1251', body: '{}' }],
  ['half a body', { headers: { 'content-length': '500' }, body: '{"id": "', end: 'cut' }],
];

/** The operator's own headers and fields. */
type Own = Pick<ProviderSetup, 'headers' | 'extraBody'>;

const SECRET = 'gateway-canary-9876543210';
const ownHeaders = { 'x-gateway-key': SECRET, 'user-agent': 'house' };

export function conformance(dialect: WireDialect): void {
  const hasTools = dialect.toolCalls !== 'none';
  describe(`${dialect.name ?? dialect.kind} conforms:`, () => {
    let server: WireServer;
    let provider: Provider;
    beforeAll(async () => {
      server = await WireServer.start();
      provider = newProvider();
    });
    afterAll(() => server[Symbol.asyncDispose]());

    function newProvider({ port = server.port, ...more }: Own & { port?: number } = {}): Provider {
      const setup = { ...dialect.setup(`http://127.0.0.1:${port}`), ...more };
      const { kind } = dialect;
      return createProvider({ code: 'c', kind, apiKey: canaryKey, timeoutSeconds: 600, ...setup });
    }

    function file(name: string): Promise<string> {
      const path = dialect.files?.[name] ?? `${dialect.folder}/${name}`;
      return Bun.file(`${fixtures}/${path}`).text();
    }

    /** The answer to calls of the model; other calls are answered by the dialect. Counts only calls of the model. */
    function script(answer: Answer): { calls: number } {
      const counted = { calls: 0 };
      server.script((call) => {
        const other = dialect.serve?.(call);
        if (!other) counted.calls++;
        return other ?? answer(call);
      });
      return counted;
    }

    async function generate(body: string, request: Partial<TextRequest> = {}) {
      script(() => ({ body }));
      return provider.generateText({ ...plain, ...request }, running());
    }

    async function stream(reply: Reply): Promise<TextPart[]> {
      script(() => reply);
      return (await Array.fromAsync(provider.streamText(plain, running()))).flat();
    }

    describe('a call', () => {
      test.each(Object.keys(additions))('%s', async (name) => {
        const expected = JSON.parse(await file('requests.json'))[name] as unknown;
        if (expected === undefined) {
          throw new Error(`requests.json: ${name} of requests.ts is missing: add its body`);
        }
        const body = await file('text.json');
        if (typeof expected !== 'string') {
          await generate(body, { ...additions[name], refuseUnsupported: true });
          expect(JSON.parse(server.calls.at(-1)?.text ?? '')).toEqual(expected);
          return;
        }
        const [, how, field] = /^(left out|refused): (\w+)$/.exec(expected) ?? [];
        if (how === undefined) {
          throw new Error(
            `requests.json: ${name} is "${expected}"; write "left out: FIELD" or "refused: FIELD"`,
          );
        }
        const strict = () => generate(body, { ...additions[name], refuseUnsupported: true });
        const before = server.calls.length;
        if (how === 'left out' && (field === 'reasoningEffort' || field === 'parallelToolCalls')) {
          // A hint is never refused.
          expect((await strict()).warnings).toEqual([expect.stringMatching(/left out\.$/)]);
          return;
        }
        const error = await providerErrorOf(strict);
        expect(error).toBeInstanceOf(UnsupportedError);
        expect(error).toMatchObject({ fault: 'unsupported', field, accepted: false });
        const lenient = () => generate(body, additions[name]);
        if (how === 'refused') {
          expect(await providerErrorOf(lenient)).toMatchObject({ fault: 'unsupported', field });
          expect(server.calls.length).toBe(before);
        } else expect((await lenient()).warnings).toEqual([expect.stringMatching(/left out\.$/)]);
      });

      test('has its path, the key and the trace context, streamed or not', async () => {
        const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
        await generate(await file('text.json'), { traceparent });
        const [sent] = server.calls.slice(-1);
        expect(sent).toMatchObject({ method: 'POST', path: dialect.path.plain });
        const agent = { 'user-agent': 'Zastava' };
        expect(sent?.headers).toMatchObject({ ...dialect.headers, ...agent, traceparent });
        await stream({ body: await file('stream.sse') });
        const [streamed] = server.calls.slice(-1);
        expect(streamed).toMatchObject({ method: 'POST', path: dialect.path.stream });
        expect(streamed?.headers).toMatchObject({ ...dialect.headers, ...agent });
        const body = { ...JSON.parse(sent?.text ?? ''), ...dialect.streamFields };
        expect(JSON.parse(streamed?.text ?? '')).toEqual(body);
      });

      test('has the operator’s headers and fields, none of which replaces its own', async () => {
        const [text, events] = [await file('text.json'), await file('stream.sse')];
        await generate(text);
        const plainBody = JSON.parse(server.calls.at(-1)?.text ?? '') as object;
        const both = { ...plainBody, ...dialect.streamFields };
        const others = Object.keys(both).map((name) => [name, 'other'] as const);
        // A catalogue refuses some names, so a call need not have them.
        const taken = others.filter(([name]) => !extraBodyProblem({ [name]: 'other' }));
        const house = { region: 'eu', list: [1] };
        const own = newProvider({
          headers: ownHeaders,
          extraBody: { ...Object.fromEntries(taken), house },
        });
        script(() => ({ body: text }));
        await own.generateText(plain, running());
        const whole = server.calls.at(-1);
        script(() => ({ body: events }));
        await Array.fromAsync(own.streamText(plain, running()));
        const streamed = server.calls.at(-1);
        for (const call of [whole, streamed]) expect(call?.headers).toMatchObject(ownHeaders);
        expect(JSON.parse(whole?.text ?? '')).toEqual({ ...plainBody, house });
        expect(JSON.parse(streamed?.text ?? '')).toEqual({ ...both, house });
      });
    });

    describe('an answer', () => {
      test('has its text, usage and finish reason', async () => {
        const answer = await generate(await file('text.json'), { seed: 7 });
        expect(answer).toMatchObject({
          text: 'Привет! Чем помочь? 🙂',
          toolCalls: [],
          finishReason: 'stop',
          usage: usageOf(dialect.usage.text),
          seed: dialect.seed,
        });
        expect(answer.answeringModel).toBe(dialect.answeringModel?.text);
      });

      test('that was cut at the limit says so', async () => {
        const { text, finishReason, usage } = await generate(await file('length.json'));
        expect(text).toBe('Once upon a');
        expect(finishReason).toBe('length');
        expect(usage).toMatchObject({ promptTokens: 9, completionTokens: 3 });
      });

      test('without usage reports none', async () => {
        expect((await generate(await file('no-usage.json'))).usage).toEqual(noUsage);
      });

      test.if(hasTools)('calls tools', async () => {
        const { toolCalls, finishReason } = await generate(await file('tool-calls.json'));
        expect(finishReason).toBe('tool_calls');
        expect(toolCalls[0]?.name).toBe('get_weather');
        expect(JSON.parse(toolCalls[0]?.arguments ?? '')).toEqual({ city: 'Москва' });
        if (dialect.toolCalls === 'one') return expect(toolCalls).toHaveLength(1);
        expect(toolCalls[1]).toMatchObject({ name: 'get_time', arguments: '{}' });
        expect(toolCalls[1]?.id).not.toBe(toolCalls[0]?.id);
      });

      test('that the safety system refused is an error with the reported usage', async () => {
        const body = await file('refusal.json');
        const error = await providerErrorOf(() => generate(body));
        const usage = usageOf(dialect.refusalUsage.plain);
        expect(error).toMatchObject({ fault: 'content_refused', accepted: true, usage });
      });

      test.if(hasTools)('gets its tool calls back with their results', async () => {
        const { toolCalls } = await generate(await file('tool-calls.json'));
        const [call] = toolCalls;
        if (!call) throw new Error('there is no call');
        const answer = await generate(await file('text.json'), {
          messages: [
            ...plain.messages,
            { role: 'assistant', content: '', toolCalls: [call] },
            { role: 'tool', toolCallId: call.id, content: '{"temperature":5}' },
          ],
        });
        expect(answer.text).toStartWith('Привет');
        expect(server.calls.at(-1)?.text).toContain('temperature');
      });
    });

    describe('a failure', () => {
      test.each(statuses)('%i is %s, with the work begun: %p', async (status, fault, accepted) => {
        const body = JSON.stringify(dialect.errorBody(status));
        const headers = { 'retry-after': '7' };
        for (const streamed of [false, true]) {
          const counted = script(() => ({ status, body, headers }));
          const error = await providerErrorOf(() =>
            streamed
              ? Array.fromAsync(provider.streamText(plain, running()))
              : provider.generateText(plain, running()),
          );
          expect(error).toMatchObject({ fault, accepted, status, retryAfterSeconds: 7 });
          expect(error.reported?.message).toContain(`scripted ${status}`);
          expect(allTextsOf(error)).not.toContain(canaryKey);
          expect(error.message).not.toContain('scripted');
          expect(counted.calls).toBe(dialect.renewsToken && status === 401 ? 2 : 1);
        }
      });

      test('reports neither the key nor the operator’s headers', async () => {
        const words = `key ${SECRET} and ${canaryKey} refused, ${encodeURIComponent(SECRET)}`;
        const body = JSON.stringify(dialect.errorBody(400)).replace('scripted 400', words);
        script(() => ({ status: 400, body }));
        const own = newProvider({ headers: ownHeaders });
        const error = await providerErrorOf(() => own.generateText(plain, running()));
        expect(error.reported?.message).toContain('[key]');
        expect(allTextsOf(error)).not.toContain('canary');
      });

      test('with an unknown body is recognised by its status', async () => {
        script(() => ({ status: 503, type: 'text/html', body: '<h1>busy</h1>' }));
        const error = await providerErrorOf(() => provider.generateText(plain, running()));
        expect(error).toMatchObject({ fault: 'busy', status: 503, accepted: false });
      });

      test('in JSON with status 200 is that failure, streamed or not', async () => {
        const body = JSON.stringify(dialect.errorBody(429));
        const calls = [() => stream({ body }), () => generate(body)];
        for (const call of calls) {
          const error = await providerErrorOf(call);
          expect(error.accepted).toBe(true);
          expect(error.reported?.message).toContain('scripted 429');
        }
      });

      test.each(useless)('%s with status 200 is malformed', async (_, reply) => {
        script(() => reply);
        const error = await providerErrorOf(() => provider.generateText(plain, running()));
        expect(error).toMatchObject({ fault: 'failed', accepted: true });
        expect(await providerErrorOf(() => stream(reply))).toMatchObject({ fault: 'failed' });
      });

      test('of a connection that breaks before an answer is unreachable', async () => {
        server.script((call) => dialect.serve?.(call) ?? { headers: {}, end: 'cut' });
        const error = await providerErrorOf(() => provider.generateText(plain, running()));
        expect(error).toMatchObject({ accepted: true });
      });

      test('of a missing server may be repeated elsewhere', async () => {
        const nobody = await WireServer.start();
        const { port } = nobody;
        await nobody[Symbol.asyncDispose]();
        const absent = newProvider({ port });
        const error = await providerErrorOf(() => absent.generateText(plain, running()));
        expect(error).toMatchObject({ fault: 'unreachable', accepted: false });
      });
    });

    describe('a stream', () => {
      test('has the text in parts and one finish', async () => {
        const parts = await stream({ body: await file('stream.sse') });
        expect(said(parts).slice(0, -1)).toEqual([
          { type: 'text', text: 'Привет' },
          { type: 'text', text: ', мир 🌍' },
        ]);
        const counted = parts.findLast((part) => part.type === 'usage');
        expect(counted).toEqual({ type: 'usage', usage: usageOf(dialect.usage.stream) });
        const { answer } = finishOf(parts);
        expect(answer).toMatchObject({
          toolCalls: [],
          finishReason: 'stop',
          usage: usageOf(dialect.usage.stream),
        });
        expect(answer.answeringModel).toBe(dialect.answeringModel?.stream);
      });

      test.if(hasTools)('has tool calls, the first piece of each with id and name', async () => {
        const parts = await stream({ body: await file('stream-tool-calls.sse') });
        const pieces = parts.filter((part) => part.type === 'tool_call');
        const [first] = pieces;
        expect(first).toMatchObject({ index: 0, name: 'get_weather' });
        expect(first?.id).toBeString();
        const text = pieces.filter(({ index }) => index === 0).map((part) => part.arguments);
        expect(JSON.parse(text.join(''))).toEqual({ city: 'Москва' });
        const { toolCalls, finishReason } = finishOf(parts).answer;
        expect(finishReason).toBe('tool_calls');
        expect(toolCalls.map(({ name }) => name)).toEqual(
          dialect.toolCalls === 'one' ? ['get_weather'] : ['get_weather', 'get_time'],
        );
        expect(toolCalls[0]?.id).toBe(first?.id ?? '');
        expect(JSON.parse(toolCalls[0]?.arguments ?? '')).toEqual({ city: 'Москва' });
      });

      test('that the safety system refused is an error with the reported usage', async () => {
        const body = await file('stream-refusal.sse');
        const error = await providerErrorOf(() => stream({ body }));
        const usage = usageOf(dialect.refusalUsage.stream);
        expect(error).toMatchObject({ fault: 'content_refused', accepted: true, usage });
      });

      if (dialect.streamError !== undefined) {
        const name = dialect.streamError;
        test('that ends in an error of the provider is an error', async () => {
          const body = await file(name);
          const error = await providerErrorOf(() => stream({ body }));
          expect(error).toMatchObject({ fault: 'busy', accepted: true });
        });
      }

      test('has the same parts however it is split', async () => {
        for (const name of ['stream.sse', ...(hasTools ? ['stream-tool-calls.sse'] : [])]) {
          const bytes = Buffer.from(await file(name));
          const whole = withoutMadeIds(await partsOf(dialect, [bytes]));
          const cuts = fc.array(fc.nat(bytes.length), { maxLength: 60 });
          await fc.assert(
            fc.asyncProperty(cuts, async (at) => {
              const pieces = cutAt(bytes, at);
              expect(withoutMadeIds(await partsOf(dialect, pieces))).toEqual(whole);
            }),
          );
          const single = Array.from(bytes, (byte) => Uint8Array.of(byte));
          expect(withoutMadeIds(await partsOf(dialect, single))).toEqual(whole);
        }
      });

      test('that ends early is an error, wherever it was cut', async () => {
        const events = (await file('stream.sse')).split(/(?<=\n\n)/).filter((text) => text !== '');
        const needed = events.slice(0, events.length - dialect.spareEvents).join('');
        // The blank line after the last needed event, and the line end before it, add nothing.
        const bytes = Buffer.from(needed.trimEnd());
        await fc.assert(
          fc.asyncProperty(fc.nat(bytes.length - 1), async (length) => {
            const cut = await providerErrorOf(() => partsOf(dialect, [bytes.subarray(0, length)]));
            expect(cut).toMatchObject({ fault: 'failed', accepted: true });
          }),
          { numRuns: 300 },
        );
        expect((await partsOf(dialect, [bytes])).at(-1)?.type).toBe('finish');
      });

      test('whose connection is cut is an error', async () => {
        const body = (await file('stream.sse')).slice(0, -40);
        const events = body.slice(0, body.indexOf('\n\n') + 2);
        const error = await providerErrorOf(() => stream({ body: events, end: 'cut' }));
        expect(error).toMatchObject({ fault: 'failed', accepted: true });
      });

      test('that is JSON instead of a stream is malformed', async () => {
        const error = await providerErrorOf(() => stream({ body: '{"nothing": true}' }));
        expect(error).toMatchObject({ fault: 'failed', accepted: true });
      });
    });

    describe('a caller who stops', () => {
      test('ends the call', async () => {
        script(() => ({ body: ' ', end: 'hold' }));
        const controller = new AbortController();
        const work = provider.generateText(plain, controller.signal);
        await server.next();
        controller.abort();
        expect(await providerErrorOf(() => work)).toMatchObject({ fault: 'failed' });
        expect(await server.calls.at(-1)?.ended).toBe('dropped');
      });

      test('ends a stream, by the signal or by leaving the loop', async () => {
        const events = await file('stream.sse');
        const body = events.slice(0, events.indexOf(', мир'));
        const firstText = events.slice(0, body.lastIndexOf('\n\n') + 2);
        script(() => ({ body: firstText, end: 'hold' }));
        const controller = new AbortController();
        const parts = provider.streamText(plain, controller.signal)[Symbol.asyncIterator]();
        expect(said((await parts.next()).value ?? [])).toMatchObject([{ type: 'text' }]);
        const next = parts.next();
        controller.abort();
        expect(await providerErrorOf(() => next)).toMatchObject({ fault: 'failed' });
        expect(await server.calls.at(-1)?.ended).toBe('dropped');
        for await (const together of provider.streamText(plain, running())) {
          expect(said(together)).toMatchObject([{ type: 'text' }]);
          break;
        }
        expect(await server.calls.at(-1)?.ended).toBe('dropped');
      });

      test('by the deadline gets a timeout', async () => {
        const late = new AbortController();
        script(() => {
          late.abort(new DOMException('late', 'TimeoutError'));
          return { body: ' ', end: 'hold' };
        });
        const call = () => provider.generateText(plain, late.signal);
        expect(await providerErrorOf(call)).toMatchObject({ fault: 'timeout', accepted: true });
      });
    });
  });
}

/** Without the parts that are only counted. */
function said(parts: readonly TextPart[]): TextPart[] {
  return parts.filter(({ type }) => type !== 'usage' && type !== 'reasoning');
}

function finishOf(parts: readonly TextPart[]): FinishPart {
  const last = parts.at(-1);
  if (last?.type !== 'finish') throw new Error('there is no finish');
  return last;
}

/** The parts of a stream that arrives in these pieces. */
async function partsOf(dialect: WireDialect, pieces: readonly Uint8Array[]): Promise<TextPart[]> {
  const left = [...pieces];
  const bytes = { read: async () => left.shift(), discard: () => undefined };
  const open = async () => ({ bytes, events: dialect.reader() });
  return (await Array.fromAsync(readStream(open, running()))).flat();
}

/** If a provider sends no ids, new ones are made for each answer. */
function withoutMadeIds(parts: TextPart[]): unknown {
  return JSON.parse(JSON.stringify(parts).replace(/call_[\da-f]{32}/g, 'call'));
}

function cutAt(bytes: Uint8Array, cuts: number[]): Uint8Array[] {
  const bounds = [0, ...cuts.sort((a, b) => a - b), bytes.length];
  return bounds.slice(1).map((end, i) => bytes.subarray(bounds[i], end));
}
