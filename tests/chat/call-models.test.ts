/** The order in which a call tries models, what ends it, and what is reported about it. */
import { describe, expect, test } from 'bun:test';
import type { Catalogue, CatalogueModel } from '../../src/catalogue/index.ts';
import { CallFailure, callModels, openStream } from '../../src/chat/send/call-models.ts';
import type { SendInput } from '../../src/chat/send/send-input.ts';
import { Stopper } from '../../src/lib/stop-signal.ts';
import {
  noUsage,
  ProviderError,
  ProviderPool,
  UnsupportedError,
  type Provider,
  type TextAnswer,
  type TextPart,
} from '../../src/providers/index.ts';
import { usageOf } from '../providers/fixtures.ts';

const input: SendInput = {
  kind: 'room',
  roomId: '',
  ai: 1,
  message: 'Hi',
  systemPrompt: '',
  chatDepth: 0,
  maxOutputTokens: undefined,
  temperature: undefined,
  seed: undefined,
  traceparent: undefined,
  trace: { requestId: 'r' },
};
const answer: TextAnswer = {
  text: 'Hello',
  providerMessageId: null,
  finishReason: 'stop',
  seed: null,
  usage: noUsage,
  warnings: [],
  toolCalls: [],
};

/** The answers of models, by name. */
type Script = Record<string, Error | (() => AsyncGenerator<TextPart[]>)>;

/** A call of the models 1, 2 and 3, called `one`, `two` and `three`: the first and its fallbacks. */
function calling(script: Script, given: SendInput = input) {
  const models = ['one', 'two', 'three'].map((name, index) => ({
    id: index + 1,
    provider: name,
    model: name,
    type: 'TEXT',
    fallbacks: [2, 3],
    maxInputTokens: 100,
    maxOutputTokens: 100,
    minTemperature: 0,
    maxTemperature: 2,
    chatAllowed: true,
  })) as unknown as [CatalogueModel];
  const catalogue = {
    get: (id: number) => models.find((model) => model.id === id),
    providerSetup: (code: string) => ({
      code,
      kind: 'scripted',
      baseUrl: undefined,
      apiKey: undefined,
      timeoutSeconds: 600,
      options: {},
    }),
    whyUnusable: () => undefined,
  } as unknown as Catalogue;
  const called: string[] = [];
  const reply = async <T>(name: string, good: T): Promise<T> => {
    called.push(name);
    const said = script[name];
    if (said instanceof Error) throw said;
    return good;
  };
  const create = (): Provider => ({
    generateText: ({ model }) => reply(model, answer),
    embed: ({ model }) => reply(model, { vectors: [[1]], usage: noUsage, warnings: [] }),
    async *streamText({ model }) {
      await reply(model, undefined);
      const stream = script[model];
      if (typeof stream === 'function') yield* stream();
    },
  });
  const pool = new ProviderPool({ create });
  const signal = new Stopper();
  const held = {
    model: models[0],
    userId: 1,
    admitted: undefined,
    input: given,
    outputTokensMax: 100,
    askedAt: 0,
    context: { items: [], inputTokensMax: 10 },
  };
  return { catalogue, pool, held, call: { held, signal }, called, signal };
}

/** The failure of a call that no model answers. */
async function failureOf(work: Promise<unknown>): Promise<CallFailure> {
  const failure = await work.catch((error: unknown) => error);
  if (failure instanceof CallFailure) return failure;
  throw new Error('expected a CallFailure');
}

const failed = (accepted: boolean) => new ProviderError('failed', 'no', { accepted });

describe('the models of a call', () => {
  test('a fallback that cannot take the request is skipped', async () => {
    const script = { one: failed(true), two: new UnsupportedError('seed', 'No seed.') };
    const { catalogue, pool, call, called } = calling(script);
    const { served } = await callModels(catalogue, pool, call);
    expect([served.id, called]).toEqual([3, ['one', 'two', 'three']]);
  });

  test('a request that the requested model cannot take is refused without a fallback', async () => {
    const unsupported = new UnsupportedError('seed', 'No seed.');
    const { catalogue, pool, call, called } = calling({ one: unsupported });
    expect((await failureOf(callModels(catalogue, pool, call))).error).toBe(unsupported);
    expect(called).toEqual(['one']);
  });

  test('no further model is called once the call is stopped', async () => {
    const script: Script = {};
    const { catalogue, pool, call, called, signal } = calling(script);
    script['one'] = failed(true);
    const work = callModels(catalogue, pool, call);
    signal.abort();
    const { attempts } = await failureOf(work);
    expect([called, attempts.map(({ outcome }) => outcome)]).toEqual([['one'], ['stopped']]);
  });

  test('no further model is called once the call is stopped while a fallback is checked', async () => {
    const { catalogue, pool, held, call, called, signal } = calling({ one: failed(true) });
    const context = {
      items: [],
      get inputTokensMax() {
        // Only fallbacks are checked, each when its turn has come.
        signal.abort();
        return 10;
      },
    };
    await failureOf(callModels(catalogue, pool, { ...call, held: { ...held, context } }));
    expect(called).toEqual(['one']);
  });

  test('only models that the caller may use are called', async () => {
    const { catalogue, pool, held, call, called } = calling({ one: failed(true) });
    const admitted = { counted: { tokens: 0, minutes: {} }, quotas: [], models: [1, 3] };
    const { served } = await callModels(catalogue, pool, { ...call, held: { ...held, admitted } });
    expect([served.id, called]).toEqual([3, ['one', 'three']]);
  });

  test("the requested model's failure is thrown, marked as accepted when a fallback may have begun", async () => {
    const facts = { status: 503, retryAfterSeconds: 30, usage: usageOf({ promptTokens: 3 }) };
    const busy = new ProviderError('busy', 'busy', {
      accepted: false,
      ...facts,
      reported: { code: 'full' },
    });
    const script = { one: busy, two: failed(true), three: failed(false) };
    const { catalogue, pool, call } = calling(script);
    const { error } = await failureOf(callModels(catalogue, pool, call));
    expect(error).toMatchObject({
      fault: 'busy',
      accepted: true,
      ...facts,
      reported: { code: 'full' },
    });
  });
});

test('an image is refused by name if the provider makes no images', async () => {
  const { catalogue, pool, call } = calling(
    {},
    {
      kind: 'image',
      roomId: '',
      ai: 1,
      prompt: 'A cat',
      size: undefined,
      quality: undefined,
      seed: undefined,
      traceparent: undefined,
      refuseUnsupported: false,
      trace: { requestId: 'r' },
    },
  );
  const { error } = await failureOf(callModels(catalogue, pool, call));
  expect(error).toMatchObject({ fault: 'unsupported', field: 'model' });
});

test('embeddings have no output tokens, whatever usage is reported', async () => {
  const { catalogue, pool, call } = calling(
    {},
    {
      kind: 'embedding',
      roomId: '',
      ai: 1,
      traceparent: undefined,
      trace: { requestId: 'r' },
      texts: ['Hi'],
      dimensions: undefined,
    },
  );
  const { answer: given } = await callModels(catalogue, pool, call);
  expect(given.usage).toEqual(usageOf({ completionTokens: 0 }));
});

test('a stream reports the answering model, the events before its first word, and all attempts', async () => {
  const usage = usageOf({ promptTokens: 1_500 });
  const script: Script = {
    one: failed(true),
    async *two() {
      yield [{ type: 'usage', usage }];
      yield [{ type: 'text', text: 'Hello' }];
    },
  };
  const { catalogue, pool, call } = calling(script);
  const early: TextPart[] = [];
  const opened = await openStream(catalogue, pool, {
    ...call,
    left: new Stopper(),
    onCall: () => void early.splice(0),
    opens: (parts) => {
      const isOpen = parts.some(({ type }) => type === 'text');
      if (!isOpen) early.push(...parts);
      return isOpen;
    },
  });
  await opened.rest.return(undefined);
  expect(opened.first).toEqual([{ type: 'text', text: 'Hello' }]);
  expect([opened.served.id, early]).toEqual([2, [{ type: 'usage', usage }]]);
  expect(opened.attempts().map(({ provider, outcome }) => [provider, outcome])).toEqual([
    ['one', 'failed'],
    ['two', 'stopped'],
  ]);
});
