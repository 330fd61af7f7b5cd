/** Send with `stream: true`. */
import { beforeAll, describe, expect, test } from 'bun:test';
import { dialects } from '../support/databases.ts';
import { allEvents, eventsOf, type SentEvent } from '../support/event-stream.ts';
import { closed, expectBooksHold, micro, sharedWorld } from '../support/world.ts';

const names = (events: SentEvent[]) => events.map(({ event }) => event);
const textOf = (events: SentEvent[]) =>
  events.flatMap(({ event, data }) => (event === 'delta' ? [data['text']] : [])).join('');

for (const dialect of dialects) {
  describe(`${dialect}: a streamed send`, () => {
    const world = sharedWorld(dialect);
    // An answer shows that the model has no hidden reasoning, so its left streams are stopped.
    beforeAll(async () => void (await (await world().user()).send()));

    test('consists of start, deltas, and done with the whole result', async () => {
      const { provider, user } = world();
      const alice = await user();
      await provider.script({ deltas: ['При', 'вет ', '😀', '\n'], finishReason: 'length' });
      const response = await alice.stream({ message: 'Hi' });
      expect([response.status, response.headers.get('content-type')]).toEqual([
        200,
        'text/event-stream; charset=utf-8',
      ]);
      expect(response.headers.get('cache-control')).toBe('no-store');
      const events = await allEvents(response);
      await provider.script('good');
      expect(names(events)).toEqual(['start', 'delta', 'delta', 'delta', 'delta', 'done']);
      expect(textOf(events)).toBe('Привет 😀\n');
      const done = events.at(-1)?.data;
      expect(events[0]?.data).toEqual({ room_id: alice.room, id: done?.['id'] });
      const plain = await alice.send({ message: 'Hi' });
      expect(done).toHaveProperty('left_stream', 'stopped');
      expect(Object.keys(done ?? {})).toEqual([...Object.keys(plain), 'left_stream']);
      expect(done).toMatchObject({
        room_id: alice.room,
        request: 'Hi',
        response: 'Привет 😀\n',
        finish_reason: 'length',
        usage: { source: 'provider' },
        ai: { id: 101 },
      });
      const [item] = await alice.history();
      expect(item).toMatchObject({ state: 'done', response: 'Привет 😀\n' });
      expect(await alice.charges()).toEqual([
        micro(Number(done?.['cost_request'])) + micro(Number(done?.['cost_response'])),
        micro(plain.cost_request) + micro(plain.cost_response),
      ]);
    });

    test('sends each delta as soon as the provider sent it', async () => {
      const { provider, user } = world();
      const alice = await user();
      await provider.script({ deltas: ['first ', 'second'], pauseAfterFirst: true });
      const events = eventsOf(await alice.stream());
      expect((await events.next()).value?.event).toBe('start');
      // The provider is still waiting to send the rest.
      expect((await events.next()).value?.data).toEqual({ text: 'first ' });
      expect((await alice.funds()).held).toBeGreaterThan(0);
      provider.release();
      const rest = await Array.fromAsync(events);
      await provider.script('good');
      expect(names(rest)).toEqual(['delta', 'done']);
      expect((await alice.funds()).held).toBe(0);
    });

    test('gets a plain error if it fails before the start', async () => {
      const { user } = world();
      const alice = await user();
      const poor = await user({ credit: 0 });
      const refusals: [Promise<Response>, number, string][] = [
        [alice.stream({ ai: 999 }), 404, 'model_not_found'],
        [alice.stream({ room_id: 'a'.repeat(32) }), 404, 'room_not_found'],
        [alice.stream({ message: '' }), 422, 'invalid_request'],
        [alice.stream({ temperature: 9 }), 422, 'invalid_request'],
        [alice.stream({ message: 'a b '.repeat(9000) }), 422, 'input_too_long'],
        [poor.stream(), 402, 'insufficient_funds'],
      ];
      for (const [sending, status, code] of refusals) {
        const response = await sending;
        expect([response.status, response.headers.get('content-type')]).toEqual([
          status,
          'application/json; charset=utf-8',
        ]);
        expect(await response.json()).toMatchObject({ status: 'error', error: { code } });
      }
    });

    const broken: [
      fault: 'cut_stream' | 'no_finish' | 'stream_error_event' | 'error_finish' | '500' | '429',
      code: string,
    ][] = [
      ['cut_stream', 'provider_error'],
      ['no_finish', 'provider_error'],
      ['stream_error_event', 'provider_error'],
      ['error_finish', 'provider_error'],
      ['500', 'provider_error'],
      ['429', 'provider_unavailable'],
    ];
    for (const [fault, code] of broken) {
      test(`that breaks upstream (${fault}) ends in error, and costs nothing`, async () => {
        const { gateway, provider, user } = world();
        const alice = await user();
        await provider.script(fault);
        const response = await alice.stream({}, { headers: { 'x-request-id': 'mine' } });
        const events = await allEvents(response);
        await provider.script('good');
        expect(names(events)).not.toContain('done');
        expect(events[0]?.event).toBe('start');
        expect(events.at(-1)).toMatchObject({ event: 'error', data: { code, request_id: 'mine' } });
        expect(await alice.funds()).toMatchObject({ balance: 100_000_000, held: 0 });
        expect(await alice.history()).toEqual([]);
        const [item] = await alice.history({ include_failed: true });
        expect(item).toMatchObject({ state: 'failed', error_code: code, response: '' });
        await expectBooksHold(gateway);
      });
    }

    test('that the client stops keeps the delivered part, marked and charged by an estimate', async () => {
      const { gateway, provider, user } = world();
      const alice = await user();
      await provider.script({ deltas: ['Half of an ', 'answer'], pauseAfterFirst: true });
      const events = eventsOf(await alice.stream({ message: 'A question' }));
      await events.next();
      expect((await events.next()).value?.data).toEqual({ text: 'Half of an ' });
      await events.return(undefined);
      expect(await provider.calls.at(-1)?.ended).toBe('dropped');
      await provider.script('good');
      const item = await closed(alice);
      expect(item).toMatchObject({
        state: 'stopped',
        finish_reason: 'stopped',
        response: 'Half of an ',
        usage_source: 'estimated',
      });
      expect(Number(item.usage_completion_tokens)).toBeGreaterThan(0);
      expect(item.cost_response).toBeGreaterThan(0);
      expect(await alice.history()).toHaveLength(1);
      expect(await alice.charges()).toEqual([micro(item.cost_request) + micro(item.cost_response)]);
      expect((await alice.funds()).held).toBe(0);
      await expectBooksHold(gateway);
    });

    test('that the client stops is charged by the usage reported until then', async () => {
      const { provider, user } = world();
      const alice = await user();
      const usageSoFar = { prompt_tokens: 1_500, completion_tokens: 40 };
      await provider.script({ deltas: ['Half', ' and half'], usageSoFar, pauseAfterFirst: true });
      const events = eventsOf(await alice.stream({ max_output_tokens: 100 }));
      for (const name of ['start', 'delta']) {
        expect((await events.next()).value?.event).toBe(name);
      }
      await events.return(undefined);
      await provider.calls.at(-1)?.ended;
      await provider.script('good');
      expect(await closed(alice)).toMatchObject({
        state: 'stopped',
        response: 'Half',
        usage_source: 'provider',
        usage_prompt_tokens: '1500',
        usage_completion_tokens: '40',
      });
    });

    test('that the client stops is also charged by usage reported before the first word', async () => {
      const { provider, user } = world();
      const alice = await user();
      const usageFirst = { prompt_tokens: 1_500, completion_tokens: 40 };
      // Forgets the calls that are held since earlier tests.
      provider.cut();
      await provider.script({ deltas: ['Half', ' and half'], usageFirst, pauseAfterFirst: true });
      const counted = provider.held(1);
      const events = eventsOf(await alice.stream({ max_output_tokens: 100 }));
      await events.next();
      await counted;
      // When this is answered, the server has read the earlier bytes separately.
      await fetch(`${provider.baseUrl}/models`);
      provider.release();
      expect((await events.next()).value?.data).toEqual({ text: 'Half' });
      await events.return(undefined);
      await provider.calls.at(-1)?.ended;
      provider.cut();
      await provider.script('good');
      expect(await closed(alice)).toMatchObject({
        state: 'stopped',
        response: 'Half',
        usage_source: 'provider',
        usage_prompt_tokens: '1500',
        usage_completion_tokens: '40',
      });
    });

    test('that the client leaves before the first word stops the provider, and costs no answer', async () => {
      const { gateway, provider, user } = world();
      const alice = await user();
      await provider.script('hold');
      const held = provider.held(1);
      const events = eventsOf(await alice.stream());
      await events.next();
      await held;
      await events.return(undefined);
      expect(await provider.calls.at(-1)?.ended).toBe('dropped');
      provider.cut();
      await provider.script('good');
      const item = await closed(alice);
      expect(item).toMatchObject({ response: '', cost_response: 0 });
      expect((await alice.funds()).held).toBe(0);
      await expectBooksHold(gateway);
    });

    test('that the client leaves at once releases its hold at once', async () => {
      const { gateway, user } = world();
      for (const ai of [101, 103]) {
        const alice = await user();
        const response = await alice.stream({ ai });
        await response.body?.cancel();
        await closed(alice);
        expect((await alice.funds()).held).toBe(0);
      }
      await expectBooksHold(gateway);
    });

    test('that the client leaves during the hold calls no provider, and costs nothing', async () => {
      const { gateway, provider, user } = world();
      const alice = await user();
      const calls = provider.calls.length;
      const leaving = new AbortController();
      const answering = gateway.fetch('/ai/send/', {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${alice.token}` },
        body: JSON.stringify({ room_id: alice.room, ai: 101, message: 'Hi', stream: true }),
        signal: leaving.signal,
      });
      leaving.abort();
      await (await answering).body?.cancel();
      const item = await closed(alice);
      expect(item).toMatchObject({ state: 'stopped', cost_request: 0, cost_response: 0 });
      expect(provider.calls.length).toBe(calls);
      expect(await alice.charges()).toEqual([]);
      expect((await alice.funds()).held).toBe(0);
      await expectBooksHold(gateway);
    });

    test('a real client that disconnects stops the provider', async () => {
      const { gateway, provider, user } = world();
      const alice = await user();
      await provider.script({ deltas: ['Half', ' and half'], pauseAfterFirst: true });
      const leaving = new AbortController();
      const response = await fetch(`${gateway.listen()}/ai/send/`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${alice.token}` },
        body: JSON.stringify({ room_id: alice.room, ai: 101, message: 'Hi', stream: true }),
        signal: leaving.signal,
      });
      const reader = response.body?.getReader();
      let heard = '';
      while (!heard.includes('Half')) {
        heard += new TextDecoder().decode((await reader?.read())?.value);
      }
      leaving.abort();
      expect(await provider.calls.at(-1)?.ended).toBe('dropped');
      await provider.script('good');
      expect(await closed(alice)).toMatchObject({ state: 'stopped', response: 'Half' });
    });

    test('with an Idempotency-Key is replayed as a stream, and charged once', async () => {
      const { provider, user } = world();
      const alice = await user();
      const key = { headers: { 'idempotency-key': 'stream-1' } };
      const first = await allEvents(await alice.stream({}, key));
      const calls = provider.calls.length;
      const replay = await alice.stream({}, key);
      expect(replay.headers.get('idempotent-replayed')).toBe('true');
      const again = await allEvents(replay);
      expect(provider.calls.length).toBe(calls);
      expect(names(again)).toEqual(['start', 'delta', 'done']);
      expect(again.slice(0, 1)).toEqual(first.slice(0, 1));
      expect(again.slice(-1)).toEqual(first.slice(-1));
      expect(textOf(again)).toBe(textOf(first));
      expect(await alice.charges()).toHaveLength(1);
      const other = await alice.stream({ message: 'Other' }, key);
      expect([other.status, await other.json()]).toMatchObject([
        422,
        { error: { code: 'idempotency_key_reused' } },
      ]);
    });

    test('a failed stream frees its key', async () => {
      const { provider, user } = world();
      const alice = await user();
      const key = { headers: { 'idempotency-key': 'stream-2' } };
      await provider.script('cut_stream');
      expect(names(await allEvents(await alice.stream({}, key))).at(-1)).toBe('error');
      await provider.script('good');
      expect(names(await allEvents(await alice.stream({}, key))).at(-1)).toBe('done');
      expect(await alice.charges()).toHaveLength(1);
    });

    test('of an image model consists of start and done', async () => {
      const { gateway, provider, user } = world();
      const alice = await user();
      const key = { headers: { 'idempotency-key': 'stream-3' } };
      const events = await allEvents(await alice.stream({ ai: 103 }, key));
      expect(names(events)).toEqual(['start', 'done']);
      expect(await allEvents(await alice.stream({ ai: 103 }, key))).toEqual(events);
      const url = String(events.at(-1)?.data['response']);
      expect((await gateway.fetch(new URL(url).pathname)).status).toBe(200);
      await provider.script('500');
      const failed = await allEvents(await alice.stream({ ai: 103 }));
      await provider.script('good');
      expect(failed.at(-1)).toMatchObject({ event: 'error', data: { code: 'provider_error' } });
      expect(await alice.charges()).toHaveLength(1);
    });

    test('stream: false and null give a plain answer', async () => {
      const alice = await world().user();
      expect((await alice.send({ stream: false })).response).toBe('echo: Hello');
      expect((await alice.send({ stream: null })).response).toBe('echo: Hello');
    });

    test('stream: any type but boolean is refused by name', async () => {
      const alice = await world().user();
      for (const stream of [1, 'true', []]) {
        const { status, body } = await alice.trySend({ stream });
        expect([status, body.error?.details?.[0]?.path]).toEqual([422, 'stream']);
      }
    });

    test('with an empty answer has no delta', async () => {
      const { provider, user } = world();
      const alice = await user();
      await provider.script({ deltas: [''] });
      const events = await allEvents(await alice.stream());
      await provider.script('good');
      expect(names(events)).toEqual(['start', 'done']);
      expect(events.at(-1)?.data).toMatchObject({ response: '' });
    });
  });
}
