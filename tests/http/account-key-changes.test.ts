/** Changing API keys: who may change which and how, and rotation. */
import { describe, expect, test } from 'bun:test';
import { stillClock } from '../support/clock.ts';
import { dialects } from '../support/databases.ts';
import { openGateway } from '../support/gateway.ts';

const HOUR = 3_600_000;

interface Key {
  id: string;
  key: string;
}

async function open(dialect: (typeof dialects)[number]) {
  const clock = stillClock();
  const gateway = await openGateway(dialect, { clock });
  const alice = await gateway.addUser({ login: 'alice' });
  const make = async (body: object, token = alice.token) =>
    gateway.data<Key>('/account/keys/', { name: 'x', ...body }, { token });
  return { gateway, clock, alice, make, [Symbol.asyncDispose]: gateway[Symbol.asyncDispose] };
}

for (const dialect of dialects) {
  describe(`${dialect}: an API key`, () => {
    test('gets limits, tags and an expiry when it is made, and others later', async () => {
      await using world = await open(dialect);
      const { gateway, clock, alice, make } = world;
      const { id } = await make({ rubles_per_month: '100.5', tags: ['shop', 'bots', 'shop'] });
      const soon = Math.floor(clock.now() / 1000) + 60;
      const change = (body: object) =>
        gateway.data<object>('/account/keys/limit/', { id, ...body }, alice);
      const none = { rubles_today: 0, rubles_this_month: 0, rubles_total: 0, held: 0 };
      expect(await change({})).toMatchObject({
        id,
        tags: ['shop', 'bots'],
        expires_at: null,
        limits: { rubles_per_month: 100.5, rubles_total: null, models: null },
        used: none,
      });
      expect(
        await change({ expires_at: soon, tags: null, rubles_per_month: null, models: [1, 1] }),
      ).toMatchObject({
        tags: [],
        expires_at: soon,
        limits: { rubles_per_month: null, models: [1] },
      });
      expect(await change({ models: null, expires_at: null })).toMatchObject({
        expires_at: null,
        used: null,
      });
      const { keys } = await gateway.data<{ keys: object[] }>('/account/keys/', {}, alice);
      expect(keys).toMatchObject([{ id, limits: { models: null }, used: null }]);
      const bad: [object, string][] = [
        [{ rubles_total: 0 }, 'rubles_total'],
        [{ rubles_per_month: '-1' }, 'rubles_per_month'],
        [{ requests_per_minute: 0 }, 'requests_per_minute'],
        [{ models: [999] }, 'models'],
        [{ models: [] }, 'models'],
        [{ tags: ['two words'] }, 'tags'],
        [{ tags: Array.from({ length: 11 }, (_, at) => `t${at}`) }, 'tags'],
        [{ expires_at: 1 }, 'expires_at'],
      ];
      for (const [body, path] of bad) {
        const { status, body: answer } = await gateway.post(
          '/account/keys/limit/',
          { id, ...body },
          alice,
        );
        expect([status, answer.error?.details?.[0]?.path]).toEqual([422, path]);
      }
    });

    test("that is another user's, or does not exist, is not found; an operator changes users' keys", async () => {
      await using world = await open(dialect);
      const { gateway, make } = world;
      const bob = await gateway.addUser();
      const operator = await gateway.addUser({ isOperator: true });
      const { id, key } = await make({});
      for (const path of ['/account/keys/limit/', '/account/keys/rotate/']) {
        for (const body of [{ id, rubles_total: 1 }, { id }, { id: '0000000000000000' }]) {
          expect([path, await gateway.code(path, body, bob)]).toEqual([path, 'not_found']);
        }
      }
      for (const path of ['/admin/keys/limit/', '/admin/keys/rotate/']) {
        expect(await gateway.code(path, { id }, bob)).toBe('forbidden');
        expect(await gateway.code(path, { id: '0000000000000000' }, operator)).toBe('not_found');
      }
      const limited = { id, rubles_total: 1 };
      expect(await gateway.data<object>('/admin/keys/limit/', limited, operator)).toMatchObject({
        limits: { rubles_total: 1 },
      });
      const rotated = await gateway.data<Key>(
        '/admin/keys/rotate/',
        { id, old_until: 0 },
        operator,
      );
      expect(await gateway.code('/account/', {}, { token: key })).toBe('token_expired');
      await gateway.data<object>('/account/', {}, { token: rotated.key });
    });

    test('cannot lift its own limits', async () => {
      await using world = await open(dialect);
      const { gateway, clock, make } = world;
      const end = Math.floor(clock.now() / 1000) + 3_600;
      const [free, ending, bound, other] = [
        await make({}),
        await make({ expires_at: end }),
        await make({ rubles_total: 1 }),
        await make({}),
      ];
      const limit = (id: string, by: Key, body: object = { rubles_total: null }) =>
        gateway.post('/account/keys/limit/', { id, ...body }, { token: by.key });
      const refused: [string, ReturnType<typeof limit>][] = [
        ['itself', limit(free.id, free)],
        ['bound itself', limit(bound.id, bound)],
        ['bound, another', limit(other.id, bound)],
        [
          'rotates another',
          gateway.post('/account/keys/rotate/', { id: other.id }, { token: free.key }),
        ],
        ['bound, a new one', gateway.post('/account/keys/', { name: 'y' }, { token: bound.key })],
      ];
      for (const [what, answer] of refused)
        expect([what, (await answer).status]).toEqual([what, 403]);
      expect((await limit(bound.id, free, { rubles_total: 2 })).status).toBe(200);
      expect((await limit(other.id, ending, { expires_at: null })).status).toBe(422);
      expect((await limit(other.id, ending, { expires_at: end })).status).toBe(200);
      await gateway.data<object>('/account/keys/', { revoke: other.id }, { token: bound.key });
    });

    test('has two secrets after a rotation, until the former one ends', async () => {
      await using world = await open(dialect);
      const { gateway, clock, alice, make } = world;
      const { id, key: first } = await make({ rubles_total: 5 });
      const rotate = (body: object = {}, by = alice.token) =>
        gateway.data<Key & { old_until: number }>(
          '/account/keys/rotate/',
          { id, ...body },
          { token: by },
        );
      const works = async (key: string) =>
        (await gateway.post('/account/', {}, { token: key })).body.error?.code ?? 'ok';
      const second = await rotate({ old_until: Math.floor(clock.now() / 1000) + 3_600 });
      expect(second.key).toStartWith(`zk_${id}_`);
      expect([await works(first), await works(second.key)]).toEqual(['ok', 'ok']);
      clock.forward(HOUR);
      expect([await works(first), await works(second.key)]).toEqual(['token_expired', 'ok']);
      // The key rotates itself, as a program does.
      const third = await rotate({}, second.key);
      expect(third.old_until).toBe(Math.floor(clock.now() / 1000) + 86_400);
      expect([await works(first), await works(second.key), await works(third.key)]).toEqual([
        'invalid_token',
        'ok',
        'ok',
      ]);
      const { keys } = await gateway.data<{ keys: object[] }>(
        '/account/keys/',
        {},
        { token: third.key },
      );
      expect(keys).toMatchObject([
        {
          id,
          hint: third.key.slice(-4),
          old_hint: second.key.slice(-4),
          old_until: third.old_until,
          limits: { rubles_total: 5 },
        },
      ]);
      expect(
        await gateway.code('/account/keys/rotate/', { id, old_until: 1 }, { token: third.key }),
      ).toBe('invalid_request');
      await rotate({ old_until: 0 }, third.key);
      expect(await works(third.key)).toBe('token_expired');
      await gateway.core.keys.revoke(id);
      expect(await works(second.key)).toBe('invalid_token');
    });
  });
}
