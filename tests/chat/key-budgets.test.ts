/** Limits and budgets of API keys as callers see them: refusals, headers, models, and what counts. */
import { describe, expect, test } from 'bun:test';
import { settableClock } from '../support/clock.ts';
import { dialects, statementsOf } from '../support/databases.ts';
import {
  chatterOf,
  expectBooksHold,
  sharedWorld,
  TEXT_MODEL,
  type Chatter,
} from '../support/world.ts';
import { limitedModels, OTHER } from './limited-models.ts';

const NOON = Date.UTC(2026, 10, 21, 12);
const DAY = 86_400_000;
/** At most 1 ₽; the scripted answer costs all of it. */
const capped = { max_output_tokens: 100 };

interface Key {
  id: string;
  limits: Record<string, unknown>;
  used: Record<string, number> | null;
}

interface Made extends Chatter {
  keyId: string;
  alice: Chatter;
  /** The key as its user sees it. */
  shown: () => Promise<Key>;
  set: (changes: object) => Promise<Key>;
}

for (const dialect of dialects) {
  describe(`${dialect}: limits of a key`, () => {
    const clock = settableClock(NOON);
    const world = sharedWorld(dialect, { models: limitedModels, clock });

    /** Unlike a token, it does not expire when the clock moves. */
    async function operatorKey() {
      const { gateway } = world();
      const { userId } = await gateway.addUser({ isOperator: true });
      const { key } = await gateway.core.keys.create(userId, { name: 'x' });
      return { token: key };
    }

    /** A user's key with these limits. */
    async function limited(limits: object, by?: Chatter): Promise<Made> {
      const { gateway, provider, user } = world();
      const alice = by ?? (await user({ credit: 1_000 }));
      await provider.script({ usage: { prompt_tokens: 10, completion_tokens: 100 } });
      const { token } = alice;
      const body = { name: 'x', ...limits };
      const made = await gateway.data<{ id: string; key: string }>('/account/keys/', body, {
        token,
      });
      const operator = await operatorKey();
      const set = (changes: object) =>
        gateway.data<Key>('/admin/keys/limit/', { id: made.id, ...changes }, operator);
      const chatter = await chatterOf(gateway, { ...alice, token: made.key });
      return { ...chatter, keyId: made.id, alice, set, shown: () => set({}) };
    }

    test('a used-up budget is 402 and is not repeated; other credentials still work', async () => {
      const key = await limited({ rubles_total: '2.5' });
      const first = await key.trySend(capped);
      expect(first.headers.get('ratelimit')).toBe('"rubles";r=1');
      expect(first.headers.get('ratelimit-policy')).toBe('"rubles";q=2;qu="rubles"');
      await key.send(capped);
      const { status, headers, body } = await key.trySend(capped);
      expect([status, body.error]).toEqual([
        402,
        expect.objectContaining({
          code: 'insufficient_funds',
          limit: 'rubles_total',
          limit_of: 'key',
          needed: 1,
          available: 0.5,
          max_output_tokens: 50,
          message:
            "the request can cost up to 1 ₽, and 0.5 ₽ are left of this API key's limit in all: ask for a larger budget, use another key, or send max_output_tokens of at most 50",
        }),
      ]);
      expect(headers.get('retry-after')).toBeNull();
      await key.alice.send(capped);
      expect((await key.shown()).used).toEqual({
        rubles_today: 2,
        rubles_this_month: 2,
        rubles_total: 2,
        held: 0,
      });
      clock.at += 40 * DAY;
      expect(await key.code(capped)).toBe('insufficient_funds');
      await key.set({ rubles_total: 4 });
      await key.send(capped);
      await expectBooksHold(world().gateway);
    });

    test('budgets of a day and a month start again with the next one', async () => {
      clock.at = Date.UTC(2026, 10, 29, 12);
      const key = await limited({ rubles_per_day: 1, rubles_per_month: 2 });
      await key.send(capped);
      const today = await key.trySend(capped);
      expect([today.status, today.body.error]).toEqual([
        429,
        expect.objectContaining({ code: 'rate_limited', limit: 'rubles_per_day', limit_of: 'key' }),
      ]);
      expect(today.headers.get('retry-after')).toBe('43200');
      expect(today.headers.get('x-should-retry')).toBe('false');
      clock.at += DAY;
      await key.send(capped);
      await key.set({ rubles_per_day: null });
      const month = await key.trySend(capped);
      expect(month.body.error).toMatchObject({ limit: 'rubles_per_month', left: 0 });
      expect(month.body.error?.message).toContain('first of the next month');
      expect(month.headers.get('retry-after')).toBe('43200');
      expect((await key.shown()).used).toMatchObject({ rubles_today: 1, rubles_this_month: 2 });
      clock.at += DAY;
      expect((await key.shown()).used).toMatchObject({ rubles_today: 0, rubles_this_month: 0 });
      await key.send(capped);
      clock.at = NOON;
    });

    test('what is held counts, including sends that began before there was a limit', async () => {
      const { provider } = world();
      const key = await limited({});
      await provider.script('hold');
      const running = key.send(capped);
      await provider.held(1);
      expect((await key.set({ rubles_total: 2 })).used).toMatchObject({ rubles_total: 0, held: 1 });
      expect(await key.code({ max_output_tokens: 101 })).toBe('insufficient_funds');
      await key.set({ rubles_total: null });
      expect((await key.shown()).used).toBeNull();
      await key.set({ rubles_per_day: 3 });
      provider.release();
      await running;
      expect((await key.shown()).used).toMatchObject({ held: 0 });
      await expectBooksHold(world().gateway);
    });

    test('those of the user and of the key apply together, and the headers give the tighter one', async () => {
      const key = await limited({ requests_per_minute: 2, tokens_per_minute: 10_000 });
      const { limits } = world().gateway.core;
      await limits.set(key.userId, { requestsPerMinute: 3, tokensPerMinute: 900, models: [OTHER] });
      expect(await key.code(capped)).toBe('model_not_found');
      await limits.set(key.userId, { models: null });
      const { headers } = await key.trySend(capped);
      expect(headers.get('ratelimit')).toMatch(/^"requests";r=1;t=60, "tokens";r=[78]\d\d;t=60$/);
      await key.send(capped);
      const refused = await key.trySend(capped);
      expect(refused.body.error).toMatchObject({ limit: 'requests_per_minute', limit_of: 'key' });
      expect(refused.body.error?.message).toContain("this API key's limit");
      await key.alice.send(capped);
      const all = await key.alice.trySend(capped);
      expect(all.body.error).toMatchObject({ limit: 'requests_per_minute', limit_of: 'user' });
      await expectBooksHold(world().gateway);
    });

    test('only its models are listed and used, also as fallbacks, whose charges count', async () => {
      const { gateway, provider } = world();
      const key = await limited({ models: [TEXT_MODEL], rubles_total: 5 });
      const { token } = key;
      const listed = await gateway.data<{ ai: { id: number }[] }>('/ai/settings/', {}, { token });
      expect(listed.ai.map(({ id }) => id)).toEqual([TEXT_MODEL]);
      const estimate = { room_id: key.room, ai: OTHER, message: 'Hi' };
      expect(await gateway.code('/ai/estimate/', estimate, { token })).toBe('model_not_found');
      expect(await key.code({ ai: OTHER })).toBe('model_not_found');
      const reply = { usage: { prompt_tokens: 10, completion_tokens: 100 } };
      await provider.script((call) => (call.body['model'] === 'other' ? reply : '500'));
      expect(await key.code(capped)).toBe('provider_error');
      await key.set({ models: null });
      await key.send(capped);
      expect((await key.shown()).used).toMatchObject({ rubles_total: 1, held: 0 });
      await expectBooksHold(gateway);
    });

    test('a key that is revoked during a send settles where it was held', async () => {
      const { gateway, provider } = world();
      const key = await limited({ rubles_total: 5 });
      await provider.script('hold');
      const running = key.send(capped);
      await provider.held(1);
      await gateway.data<object>('/account/keys/', { revoke: key.keyId }, key.alice);
      provider.release();
      await running;
      const spent = await gateway.data<{ keys: object[] }>('/account/usage/keys/', {}, key.alice);
      expect(spent.keys).toMatchObject([{ key_id: key.keyId, requests: 1 }]);
      const [row] = await gateway.core.db.query(
        'SELECT held, charged FROM key_limits WHERE key_id = $1',
        [key.keyId],
      );
      const { balance, held } = await key.alice.funds();
      expect(held).toBe(0);
      expect(row).toEqual({ held: 0, charged: 1_000_000_000 - balance });
      expect(
        await gateway.code('/account/keys/limit/', { id: key.keyId, tags: [] }, key.alice),
      ).toBe('token_revoked');
    });

    test('a send with a key without limits reads no limits', async () => {
      const { gateway, user } = world();
      const alice = await user();
      await limited({ rubles_total: 5 }, alice);
      const other = await limited({}, alice);
      using statements = statementsOf(gateway.core.db);
      await other.send(capped);
      const statementTexts = statements.sent.map(({ text }) => text);
      expect(statementTexts.some((text) => text.includes('UPDATE messages'))).toBe(true);
      expect(statementTexts.filter((text) => /key_limits|user_limits/.test(text))).toEqual([]);
    });
  });
}
