/** /ai/stop/ ends a detached send on any node. Other nodes also see how it ends. */
import { beforeAll, describe, expect, test } from 'bun:test';
import { dialects } from '../support/databases.ts';
import { allEvents, eventsOf } from '../support/event-stream.ts';
import { type Gateway, openGateway } from '../support/gateway.ts';
import {
  catalogueOf,
  chatterOf,
  type Chatter,
  closed,
  expectBooksHold,
  IMAGE_MODEL,
  lastClosed,
  openWorld,
  sharedWorld,
} from '../support/world.ts';

const keyed = (key: string) => ({ headers: { 'idempotency-key': key } });
const half = { deltas: ['Half', ' and half'], pauseAfterFirst: true };

/** Stops a send, repeatedly until it is settled. */
async function stop(gateway: Gateway, request: object, user: { token: string }) {
  for (;;) {
    const stopped = await gateway.data<{ room_id: string; id: number; state: string }>(
      '/ai/stop/',
      request,
      user,
    );
    if (stopped.state !== 'pending') return stopped;
  }
}

/** Begins a detached stream and reads its first piece. */
async function begin(chatter: Chatter, key: string) {
  const events = eventsOf(await chatter.stream({ detached: true }, keyed(key)));
  const start = (await events.next()).value?.data as { room_id: string; id: number };
  expect((await events.next()).value?.data).toEqual({ text: 'Half' });
  return { start, events };
}

for (const dialect of dialects) {
  describe(`${dialect}: a stop`, () => {
    const world = sharedWorld(dialect);
    // An answer shows that the model has no hidden reasoning, so it is stopped at once.
    beforeAll(async () => void (await (await world().user()).send()));

    for (const by of ['key', 'id'] as const) {
      test(`by the ${by} keeps and charges what was delivered, and stops the provider`, async () => {
        const { gateway, provider, user } = world();
        const alice = await user();
        await provider.script(half);
        const { start, events } = await begin(alice, `by-${by}`);
        const request = by === 'key' ? { idempotency_key: 'by-key' } : start;
        expect(await stop(gateway, request, alice)).toEqual({ ...start, state: 'stopped' });
        expect(await provider.calls.at(-1)?.ended).toBe('dropped');
        provider.release();
        const [end, ...more] = await Array.fromAsync(events);
        expect(more).toEqual([]);
        const stopped = { response: 'Half', finish_reason: 'stopped' };
        expect(end).toMatchObject({ event: 'done', data: stopped });
        expect(end?.data).toMatchObject({ room_id: start.room_id, id: start.id });
        const item = await closed(alice);
        expect(item).toMatchObject({ state: 'stopped', response: 'Half' });
        expect(item.cost_response).toBeGreaterThan(0);
        expect(await alice.charges()).toHaveLength(1);
        const again = await alice.stream({ detached: true }, keyed(`by-${by}`));
        expect((await allEvents(again)).at(-1)?.data).toEqual(end?.data);
        expect(await stop(gateway, request, alice)).toEqual({ ...start, state: 'stopped' });
        await expectBooksHold(gateway);
      });
    }

    test('of a send that has ended changes nothing', async () => {
      const { gateway, provider, user } = world();
      const alice = await user();
      await provider.script('good');
      const { room_id, id } = await alice.send({ detached: true }, keyed('over'));
      const request = { idempotency_key: 'over' };
      expect(await stop(gateway, request, alice)).toEqual({ room_id, id, state: 'done' });
      expect(await closed(alice)).toMatchObject({ state: 'done', response: 'echo: Hello' });
    });

    test('finds only sends of its own user, and only detached ones', async () => {
      const { gateway, provider, user } = world();
      const [alice, bob] = [await user(), await user()];
      await provider.script(half);
      const { start } = await begin(alice, 'mine');
      const path = '/ai/stop/';
      expect(await gateway.code(path, start, bob)).toBe('not_found');
      expect(await gateway.code(path, { idempotency_key: 'mine' }, bob)).toBe('not_found');
      expect(await gateway.code(path, { ...start, room_id: bob.room }, alice)).toBe('not_found');
      expect(await gateway.code(path, { idempotency_key: 'none' }, alice)).toBe('not_found');
      expect(await gateway.code(path, { room_id: alice.room }, alice)).toBe('invalid_request');
      const plain = eventsOf(await bob.stream({}, keyed('plain')));
      await plain.next();
      await provider.held(2);
      expect(await gateway.code(path, { idempotency_key: 'plain' }, bob)).toBe('invalid_request');
      provider.release();
      await Array.fromAsync(plain);
      expect(await closed(alice)).toMatchObject({ state: 'done' });
    });

    test('of an image lets it be finished', async () => {
      const { gateway, provider, user } = world();
      const alice = await user();
      await provider.script('hold');
      const held = provider.held(1);
      const body = { detached: true, ai: IMAGE_MODEL };
      const drawing = alice.send(body, keyed('image'));
      await held;
      const stopping = stop(gateway, { idempotency_key: 'image' }, alice);
      provider.release();
      expect((await drawing).response).toContain('/images/');
      expect(await stopping).toMatchObject({ state: 'done' });
    });

    test("of a model that may have hidden reasoning reads the provider's stream to its end, and charges all of it", async () => {
      await using reasoning = await openWorld(dialect, {
        models: [{ id: 101, model: 'gpt-5-mini' }],
      });
      const { gateway, provider, user } = reasoning;
      const alice = await user();
      await provider.script({ ...half, usage: { prompt_tokens: 10, completion_tokens: 900 } });
      const { events } = await begin(alice, 'reasons');
      const stopping = stop(gateway, { idempotency_key: 'reasons' }, alice);
      provider.release();
      expect(await stopping).toMatchObject({ state: 'stopped' });
      expect((await Array.fromAsync(events)).at(-1)?.data).toMatchObject({
        response: 'Half',
        usage: { completion_tokens: 900, source: 'provider' },
      });
      await expectBooksHold(gateway);
    });
  });

  describe(`${dialect}: a second node beside the one that runs a detached send`, () => {
    async function twoNodes() {
      const world = await openWorld(dialect);
      const { gateway, provider, user } = world;
      const other = await openGateway(dialect, {
        database: gateway.database,
        catalogue: catalogueOf(provider),
      });
      const alice = await user();
      await alice.send();
      await provider.script(half);
      const there: Chatter = { ...(await chatterOf(other, alice)), room: alice.room };
      const dispose = async () => {
        await other[Symbol.asyncDispose]();
        await world[Symbol.asyncDispose]();
      };
      return { provider, alice, there, other, gateway, [Symbol.asyncDispose]: dispose };
    }

    test('gives the whole answer to those who follow it there', async () => {
      await using nodes = await twoNodes();
      const { alice, there, provider } = nodes;
      const { events, start } = await begin(alice, 'both');
      const body = { detached: true, room_id: alice.room };
      const followed = eventsOf(await there.stream(body, keyed('both')));
      expect((await followed.next()).value?.data).toEqual({ ...start });
      provider.release();
      const [, whole] = await Array.fromAsync(events);
      const rest = await Array.fromAsync(followed);
      expect(rest.map(({ event }) => event)).toEqual(['delta', 'done']);
      expect(rest.at(-1)).toEqual(whole);
    });

    test('reports the failure to those who follow it there', async () => {
      await using nodes = await twoNodes();
      const { alice, there, provider } = nodes;
      await begin(alice, 'both');
      const body = { detached: true, room_id: alice.room };
      const followed = eventsOf(await there.stream(body, keyed('both')));
      await followed.next();
      provider.cut();
      const rest = await Array.fromAsync(followed);
      expect(rest).toMatchObject([{ event: 'error', data: { code: 'provider_error' } }]);
    });

    test('stops it', async () => {
      await using nodes = await twoNodes();
      const { alice, there, other, gateway, provider } = nodes;
      const { start, events } = await begin(alice, 'both');
      const stopped = await stop(other, { idempotency_key: 'both' }, there);
      expect(stopped).toEqual({ ...start, state: 'stopped' });
      expect(await provider.calls.at(-1)?.ended).toBe('dropped');
      expect((await Array.fromAsync(events)).at(-1)?.data).toMatchObject({ response: 'Half' });
      expect(await lastClosed(() => alice.history())).toMatchObject({ state: 'stopped' });
      expect(await gateway.core.db.query('SELECT * FROM send_stops')).toEqual([]);
      await expectBooksHold(gateway);
    });
  });
}
