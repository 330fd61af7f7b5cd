/** The repeated answer to an idempotency key: it is the same, streamed or not. */
import { describe, expect, test } from 'bun:test';
import { movableClock } from '../support/clock.ts';
import { dialects } from '../support/databases.ts';
import { catalogueOf, sharedWorld, type Chatter, type World } from '../support/world.ts';

const messages = [{ role: 'user', content: 'Hi' }];
const bodies = {
  '/v1/chat/completions': { model: 'mini', messages },
  '/v1/responses': { model: 'mini', input: 'Hi' },
  '/v1/messages': { model: 'mini', max_tokens: 50, messages },
};
const ways = Object.entries(bodies).flatMap(([path, body]) =>
  [false, true].map((stream) => ({ path, body: { ...body, stream } })),
);

interface Received {
  room: string | null;
  replayed: string | null;
  /** All creation times in the answer or its events. */
  times: number[];
  text: string;
}

async function send(
  { gateway }: World,
  { token }: Chatter,
  { path, body, room }: { path: string; body: object; room: string },
): Promise<Received> {
  const response = await gateway.fetch(path, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'x-room-id': room,
      'idempotency-key': `${path} ${JSON.stringify(body)}`,
    },
  });
  const text = await response.text();
  expect([path, response.status, text]).toEqual([path, 200, text]);
  return {
    room: response.headers.get('x-room-id'),
    replayed: response.headers.get('idempotent-replayed'),
    times: [...text.matchAll(/"created(?:_at)?":(\d+)/g)].map(([, time]) => Number(time)),
    text,
  };
}

async function refused(
  { gateway }: World,
  { token }: Chatter,
  { path, body }: { path: string; body: object },
): Promise<{ status: number; error: { message: string } }> {
  const response = await gateway.fetch(path, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': 'a new one',
    },
  });
  const { error } = (await response.json()) as { error: { message: string } };
  return { status: response.status, error };
}

for (const dialect of dialects) {
  describe(`${dialect}: a replay`, () => {
    const clock = movableClock();
    const world = sharedWorld(dialect, { clock, models: [{ id: 101, model_alias: 'mini' }] });

    for (const { path, body } of ways) {
      test(`of ${path}, stream ${body.stream}: has the room and the time of the first answer`, async () => {
        const alice = await world().user();
        const other = await world().gateway.room(alice.token);
        const first = await send(world(), alice, { path, body, room: alice.room });
        clock.forward(60_000);
        const again = await send(world(), alice, { path, body, room: other });
        expect([first.room, first.replayed]).toEqual([alice.room, null]);
        expect([again.room, again.replayed]).toEqual([alice.room, 'true']);
        expect(new Set(again.times)).toEqual(new Set(first.times));
        if (!body.stream) expect(again.text).toBe(first.text);
      });
    }

    test('outlives its model; for a new key the model is not found', async () => {
      const { gateway, provider, user } = world();
      const alice = await user();
      const requests = ways.map((way) => ({ ...way, room: alice.room }));
      const first = [];
      for (const request of requests) first.push(await send(world(), alice, request));
      await gateway.core.catalogue.apply(catalogueOf(provider, [{ id: 102 }]));
      for (const [index, request] of requests.entries()) {
        const { replayed, room, times } = await send(world(), alice, request);
        const then = first[index];
        expect([replayed, room, new Set(times)]).toEqual([
          'true',
          alice.room,
          new Set(then?.times),
        ]);
      }
      for (const { path, body } of ways) {
        const { status, error } = await refused(world(), alice, { path, body });
        expect([path, status]).toEqual([path, 404]);
        expect(error.message).toContain('there is no model mini');
      }
      await gateway.core.catalogue.apply(catalogueOf(provider, [{ id: 101, model_alias: 'mini' }]));
    });
  });
}
