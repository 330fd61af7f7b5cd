/** Streams whose client reads nothing: the provider's answer is read to its end and charged. */
import { describe, expect, test } from 'bun:test';
import { formatRubles } from '../../src/lib/money.ts';
import { dialects } from '../support/databases.ts';
import { allEvents } from '../support/event-stream.ts';
import { closed, expectBooksHold, openWorld, sharedWorld } from '../support/world.ts';

const ONE_AT_A_TIME = 201;
/** More than may wait for a reader, in addition to the buffers of sockets. */
const large = Array.from({ length: 400 }, () => 'x'.repeat(64 * 1024));
/** High enough that the cap does not end these answers. */
const UNCAPPED = { max_output_tokens: 10_000_000, cost_output_tokens_rub: 1 };
const words = Array.from({ length: 400 }, (_, at) => `word ${at} `.padEnd(500, '.'));

for (const dialect of dialects) {
  describe(`${dialect}: a client that does not read its stream`, () => {
    const world = sharedWorld(dialect, {
      models: [{ id: ONE_AT_A_TIME, provider: 'narrow', ...UNCAPPED }],
      providers: ({ baseUrl }) => ({
        narrow: { kind: 'openai', base_url: baseUrl, max_concurrent: 1 },
      }),
    });

    test('pays for the answer, blocks no other send, and finds it whole later', async () => {
      const { gateway, provider, user } = world();
      const [alice, bob] = [await user(), await user()];
      await provider.script({ deltas: words });
      const unread = await alice.stream({ ai: ONE_AT_A_TIME });
      const item = await closed(alice);
      expect(item).toMatchObject({ state: 'done', response: words.join('') });
      expect(item.cost_response).toBeGreaterThan(0);
      await provider.script('good');
      await bob.send({ ai: ONE_AT_A_TIME });
      const events = await allEvents(unread);
      expect(events.at(-1)?.event).toBe('done');
      expect(events.filter(({ event }) => event === 'delta')).toHaveLength(words.length);
      await expectBooksHold(gateway);
    });

    test.each(['leaves', 'hangs up'])(
      'keeps no hold when it %s before all buffers are full',
      async (how) => {
        const { gateway, provider, user } = world();
        const alice = await user();
        await provider.script({ deltas: large });
        const client = new AbortController();
        const unread = await gateway.app.fetch(
          new Request('http://gateway.test/ai/send/', {
            method: 'POST',
            signal: client.signal,
            headers: {
              'content-type': 'application/json',
              authorization: `Bearer ${alice.token}`,
            },
            body: JSON.stringify({
              room_id: alice.room,
              ai: ONE_AT_A_TIME,
              message: 'Hello',
              stream: true,
            }),
          }),
        );
        if (how === 'leaves') await unread.body?.cancel();
        else client.abort();
        expect((await closed(alice)).state).toBe('stopped');
        expect(await alice.funds()).toMatchObject({ held: 0 });
        await expectBooksHold(gateway);
      },
    );
  });
}

for (const dialect of dialects) {
  test(`${dialect}: a client that reads nothing for too long pays for the delivered part, and the error says so`, async () => {
    await using world = await openWorld(dialect, {
      models: [{ id: 202, ...UNCAPPED }],
      readerWaitMs: 1,
    });
    const { gateway, provider, user } = world;
    const alice = await user();
    await provider.script({ deltas: large });
    const unread = await alice.stream({ ai: 202 });
    const item = await closed(alice);
    expect(item).toMatchObject({ state: 'stopped', usage_source: 'estimated' });
    expect(item.response.length).toBeLessThan(large.join('').length);
    expect(await alice.funds()).toMatchObject({ held: 0 });
    const events = await allEvents(unread);
    const taken = events.filter(({ event }) => event === 'delta');
    expect(taken.map(({ data }) => data['text']).join('')).toBe(item.response);
    const charged = formatRubles((await alice.charges()).reduce((sum, one) => sum + one, 0));
    expect(events.at(-1)).toMatchObject({
      event: 'error',
      data: {
        code: 'provider_timeout',
        message: `the provider broke off the stream after it had to wait for this client; what was delivered was charged: ${charged}`,
      },
    });
    await expectBooksHold(gateway);
  });
}

test('a server that stops does not wait for readers', async () => {
  const world = await openWorld('sqlite', { models: [{ id: 202, ...UNCAPPED }] });
  const { gateway, provider, user } = world;
  const alice = await user();
  await provider.script({ deltas: large });
  const unread = await alice.stream({ ai: 202 });
  expect(await gateway.app.stop(0)).toBe(true);
  expect(await alice.funds()).toMatchObject({ held: 0 });
  await unread.body?.cancel();
  await world[Symbol.asyncDispose]();
});
