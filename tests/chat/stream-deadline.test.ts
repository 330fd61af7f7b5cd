/** A stream that the gateway's own deadline ends. */
import { describe, expect, test } from 'bun:test';
import { formatRubles } from '../../src/lib/money.ts';
import { dialects } from '../support/databases.ts';
import { allEvents, eventsOf, type SentEvent } from '../support/event-stream.ts';
import { HELD_SECONDS, holdDeadlines, type HeldDeadline } from '../support/held-deadline.ts';
import { closed, expectBooksHold, sharedWorld, TEXT_MODEL } from '../support/world.ts';

/** The events of a stream whose deadline passes after its first delta. */
async function endedLate(response: Response, deadline: HeldDeadline): Promise<SentEvent[]> {
  const events: SentEvent[] = [];
  for await (const event of eventsOf(response)) {
    events.push(event);
    if (event.event === 'delta') deadline.pass();
  }
  return events;
}

for (const dialect of dialects) {
  describe(`${dialect}: a stream that the gateway's deadline ends`, () => {
    const world = sharedWorld(dialect, {
      models: [{ id: TEXT_MODEL, provider: 'hurried' }],
      providers: ({ baseUrl }) => ({
        hurried: { kind: 'openai', base_url: baseUrl, timeout_seconds: HELD_SECONDS },
      }),
    });

    test('keeps and charges what was delivered, and ends visibly', async () => {
      const { gateway, provider, user } = world();
      const alice = await user();
      await provider.script({ deltas: ['Half of an ', 'answer'], pauseAfterFirst: true });
      using deadline = holdDeadlines();
      const events = await endedLate(await alice.stream(), deadline);
      await provider.script('good');
      const item = await closed(alice);
      expect(item).toMatchObject({
        state: 'stopped',
        finish_reason: 'stopped',
        response: 'Half of an ',
        usage_source: 'estimated',
      });
      expect(Number(item.usage_completion_tokens)).toBeGreaterThanOrEqual(3);
      const [charged = 0, ...more] = await alice.charges();
      expect(more).toEqual([]);
      expect(charged).toBeGreaterThan(0);
      expect(events.map(({ event }) => event)).toEqual(['start', 'delta', 'error']);
      expect(events.at(-1)?.data).toMatchObject({
        code: 'provider_timeout',
        message: `the provider did not complete the answer in time; what was delivered was charged: ${formatRubles(charged)}`,
      });
      expect((await alice.funds()).held).toBe(0);
      await expectBooksHold(gateway);
    });

    test('is charged once: a repeat under its key gets the delivered part, and calls no provider', async () => {
      const { provider, user } = world();
      const alice = await user();
      const key = { headers: { 'idempotency-key': 'too late' } };
      await provider.script({ deltas: ['Half', ' and half'], pauseAfterFirst: true });
      using deadline = holdDeadlines();
      await endedLate(await alice.stream({}, key), deadline);
      await provider.script('good');
      const calls = provider.calls.length;
      const again = await allEvents(await alice.stream({}, key));
      expect(again.at(-1)).toMatchObject({ event: 'done', data: { response: 'Half' } });
      expect(provider.calls).toHaveLength(calls);
      expect(await alice.charges()).toHaveLength(1);
    });

    test('costs nothing if nothing of the answer was delivered', async () => {
      const { provider, user } = world();
      const alice = await user();
      await provider.script({ deltas: [], reasoning: ['one', ' two'], pauseAfterFirst: true });
      using deadline = holdDeadlines();
      const calls = provider.calls.length;
      const reading = allEvents(await alice.stream());
      await provider.received(calls + 1);
      deadline.pass();
      const events = await reading;
      await provider.script('good');
      expect(events.at(-1)).toMatchObject({ event: 'error', data: { code: 'provider_timeout' } });
      expect(await closed(alice)).toMatchObject({
        state: 'failed',
        error_code: 'provider_timeout',
      });
      expect(await alice.charges()).toEqual([]);
    });
  });
}
