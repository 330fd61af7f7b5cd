/** Streams at a provider that takes one call at a time: waiting, leaving, and whose turn is next. */
import { describe, expect, test } from 'bun:test';
import { dialects } from '../support/databases.ts';
import { allEvents } from '../support/event-stream.ts';
import { closed, expectBooksHold, sharedWorld, type Chatter } from '../support/world.ts';

const ONE_AT_A_TIME = 201;

for (const dialect of dialects) {
  describe(`${dialect}: a stream at a provider with one place`, () => {
    const world = sharedWorld(dialect, {
      models: [{ id: ONE_AT_A_TIME, provider: 'narrow' }],
      providers: ({ baseUrl }) => ({
        narrow: { kind: 'openai', base_url: baseUrl, max_concurrent: 1 },
      }),
    });
    const request = { ai: ONE_AT_A_TIME };

    /** Begins a stream while the place is taken, and leaves it once its cost is held. */
    async function leaveWhileWaiting(alice: Chatter, headers: Record<string, string> = {}) {
      const leaving = new AbortController();
      const answering = alice.stream(request, { headers, signal: leaving.signal });
      while ((await alice.funds()).held === 0) await new Promise((resume) => setImmediate(resume));
      leaving.abort();
      await (await answering).body?.cancel();
      return closed(alice);
    }

    test('that is left while it waits for the place is never sent, and costs nothing', async () => {
      const { gateway, provider, user } = world();
      const [alice, bob] = [await user(), await user()];
      await provider.script('hold');
      const first = bob.send(request);
      await provider.held(1);
      const calls = provider.calls.length;
      const item = await leaveWhileWaiting(alice);
      expect(item).toMatchObject({ state: 'stopped', response: '' });
      expect([item.cost_request, item.cost_response]).toEqual([0, 0]);
      expect(await alice.funds()).toMatchObject({ balance: 100_000_000, held: 0 });
      await provider.script('good');
      provider.release();
      await first;
      expect(provider.calls).toHaveLength(calls);
      await expectBooksHold(gateway);
    });

    test('that was never sent frees its idempotency key', async () => {
      const { provider, user } = world();
      const [alice, bob] = [await user(), await user()];
      const headers = { 'idempotency-key': 'left' };
      await provider.script('hold');
      const first = bob.send(request);
      await provider.held(1);
      await leaveWhileWaiting(alice, headers);
      await provider.script('good');
      provider.release();
      await first;
      const again = await alice.stream(request, { headers });
      expect(again.headers.get('idempotent-replayed')).toBeNull();
      expect((await allEvents(again)).at(-1)?.data).toMatchObject({ response: 'echo: Hello' });
    });

    test('gives the place back, however it ends', async () => {
      const { gateway, provider, user } = world();
      const alice = await user();
      for (const reply of ['good', 'cut_stream', 'good'] as const) {
        await provider.script(reply);
        const events = await allEvents(await alice.stream(request));
        expect(events.at(-1)?.event).toBe(reply === 'good' ? 'done' : 'error');
      }
      await provider.script({ deltas: ['Half', ' and half'], pauseAfterFirst: true });
      const held = provider.held(1);
      const left = await alice.stream(request);
      await held;
      await left.body?.cancel();
      await closed(alice);
      await provider.script('good');
      await alice.send(request);
      expect(await alice.funds()).toMatchObject({ held: 0 });
      await expectBooksHold(gateway);
    });
  });
}
