/** Keys, limits and fallbacks of providers as callers see them, and the list of attempts as admins see it. */
import { describe, expect, test } from 'bun:test';
import { settableClock } from '../support/clock.ts';
import { dialects } from '../support/databases.ts';
import { recordingLog, type LogLine } from '../users/world.ts';
import {
  closed,
  expectBooksHold,
  sharedWorld,
  type Chatter,
  type World,
} from '../support/world.ts';

interface Shown {
  room_id: string;
  state: string;
  error_code: string | null;
  attempts: {
    provider: string;
    model: string;
    key_hint: string | null;
    started_at: number;
    waited_ms: number | null;
    duration_ms: number;
    outcome: string;
    status: number | null;
    cost: number | null;
    cost_currency: string | null;
    operator_cost: number | null;
  }[];
}

const [keyA, keyB] = ['sk-first-0123456789-yyyy', 'sk-second-0123456789-zzzz'];

/** Models whose providers share one address, but have different routing. */
const KEYS = 201;
const MINUTE = 202;
const MINUTE_WITH_FALLBACK = 203;
const FALLS_BACK = 204;
const NOT_SET_UP = 205;

const models = [
  { id: 101, fallbacks: [] },
  { id: KEYS, provider: 'keys', model: 'm-keys' },
  { id: MINUTE, provider: 'minute', model: 'm-minute' },
  { id: MINUTE_WITH_FALLBACK, provider: 'other-minute', model: 'm-other', fallbacks: [101] },
  { id: FALLS_BACK, model: 'm-first', fallbacks: [101] },
  { id: NOT_SET_UP, provider: 'unset', model: 'm-unset' },
];

for (const dialect of dialects) {
  describe(`${dialect}: routing`, () => {
    const logged: LogLine[] = [];
    // The clock stands still: on a busy machine, a send that takes a second longer than its provider would store a row.
    const clock = settableClock(Date.now());
    const world = sharedWorld(dialect, {
      models,
      clock,
      log: recordingLog(logged),
      providers: ({ baseUrl }) => {
        const same = { kind: 'openai', base_url: baseUrl };
        return {
          keys: { ...same, api_keys: [{ key: keyA, weight: 3 }, { key: keyB }] },
          minute: { ...same, max_requests_per_minute: 1 },
          'other-minute': { ...same, max_requests_per_minute: 1 },
          unset: { ...same, api_key: '${NOBODY_SET_THIS}' },
        };
      },
    });

    async function shown({ gateway, user }: World, of: Chatter, id: number): Promise<Shown> {
      const admin = await user({ isAdmin: true });
      return gateway.data('/admin/attempts/', { login: of.login, message_id: id }, admin);
    }

    async function lastOf(chatter: Chatter): Promise<number> {
      const items = await chatter.history({ include_failed: true });
      return Number(items.at(-1)?.message_id);
    }

    const rowsOf = ({ gateway }: World, { userId }: Chatter) =>
      gateway.core.db.query('SELECT * FROM message_attempts WHERE user_id = $1', [userId]);

    const briefly = ({ attempts }: Shown) =>
      attempts.map((each) => `${each.provider} ${each.model} ${each.outcome} ${each.status}`);

    test('an answer at the first attempt stores no attempt row, but is listed', async () => {
      const { provider, user } = world();
      await provider.script('good');
      const alice = await user();
      const { id } = await alice.send();
      expect(await rowsOf(world(), alice)).toEqual([]);
      const { room_id: room, state, attempts } = await shown(world(), alice, id);
      expect([room, state]).toEqual([alice.room, 'done']);
      expect(attempts).toEqual([
        {
          provider: 'scripted',
          model: 'scripted-text',
          outcome: 'ok',
          status: null,
          key_hint: null,
          cost: null,
          cost_currency: null,
          operator_cost: null,
          started_at: expect.any(Number),
          waited_ms: null,
          duration_ms: expect.any(Number),
        },
      ]);
    });

    test('each attempt of a message is listed: a busy provider, then its answer', async () => {
      const { provider, user } = world();
      await provider.script((_, index) => (index === 0 ? '503' : 'good'));
      const alice = await user();
      const { id } = await alice.send();
      const log = await shown(world(), alice, id);
      expect(briefly(log)).toEqual([
        'scripted scripted-text busy 503',
        'scripted scripted-text ok null',
      ]);
      for (const attempt of log.attempts) {
        expect(attempt.duration_ms).toBeGreaterThanOrEqual(0);
        expect(attempt.waited_ms).toBeGreaterThanOrEqual(0);
        expect(attempt.started_at).toBe(Math.floor(clock.at / 1000));
      }
    });

    test('a fallback is listed after the model before it; so is a failure', async () => {
      const { provider, user } = world();
      await provider.script(({ body }) => (body['model'] === 'm-first' ? '500' : 'good'));
      const alice = await user();
      const { id, ai } = await alice.send({ ai: FALLS_BACK });
      expect(ai.id).toBe(101);
      expect(briefly(await shown(world(), alice, id))).toEqual([
        'scripted m-first failed 500',
        'scripted scripted-text ok null',
      ]);
      await provider.script('500');
      expect(await alice.code()).toBe('provider_error');
      const failed = await shown(world(), alice, await lastOf(alice));
      expect([failed.state, failed.error_code]).toEqual(['failed', 'provider_error']);
      expect(briefly(failed)).toEqual(['scripted scripted-text failed 500']);
    });

    test('the cost that the provider reported is stored, for the first attempt as well', async () => {
      const { provider, user } = world();
      const usage = { prompt_tokens: 3, completion_tokens: 5, cost: 0.00014 };
      await provider.script({ usage });
      const alice = await user();
      const first = await alice.send();
      await provider.script({ usage: { ...usage, cost_rub: 1e-7 } });
      const second = await alice.send();
      const costOf = async ({ id }: { id: number }) => {
        const [attempt] = (await shown(world(), alice, id)).attempts;
        return [attempt?.cost, attempt?.cost_currency, attempt?.outcome];
      };
      expect(await costOf(first)).toEqual([0.00014, null, 'ok']);
      expect(await costOf(second)).toEqual([1e-7, 'RUB', 'ok']);
    });

    test('streams: a broken one stores an attempt row, a complete one does not', async () => {
      const { provider, user } = world();
      const alice = await user();
      await provider.script('good');
      await (await alice.stream()).text();
      expect(await rowsOf(world(), alice)).toEqual([]);
      await provider.script({ text: 'a b c d', breakAfter: { part: 0.5, how: 'cut' } });
      expect(await (await alice.stream()).text()).toContain('event: error');
      await provider.script('good');
      expect(briefly(await shown(world(), alice, await lastOf(alice)))).toEqual([
        'scripted scripted-text failed null',
      ]);
    });

    test('streams: one that is left while a fallback answers belongs to the fallback', async () => {
      const { provider, user } = world();
      const alice = await user();
      await provider.script(({ body }) => (body['model'] === 'm-first' ? '500' : 'hold'));
      const held = provider.held(1);
      const response = await alice.stream({ ai: FALLS_BACK });
      await held;
      await response.body?.cancel();
      await provider.calls.at(-1)?.ended;
      await provider.script('good');
      const item = await closed(alice);
      expect([item.state, item.ai]).toEqual(['stopped', expect.objectContaining({ id: 101 })]);
    });

    test('a refused key is paused and the other is used; neither is ever shown', async () => {
      const { gateway, provider, user } = world();
      const refused = (key: string) => key.endsWith('zzzz');
      await provider.script(({ headers }) =>
        refused(headers['authorization'] ?? '') ? { status: 401 } : 'good',
      );
      const alice = await user();
      const before = provider.calls.length;
      const ids: number[] = [];
      for (let i = 0; i < 8; i++) ids.push((await alice.send({ ai: KEYS })).id);
      const used = provider.calls
        .slice(before)
        .map(({ headers }) => headers['authorization'] ?? '');
      // Only once, although the second key gets a quarter of the calls.
      expect(used.filter(refused)).toHaveLength(1);
      expect(used).toHaveLength(9);
      const logs = await Promise.all(ids.map((id) => shown(world(), alice, id)));
      const log = logs.find(({ attempts }) => attempts.length > 1);
      expect(log && briefly(log)).toEqual(['keys m-keys failed 401', 'keys m-keys ok null']);
      expect(log?.attempts.map((attempt) => attempt.key_hint)).toEqual(['…zzzz', '…yyyy']);
      const document = JSON.stringify(await gateway.data('/account/export/', {}, alice));
      expect(document).toContain('"outcome":"failed","status":401');
      expect(document).not.toContain('zzzz');
      await provider.script('good');
    });

    test("above the provider's calls a minute the caller gets Retry-After, or a fallback", async () => {
      const { provider, user } = world();
      await provider.script('good');
      const alice = await user();
      await alice.send({ ai: MINUTE });
      const { status, body, headers } = await alice.trySend({ ai: MINUTE });
      expect([status, body.error?.code]).toEqual([503, 'provider_unavailable']);
      const seconds = Number(headers.get('retry-after'));
      expect(seconds).toBeGreaterThan(30);
      expect(seconds).toBeLessThanOrEqual(60);
      // Nothing was sent, so an SDK may repeat it.
      expect(headers.has('x-should-retry')).toBe(false);
      const log = await shown(world(), alice, await lastOf(alice));
      expect(briefly(log)).toEqual(['minute m-minute limited null']);

      expect((await alice.send({ ai: MINUTE_WITH_FALLBACK })).ai.model).toBe('m-other');
      const fallen = await alice.send({ ai: MINUTE_WITH_FALLBACK });
      expect(fallen.ai.id).toBe(101);
      expect(briefly(await shown(world(), alice, fallen.id))).toEqual([
        'other-minute m-other limited null',
        'scripted scripted-text ok null',
      ]);
    });

    test('a provider that is not configured is reported as such', async () => {
      const { user } = world();
      const alice = await user();
      expect(await alice.code({ ai: NOT_SET_UP })).toBe('provider_unavailable');
      expect(briefly(await shown(world(), alice, await lastOf(alice)))).toEqual([
        'unset m-unset not_set_up null',
      ]);
      expect(logged.find(({ model }) => model === NOT_SET_UP)).toMatchObject({
        reason: 'not_set_up',
        detail:
          'provider unset is not set up on this server: not set in the environment: NOBODY_SET_THIS',
      });
    });

    test('attempts are for admins only; an unknown message has none', async () => {
      const { gateway, provider, user } = world();
      await provider.script('good');
      const [alice, bob] = [await user(), await user()];
      const { id } = await alice.send();
      const query = { login: alice.login, message_id: id };
      expect(await gateway.code('/admin/attempts/', query, alice)).toBe('forbidden');
      expect(await gateway.code('/admin/attempts/', query)).toBe('unauthenticated');
      const admin = await user({ isAdmin: true });
      const ofBob = { login: bob.login, message_id: id };
      expect(await gateway.code('/admin/attempts/', ofBob, admin)).toBe('not_found');
      const ofNobody = { login: 'nobody', message_id: id };
      expect(await gateway.code('/admin/attempts/', ofNobody, admin)).toBe('not_found');
      await expectBooksHold(gateway);
    });
  });
}
