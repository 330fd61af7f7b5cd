/** The charge for a stream whose client left while the model may have been reasoning without showing it. */
import { describe, expect, test } from 'bun:test';
import { dialects } from '../support/databases.ts';
import { allEvents, eventsOf } from '../support/event-stream.ts';
import { HELD_SECONDS, holdDeadlines } from '../support/held-deadline.ts';
import { exactCost } from '../support/rational.ts';
import {
  closed,
  expectBooksHold,
  micro,
  openWorld,
  sharedWorld,
  TEXT_MODEL,
  type Chatter,
  type HistoryItem,
} from '../support/world.ts';

const PLAIN = 201;
const NAMED = 202;
const HURRIED = 203;
const PRICED = 204;
const WITH_FALLBACK = 205;
const options = {
  models: [
    { id: TEXT_MODEL },
    { id: PLAIN, model: 'plain-text' },
    { id: NAMED, model: 'gpt-5-mini' },
    { id: PRICED, model: 'reasons-at-times', cost_reasoning_tokens_rub: 266.666667 },
    { id: WITH_FALLBACK, model: 'o1', fallbacks: [PLAIN] },
    { id: HURRIED, provider: 'hurried', model: 'o3' },
  ],
  providers: ({ baseUrl }: { baseUrl: string }) => ({
    hurried: { kind: 'openai', base_url: baseUrl, timeout_seconds: HELD_SECONDS },
  }),
};
const half = { deltas: ['Half', ' and half'], pauseAfterFirst: true };
/** Far more tokens than the answer has letters. */
const usage = { prompt_tokens: 20, completion_tokens: 900 };
const asReported = {
  state: 'stopped',
  finish_reason: 'stopped',
  response: 'Half',
  usage_source: 'provider',
  usage_prompt_tokens: '20',
  usage_completion_tokens: '900',
};

/** Leaves a stream after its first delta. */
async function leave(alice: Chatter, body: object): Promise<void> {
  for await (const { event } of eventsOf(await alice.stream(body))) if (event === 'delta') break;
}

function expectCharge(item: HistoryItem, prompt: number, completion: number): void {
  expect(BigInt(micro(item.cost_request))).toBe(exactCost(1_000, prompt, 133_333_333));
  expect(BigInt(micro(item.cost_response))).toBe(exactCost(2_000, completion, 266_666_667));
}

for (const dialect of dialects) {
  describe(`${dialect}: a stream that its client leaves`, () => {
    const world = sharedWorld(dialect, options);

    for (const [why, ai] of [
      ['of a model in doubt', TEXT_MODEL],
      ['of a model that hid reasoning before', TEXT_MODEL],
      ['of a model that hides reasoning by its name', NAMED],
    ] as const) {
      test(`${why} is read to its end, and charged as reported`, async () => {
        const { gateway, provider, user } = world();
        const alice = await user();
        await provider.script({ ...half, usage });
        const call = provider.calls.length;
        await leave(alice, { ai });
        await Bun.sleep(50);
        expect((await alice.funds()).held).toBeGreaterThan(0);
        provider.release();
        const item = await closed(alice);
        expect(await provider.calls[call]?.ended).toBe('answered');
        expect(item).toMatchObject(asReported);
        expectCharge(item, 20, 900);
        expect((await alice.funds()).held).toBe(0);
        await provider.script('good');
        await expectBooksHold(gateway);
      });
    }

    test('whose request asks for reasoning is read to its end, whatever the model', async () => {
      const { gateway, provider, user } = world();
      const alice = await user();
      await alice.send({ ai: PLAIN });
      await provider.script({ ...half, usage });
      const response = await gateway.fetch('/v1/chat/completions', {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${alice.token}`,
          'x-room-id': alice.room,
        },
        body: JSON.stringify({
          model: 'plain-text',
          messages: [{ role: 'user', content: 'Hi' }],
          reasoning_effort: 'high',
          stream: true,
        }),
      });
      const reader = response.body?.getReader();
      await reader?.read();
      await reader?.cancel();
      await Bun.sleep(50);
      provider.release();
      const item = await closed(alice);
      await provider.script('good');
      expect(item).toMatchObject({ ...asReported, response: expect.any(String) });
      expectCharge(item, 20, 900);
    });

    test('before its first word is read to its end as well', async () => {
      const { provider, user } = world();
      const alice = await user();
      await provider.script('hold');
      const events = eventsOf(await alice.stream({ ai: NAMED }));
      await events.next();
      await provider.held(1);
      await events.return(undefined);
      await Bun.sleep(50);
      provider.release();
      const item = await closed(alice);
      await provider.script('good');
      expect(item).toMatchObject({ state: 'stopped', response: '', usage_source: 'provider' });
      expectCharge(item, Number(item.usage_prompt_tokens), Number(item.usage_completion_tokens));
    });

    test('of a model with a price for its reasoning is read to its end', async () => {
      const { provider, user } = world();
      const alice = await user();
      await alice.send({ ai: PRICED });
      await provider.script({ ...half, usage });
      await leave(alice, { ai: PRICED });
      await Bun.sleep(50);
      provider.release();
      expect(await closed(alice)).toMatchObject(asReported);
      await provider.script('good');
    });

    test('is not sent again, nor to a fallback, when the provider refuses it', async () => {
      const { gateway, provider, user } = world();
      const alice = await user();
      const { promise: left, resolve } = Promise.withResolvers<void>();
      await provider.script(async () => {
        await left;
        return '503' as const;
      });
      const calls = provider.calls.length;
      const response = await alice.stream({ ai: WITH_FALLBACK });
      await provider.received(calls + 1);
      await response.body?.cancel();
      await Bun.sleep(50);
      resolve();
      const item = await closed(alice);
      expect(item).toMatchObject({ state: 'stopped', cost_request: 0, cost_response: 0 });
      expect(provider.calls).toHaveLength(calls + 1);
      expect((await alice.funds()).held).toBe(0);
      await provider.script('good');
      await expectBooksHold(gateway);
    });

    test('is announced by the estimate and by the end of a stream', async () => {
      const { gateway, user } = world();
      const alice = await user();
      await alice.send({ ai: PLAIN });
      for (const [ai, expected] of [
        [NAMED, 'read_to_end'],
        [PLAIN, 'stopped'],
      ]) {
        const body = { room_id: alice.room, ai, message: 'Hi' };
        const estimate = await gateway.data('/ai/estimate/', body, { token: alice.token });
        expect(estimate).toMatchObject({ left_stream: expected });
        const end = (await allEvents(await alice.stream({ ai }))).at(-1);
        expect(end).toMatchObject({ event: 'done', data: { left_stream: expected } });
      }
    });

    test('of a model whose answers show no reasoning stops the provider', async () => {
      const { provider, user } = world();
      const alice = await user();
      await alice.send({ ai: PLAIN });
      await provider.script({ ...half, usage });
      await leave(alice, { ai: PLAIN });
      expect(await provider.calls.at(-1)?.ended).toBe('dropped');
      provider.cut();
      await provider.script('good');
      expect(await closed(alice)).toMatchObject({ state: 'stopped', usage_source: 'estimated' });
    });

    test('is read only until everything that was made can be counted', async () => {
      const { provider, user } = world();
      const alice = await user();
      const usageSoFar = { prompt_tokens: 20, completion_tokens: 300 };
      await provider.script({ ...half, deltas: ['Half', ' and', ' half'], usageSoFar, usage });
      const held = provider.held(1);
      const response = await alice.stream({ ai: NAMED });
      // The client left before any event was read; the first event has the usage so far.
      await held;
      await response.body?.cancel();
      expect(await provider.calls.at(-1)?.ended).toBe('dropped');
      provider.cut();
      await provider.script('good');
      expect(await closed(alice)).toMatchObject({
        state: 'stopped',
        usage_source: 'provider',
        usage_completion_tokens: '300',
      });
    });

    test('and breaks while it is read to its end is charged for what was delivered', async () => {
      const { gateway, provider, user } = world();
      const alice = await user();
      await provider.script({ ...half, usage });
      await leave(alice, { ai: NAMED });
      await provider.held(1);
      provider.cut();
      const item = await closed(alice);
      await provider.script('good');
      expect(item).toMatchObject({ state: 'stopped', response: 'Half', usage_source: 'estimated' });
      expect(item.cost_response).toBeGreaterThan(0);
      await expectBooksHold(gateway);
    });

    test('is read within the deadline of its provider', async () => {
      const { provider, user } = world();
      const alice = await user();
      await provider.script({ ...half, usage });
      using deadline = holdDeadlines();
      await leave(alice, { ai: HURRIED });
      expect((await alice.funds()).held).toBeGreaterThan(0);
      deadline.pass();
      expect(await closed(alice)).toMatchObject({ state: 'stopped', usage_source: 'estimated' });
      expect(await provider.calls.at(-1)?.ended).toBe('dropped');
      provider.cut();
      await provider.script('good');
    });
  });

  describe(`${dialect}: a server that stops`, () => {
    test('waits for streams that are read to their end', async () => {
      await using world = await openWorld(dialect, options);
      const { gateway, provider, user } = world;
      const alice = await user();
      await provider.script({ ...half, usage });
      await leave(alice, { ai: NAMED });
      const stopped = gateway.app.stop(10_000);
      await Bun.sleep(50);
      provider.release();
      expect(await stopped).toBe(true);
      const [message] = await gateway.core.db.query(
        'SELECT state, response, completion_tokens AS tokens FROM messages',
      );
      expect(message).toEqual({ state: 'stopped', response: 'Half', tokens: 900 });
      expect(await alice.funds()).toMatchObject({ held: 0 });
    });

    test('ends them when the drain time is over, and charges what was delivered', async () => {
      await using world = await openWorld(dialect, options);
      const { gateway, provider, user } = world;
      const alice = await user();
      await provider.script({ ...half, usage });
      await leave(alice, { ai: NAMED });
      expect(await gateway.app.stop(0)).toBe(true);
      const [message] = await gateway.core.db.query(
        'SELECT state, response, usage_source AS source FROM messages',
      );
      expect(message).toEqual({ state: 'stopped', response: 'Half', source: 'estimated' });
      expect(await alice.funds()).toMatchObject({ held: 0 });
    });
  });
}
