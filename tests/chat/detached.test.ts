/** Detached sends: who may follow them, what stops them, and what they cost. */
import { beforeAll, describe, expect, spyOn, test } from 'bun:test';
import { dialects } from '../support/databases.ts';
import { allEvents, eventsOf, type SentEvent } from '../support/event-stream.ts';
import {
  type Chatter,
  closed,
  expectBooksHold,
  type HistoryItem,
  IMAGE_MODEL,
  lastClosed,
  micro,
  openWorld,
  type Sent,
  sharedWorld,
} from '../support/world.ts';

const keyed = (key: string) => ({ headers: { 'idempotency-key': key } });
const half = { deltas: ['Half', ' and half'], pauseAfterFirst: true };
const WHOLE = 'Half and half';

/** Begins a detached stream, reads its first piece, and leaves. */
async function beginAndLeave(chatter: Chatter, options = {}): Promise<SentEvent> {
  const events = eventsOf(await chatter.stream({ detached: true }, options));
  const start = (await events.next()).value as SentEvent;
  expect((await events.next()).value?.data).toEqual({ text: 'Half' });
  await events.return(undefined);
  return start;
}

const names = (events: readonly SentEvent[]) => events.map(({ event }) => event);
const endOf = (events: readonly SentEvent[]) => events.at(-1)?.data as unknown as Sent;

for (const dialect of dialects) {
  describe(`${dialect}: a detached send`, () => {
    const world = sharedWorld(dialect);
    // An answer shows that the model has no hidden reasoning, so it is stopped at once.
    beforeAll(async () => void (await (await world().user()).send()));

    test('continues when its client leaves, is stored whole, and is charged once', async () => {
      const { gateway, provider, user } = world();
      const alice = await user();
      await provider.script(half);
      const calls = provider.calls.length;
      await beginAndLeave(alice, keyed('left'));
      provider.release();
      const item = await closed(alice);
      expect(item).toMatchObject({ state: 'done', response: WHOLE });
      const again = await alice.stream({ detached: true }, keyed('left'));
      expect(again.headers.get('idempotent-replayed')).toBe('true');
      const sent = endOf(await allEvents(again));
      expect(sent).toMatchObject({ response: WHOLE, id: Number(item.message_id) });
      expect(await alice.charges()).toEqual([micro(sent.cost_request + sent.cost_response)]);
      expect(provider.calls).toHaveLength(calls + 1);
      await expectBooksHold(gateway);
    });

    test('is followed by the same request from its first piece on', async () => {
      const { provider, user } = world();
      const alice = await user();
      await provider.script(half);
      const calls = provider.calls.length;
      const start = await beginAndLeave(alice, keyed('followed'));
      const responses = await Promise.all(
        [1, 2].map(() => alice.stream({ detached: true }, keyed('followed'))),
      );
      const followers = responses.map(eventsOf);
      for (const [at, events] of followers.entries()) {
        expect(responses[at]?.headers.get('idempotent-replayed')).toBe('true');
        expect((await events.next()).value).toEqual(start);
        expect((await events.next()).value?.data).toEqual({ text: 'Half' });
      }
      provider.release();
      for (const events of followers) {
        const rest = await Array.fromAsync(events);
        expect(names(rest)).toEqual(['delta', 'done']);
        expect(endOf(rest).response).toBe(WHOLE);
      }
      expect(provider.calls).toHaveLength(calls + 1);
      expect(await alice.charges()).toHaveLength(1);
    });

    test('without a stream is begun once by simultaneous requests, and answers all of them', async () => {
      const { provider, user } = world();
      const alice = await user();
      await provider.script('hold');
      const held = provider.held(1);
      const calls = provider.calls.length;
      const body = { detached: true };
      const answers = [1, 2, 3].map(() => alice.trySend(body, keyed('together')));
      await held;
      provider.release();
      const [first, ...others] = await Promise.all(answers);
      expect(first?.body.data).toMatchObject({ response: 'echo: Hello' });
      expect(others.map((other) => other.body.data)).toEqual([first?.body.data, first?.body.data]);
      expect(provider.calls).toHaveLength(calls + 1);
      expect(await alice.charges()).toHaveLength(1);
      await provider.script('good');
    });

    test('that fails gives every follower its error, charges nothing, and frees its key', async () => {
      const { provider, user } = world();
      const alice = await user();
      await provider.script(half);
      const held = provider.held(1);
      const first = await alice.stream({ detached: true }, keyed('failed'));
      await held;
      const second = await alice.stream({ detached: true }, keyed('failed'));
      provider.cut();
      const ends = await Promise.all([allEvents(first), allEvents(second)]);
      for (const events of ends) expect(names(events)).toEqual(['start', 'delta', 'error']);
      expect(await alice.charges()).toEqual([]);
      await provider.script('good');
      await alice.send({ detached: true }, keyed('other'));
      const again = await alice.stream({ detached: true }, keyed('failed'));
      expect(endOf(await allEvents(again)).response).toBe('echo: Hello');
    });

    test('that is refused is not begun, and does not keep its key', async () => {
      const { user } = world();
      const alice = await user({ credit: 0 });
      const body = { detached: true };
      const both = await Promise.all([1, 2].map(() => alice.code(body, keyed('poor'))));
      expect(both).toEqual(['insufficient_funds', 'insufficient_funds']);
      expect(await alice.code({ ...body, ai: 999 }, keyed('poor'))).toBe('model_not_found');
    });

    test('with another body under its key is refused while it runs', async () => {
      const { provider, user } = world();
      const alice = await user();
      await provider.script(half);
      await beginAndLeave(alice, keyed('taken'));
      const other = { detached: true, message: 'Another' };
      expect(await alice.code(other, keyed('taken'))).toBe('idempotency_key_reused');
      provider.release();
      await closed(alice);
    });

    test('with an image is answered as any other', async () => {
      const { provider, user } = world();
      const alice = await user();
      await provider.script('good');
      const body = { detached: true, ai: IMAGE_MODEL };
      const events = await allEvents(await alice.stream(body, keyed('image')));
      expect(names(events)).toEqual(['start', 'done']);
      const again = await alice.stream(body, keyed('image'));
      expect(endOf(await allEvents(again)).response).toBe(endOf(events).response);
    });

    test('ends when its user is blocked by another process', async () => {
      const { gateway, provider, user } = world();
      const alice = await user();
      await provider.script(half);
      await beginAndLeave(alice, keyed('blocked'));
      const waiting = alice.stream({ detached: true }, keyed('blocked')).then(allEvents);
      const block = 'UPDATE users SET is_blocked = 1, token_epoch = token_epoch + 1 WHERE id = $1';
      await gateway.core.db.transaction((tx) => tx.query(block, [alice.userId]));
      using checking = spyOn(gateway.core.users, 'endedAmong');
      expect((await waiting).at(-1)).toMatchObject({
        event: 'error',
        data: { code: 'user_blocked' },
      });
      expect(checking.mock.calls.length).toBeLessThanOrEqual(2);
      await provider.calls.at(-1)?.ended;
      provider.release();
      await gateway.core.users.setBlocked(alice.userId, false);
      const unblocked = { ...alice, token: await gateway.login(alice.login) };
      const request = { room_id: alice.room, include_failed: true };
      const history = async () =>
        (await gateway.data<{ data: HistoryItem[] }>('/ai/history/', request, unblocked)).data;
      expect(await lastClosed(history)).toMatchObject({ state: 'stopped', response: 'Half' });
      await expectBooksHold(gateway);
    });
  });

  test(`${dialect}: a detached send counts among the open streams of its user until it ends`, async () => {
    await using world = await openWorld(dialect, { env: { ZASTAVA_USER_STREAMS_MAX: '2' } });
    const { provider, user } = world;
    const [alice, bob] = [await user(), await user()];
    await provider.script(half);
    await beginAndLeave(alice, keyed('counted'));
    const follower = await alice.stream({ detached: true }, keyed('counted'));
    expect(await alice.code({ detached: true })).toBe('rate_limited');
    const others = await bob.stream();
    await provider.held(2);
    provider.release();
    await Promise.all([allEvents(follower), allEvents(others)]);
    await provider.script('good');
    await alice.send({ detached: true });
    expect(names(await allEvents(await alice.stream({ detached: true })))).toContain('done');
  });

  test(`${dialect}: a stopping server waits for detached sends that nobody follows`, async () => {
    await using world = await openWorld(dialect);
    const { gateway, provider, user } = world;
    const alice = await user();
    await provider.script(half);
    await beginAndLeave(alice);
    const stopping = gateway.app.stop(600_000);
    provider.release();
    expect(await stopping).toBe(true);
    const [row] = await gateway.core.db.query('SELECT state, response FROM messages');
    expect(row).toMatchObject({ state: 'done', response: WHOLE });
  });
}
