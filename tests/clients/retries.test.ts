/** The clients' two automatic retries: no retry is charged twice without notice. */
import { describe, expect, test } from 'bun:test';
import type OpenAI from 'openai';
import { DatabaseUnavailableError } from '../../src/lib/errors.ts';
import { failure } from '../support/failure.ts';
import { tinyPng } from '../support/scripted-provider.ts';
import { expectBooksHold } from '../support/world.ts';
import { clientWorld } from './caller.ts';
import { question, readAll, type Dial } from './client.ts';
import { anthropicMessages } from './kinds/anthropic.ts';
import { openAi, openAiChat } from './kinds/openai-chat.ts';

const world = clientWorld();
const RETRIES = 2;

/** The network between client and gateway, as recorded. */
interface Line {
  fetch: typeof fetch;
  statuses: number[];
  headers: Headers[];
}

/** @param spoil called with each answer, counted from 0; the client gets the error that it throws */
function line(spoil: (response: Response, index: number) => Promise<void> | void): Line {
  const [statuses, headers]: [number[], Headers[]] = [[], []];
  const call = async (...args: Parameters<typeof fetch>): Promise<Response> => {
    const response = await fetch(...args);
    statuses.push(response.status);
    headers.push(response.headers);
    await spoil(response, statuses.length - 1);
    return response;
  };
  return { fetch: Object.assign(call, { preconnect: fetch.preconnect }), statuses, headers };
}

/** Loses the first answer after the gateway has sent it completely. */
function losesFirst(): Line {
  return line(async (response, index) => {
    if (index > 0) return;
    await response.arrayBuffer();
    throw new TypeError('the connection was lost');
  });
}

const withKey = (dial: Dial, key: string): Dial => ({
  ...dial,
  headers: { 'Idempotency-Key': key },
});

for (const { name, make } of [openAiChat, anthropicMessages]) {
  describe(`a lost answer to ${name}`, () => {
    test('is repeated by the client and charged once if the call has a key', async () => {
      const { gateway, provider, caller } = world();
      const alice = await caller();
      const calls = provider.calls.length;
      const { fetch, statuses, headers } = losesFirst();
      const client = make({ ...withKey(alice.dial, 'once'), fetch, retries: RETRIES });
      expect((await client.send(question('Hi'))).text).toBe('echo: Hi');
      expect(statuses).toEqual([200, 200]);
      expect(headers.map((of) => of.get('idempotent-replayed'))).toEqual([null, 'true']);
      expect(provider.calls.length).toBe(calls + 1);
      expect(await alice.charges()).toHaveLength(1);
      expect(await alice.apiHistory()).toHaveLength(1);
      await expectBooksHold(gateway);
    });

    test('without a key is two messages and two charges', async () => {
      const alice = await world().caller();
      const { fetch } = losesFirst();
      const client = make({ ...alice.dial, fetch, retries: RETRIES });
      expect((await client.send(question('Hi'))).text).toBe('echo: Hi');
      const items = await alice.apiHistory();
      expect(items.map(({ request, state }) => [request, state])).toEqual([
        ['Hi', 'done'],
        ['Hi', 'done'],
      ]);
      expect(await alice.charges()).toHaveLength(2);
    });
  });
}

describe('a stream that is lost with its first words', () => {
  test('is charged once if it has a key, and is marked as cut short', async () => {
    const { gateway, provider, caller } = world();
    const alice = await caller();
    await provider.script({ deltas: ['Half ', 'and half'], pauseAfterFirst: true });
    const { fetch, statuses } = line(async (response, index) => {
      if (index > 0) return;
      await response.body?.cancel();
      // The gateway notices that the connection is lost; the retry must not arrive before that.
      await alice.settled();
      throw new TypeError('the connection was lost');
    });
    const client = openAi({ ...withKey(alice.dial, 'part'), fetch, retries: RETRIES });
    const body = { model: 'mini', messages: [{ role: 'user' as const, content: 'Hi' }] };
    const stream = await client.chat.completions.create({ ...body, stream: true });
    const choices = (await Array.fromAsync(stream)).flatMap((chunk) => chunk.choices);
    await provider.script('good');
    provider.cut();
    expect(statuses).toEqual([200, 200]);
    expect(choices.map(({ delta }) => delta.content ?? '').join('')).toBe('Half ');
    // Not `stop`, so that clients do not take it for the whole answer.
    expect(choices.at(-1)?.finish_reason).toBe('length');
    expect(await alice.settled()).toMatchObject({ state: 'stopped', response: 'Half ' });
    expect(await alice.charges()).toHaveLength(1);
    await expectBooksHold(gateway);
  });
});

/** Lets the next call of a method fail as if the database were unavailable. */
function failsOnce<K extends string>(
  holder: Record<K, (...args: never[]) => unknown>,
  method: K,
): Disposable {
  const whole = holder[method];
  holder[method] = () => {
    holder[method] = whole;
    throw new DatabaseUnavailableError('the connection broke');
  };
  return { [Symbol.dispose]: () => void (holder[method] = whole) };
}

describe('an answer that was charged but cannot be rendered', () => {
  const request = { model: 'mini', messages: [{ role: 'user' as const, content: 'Hi' }] };
  const calls: Record<string, (client: OpenAI) => Promise<unknown>> = {
    'chat completions': (client) => client.chat.completions.create(request),
    responses: (client) => client.responses.create({ model: 'mini', input: 'Hi' }),
    embeddings: (client) => client.embeddings.create({ model: '104', input: 'Hi' }),
  };
  const bytes = { model: 'painter', prompt: 'A dot', response_format: 'b64_json' } as const;

  for (const [name, call] of Object.entries(calls)) {
    test(`is not requested again: ${name}`, async () => {
      const { gateway, caller } = world();
      const alice = await caller();
      const { fetch, statuses, headers } = line(() => undefined);
      using _ = failsOnce(gateway.core.catalogue, 'versionView');
      const error = await failure(call(openAi({ ...alice.dial, fetch, retries: RETRIES })));
      expect(String(error)).toContain('in your history');
      expect(statuses).toEqual([500]);
      expect(headers[0]?.get('x-should-retry')).toBe('false');
      expect(await alice.charges()).toHaveLength(1);
    });
  }

  test('is not requested again: the bytes of an image', async () => {
    const { gateway, caller } = world();
    const alice = await caller();
    const { fetch, statuses } = line(() => undefined);
    using _ = failsOnce(gateway.core.images, 'read');
    const client = openAi({ ...alice.dial, fetch, retries: RETRIES });
    await failure(client.images.generate(bytes));
    expect(statuses).toEqual([500]);
    expect(await alice.charges()).toHaveLength(1);
  });

  test('is not requested again: Anthropic', async () => {
    const { gateway, caller } = world();
    const alice = await caller();
    const { fetch, statuses } = line(() => undefined);
    using _ = failsOnce(gateway.core.catalogue, 'versionView');
    const client = anthropicMessages.make({ ...alice.dial, fetch, retries: RETRIES });
    await failure(client.send(question('Hi')));
    expect(statuses).toEqual([500]);
    expect(await alice.charges()).toHaveLength(1);
  });

  test('is not requested again: the native interface', async () => {
    const { gateway, caller } = world();
    const alice = await caller();
    using _ = failsOnce(gateway.core.catalogue, 'versionView');
    const { status, headers, body } = await alice.trySend();
    expect([status, body.error?.code]).toEqual([500, 'internal_error']);
    expect(headers.get('x-should-retry')).toBe('false');
    expect(await alice.charges()).toHaveLength(1);
  });

  test('is requested again under its key, for one charge', async () => {
    const { gateway, caller } = world();
    const alice = await caller();
    const { fetch, statuses } = line(() => undefined);
    using _ = failsOnce(gateway.core.images, 'read');
    const client = openAi({ ...withKey(alice.dial, 'dot'), fetch, retries: RETRIES });
    expect((await client.images.generate(bytes)).data?.[0]?.b64_json).toBe(
      tinyPng.toString('base64'),
    );
    expect(statuses).toEqual([503, 200]);
    expect(await alice.charges()).toHaveLength(1);
  });
});

describe('retries', () => {
  test('while the first call still runs wait for its answer', async () => {
    const { provider, caller } = world();
    const alice = await caller();
    await provider.script('hold');
    const calls = provider.calls.length;
    const leaving = new AbortController();
    const statuses: number[] = [];
    const impatient = async (...[url, init]: Parameters<typeof fetch>): Promise<Response> => {
      const first = statuses.length === 0;
      if (first) void provider.held(1).then(() => leaving.abort(new TypeError('lost')));
      statuses.push(0);
      const response = await fetch(url, first ? { ...init, signal: leaving.signal } : init);
      statuses[statuses.length - 1] = response.status;
      // The first answer is there before the next attempt.
      if (response.status === 409) provider.release();
      return response;
    };
    const client = openAiChat.make({
      ...withKey(alice.dial, 'patient'),
      fetch: Object.assign(impatient, { preconnect: fetch.preconnect }),
      retries: RETRIES,
    });
    expect((await client.send(question('Hi'))).text).toBe('echo: Hi');
    await provider.script('good');
    expect(statuses).toEqual([0, 409, 200]);
    expect(provider.calls.length).toBe(calls + 1);
    expect(await alice.charges()).toHaveLength(1);
  });

  for (const { name, make } of [openAiChat, anthropicMessages]) {
    test(`are not made by ${name} after a provider was called, nor without money`, async () => {
      const { provider, caller } = world();
      const [alice, poor] = [await caller(), await caller({ credit: 0 })];
      for (const [fault, dial, status] of [
        ['500', alice.dial, 502],
        ['reset', alice.dial, 502],
        ['429', alice.dial, 503],
        ['408', alice.dial, 504],
        ['good', poor.dial, 402],
      ] as const) {
        await provider.script(fault);
        const { fetch, statuses, headers } = line(() => undefined);
        const client = make({ ...dial, fetch, retries: RETRIES });
        for (const attempt of [
          () => client.send(question('Hi')),
          () => readAll(client.stream(question('Hi'))),
        ]) {
          expect(await failure(attempt())).toBeInstanceOf(Error);
        }
        expect([fault, statuses]).toEqual([fault, [status, status]]);
        expect(headers[0]?.get('x-should-retry')).toBe('false');
      }
      await provider.script('good');
    });
  }

  test('are made when the provider cannot be reached, and succeed', async () => {
    const { provider, caller } = world();
    const alice = await caller();
    await provider.script('refused');
    const { fetch, statuses } = line(async (_, index) => {
      if (index === 0) await provider.script('good');
    });
    const client = openAiChat.make({ ...alice.dial, fetch, retries: RETRIES });
    expect((await client.send(question('Hi'))).text).toBe('echo: Hi');
    expect(statuses).toEqual([503, 200]);
    expect(await alice.charges()).toHaveLength(1);
  });
});
