/** A user's limits as callers see them: refusals, headers in each dialect, models, and what counts. */
import { describe, expect, test } from 'bun:test';
import type { UserLimits } from '../../src/ledger/index.ts';
import { settableClock } from '../support/clock.ts';
import { dialects, statementsOf } from '../support/databases.ts';
import type { Gateway } from '../support/gateway.ts';
import { expectBooksHold, sharedWorld, TEXT_MODEL, type Chatter } from '../support/world.ts';
import { limitedModels, OTHER } from './limited-models.ts';

const NOON = Date.UTC(2026, 10, 21, 12);
const DAY = 86_400_000;

interface Refusal {
  error: { message: string; param?: string };
}

for (const dialect of dialects) {
  describe(`${dialect}: limits of a user`, () => {
    const clock = settableClock(NOON);
    const world = sharedWorld(dialect, { models: limitedModels, clock });

    async function limited(limits: Partial<UserLimits>, credit = 1_000): Promise<Chatter> {
      const someone = await world().user({ credit });
      await world().provider.script({ usage: { prompt_tokens: 10, completion_tokens: 90 } });
      await world().gateway.core.limits.set(someone.userId, limits);
      return someone;
    }
    const gateway = (): Gateway => world().gateway;
    const capped = { max_output_tokens: 100 };

    const v1 = (of: Chatter, body: object = {}, path = '/v1/chat/completions') =>
      gateway().fetch(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${of.token}` },
        body: JSON.stringify({
          model: 'plain',
          max_tokens: 100,
          messages: [{ role: 'user', content: 'Hi' }],
          ...body,
        }),
      });

    test('a call above the limit of calls a minute is 429 with Retry-After, and changes nothing', async () => {
      const alice = await limited({ requestsPerMinute: 2 });
      const first = await alice.trySend(capped);
      expect(first.headers.get('ratelimit-policy')).toBe('"requests";q=2;w=60');
      expect(first.headers.get('ratelimit')).toBe('"requests";r=1;t=60');
      clock.at += 15_500;
      await alice.send(capped);
      const calls = world().provider.calls.length;
      const funds = await alice.funds();
      const { status, headers, body } = await alice.trySend(capped);
      expect([status, body.error?.code]).toEqual([429, 'rate_limited']);
      expect(body.error).toMatchObject({ limit: 'requests_per_minute', left: 0 });
      expect(headers.get('retry-after')).toBe('45');
      expect(headers.get('ratelimit')).toBe('"requests";r=0;t=45');
      expect(world().provider.calls).toHaveLength(calls);
      expect(await alice.funds()).toEqual(funds);
      expect(await alice.history({ include_failed: true })).toHaveLength(2);
      clock.at += 44_500;
      await alice.send(capped);
    });

    test('other users are not limited, and their answers have no limit headers', async () => {
      await limited({ requestsPerMinute: 1 });
      const bob = await world().user();
      for (let i = 0; i < 3; i++) {
        const { status, headers } = await bob.trySend(capped);
        expect(status).toBe(200);
        expect([...headers.keys()].filter((name) => name.includes('ratelimit'))).toEqual([]);
      }
    });

    test('replays, refusals and calls without funds do not count', async () => {
      const alice = await limited({ requestsPerMinute: 2 }, 1);
      const key = { headers: { 'idempotency-key': 'once' } };
      const first = await alice.send({ max_output_tokens: 90 }, key);
      for (let i = 0; i < 3; i++)
        expect((await alice.send({ max_output_tokens: 90 }, key)).id).toBe(first.id);
      expect(await alice.code({ max_output_tokens: 0 })).toBe('invalid_request');
      expect(await alice.code({ max_output_tokens: 100 })).toBe('insufficient_funds');
      expect(await alice.code({ room_id: 'x'.repeat(32) })).toBe('room_not_found');
      await alice.send({ max_output_tokens: 5 });
      expect(await alice.code({ max_output_tokens: 5 })).toBe('rate_limited');
    });

    test('a failed call counts as one, and returns its tokens', async () => {
      const alice = await limited({ requestsPerMinute: 5, tokensPerMinute: 1_000 });
      await world().provider.script('500');
      const failed = await alice.trySend(capped);
      expect(failed.status).toBe(502);
      expect(failed.headers.get('ratelimit')).toContain('"requests";r=4;t=60');
      await world().provider.script('good');
      const { headers } = await alice.trySend({ max_output_tokens: 800 });
      expect(headers.get('ratelimit')).toContain('"requests";r=3;t=60');
    });

    test('tokens count with the most that a call can use, then with what it used', async () => {
      const alice = await limited({ tokensPerMinute: 1_000 });
      const remaining = ({ headers }: { headers: Headers }) =>
        Number(/"tokens";r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]);
      const first = await alice.trySend({ max_output_tokens: 500 });
      expect(first.headers.get('ratelimit-policy')).toBe('"tokens";q=1000;w=60;qu="tokens"');
      const taken = 1_000 - remaining(first);
      expect(taken).toBeGreaterThan(500);
      // The first one used 100.
      const second = await alice.trySend({ max_output_tokens: 500 });
      expect(remaining(second)).toBe(900 - taken);
      const tooMuch = await alice.trySend({ max_output_tokens: 800 });
      expect(tooMuch.body.error).toMatchObject({
        code: 'rate_limited',
        limit: 'tokens_per_minute',
        left: 800,
      });
      const cap = Number(
        (tooMuch.body.error as unknown as Record<string, unknown>)['max_output_tokens'],
      );
      await alice.send({ max_output_tokens: cap });
    });

    test('a call without a cap gets the cap that fits, and a warning', async () => {
      const alice = await limited({ tokensPerMinute: 600 });
      const { warnings } = await alice.send();
      expect(warnings.join()).toMatch(
        /max_output_tokens was lowered to 5\d\d, .* your limits cover/,
      );
      const bob = await limited({ rublesPerDay: 3_000_000 });
      expect((await bob.send()).warnings.join()).toContain('lowered to 300,');
    });

    test('a call that can never fit is refused by name, without Retry-After', async () => {
      const alice = await limited({ tokensPerMinute: 300 });
      // However much of it is used already: the error names the whole limit.
      await alice.send({ max_output_tokens: 100 });
      const { status, body } = await alice.trySend({ max_output_tokens: 900 });
      expect([status, body.error?.code]).toEqual([422, 'invalid_request']);
      expect(body.error?.details?.[0]).toEqual({
        path: 'max_output_tokens',
        message:
          'the request can take up to 921 tokens, and your limit is 300 a minute: send at most 279',
      });
      expect(await alice.code({ message: 'x'.repeat(400), max_output_tokens: 1 })).toBe(
        'input_too_long',
      );
      const bob = await limited({ rublesPerDay: 2_000_000 });
      const dear = await bob.trySend({ max_output_tokens: 201 });
      expect(dear.body.error?.message).toEndWith(', and your limit is 2 ₽ a day: send at most 200');
    });

    test('rubles count within a UTC day, including charges from before the limit was set', async () => {
      const alice = await limited({});
      await alice.send({ max_output_tokens: 100 });
      await gateway().core.limits.set(alice.userId, { rublesPerDay: 2_700_000 });
      const sent = await alice.trySend({ max_output_tokens: 100 });
      expect(sent.headers.get('ratelimit-policy')).toBe('"rubles";q=2;w=86400;qu="rubles"');
      expect(sent.headers.get('ratelimit')).toMatch(/^"rubles";r=0;t=\d+$/);
      const { headers, body } = await alice.trySend({ max_output_tokens: 100 });
      expect(body.error).toMatchObject({
        code: 'rate_limited',
        limit: 'rubles_per_day',
        left: 0.9,
      });
      expect(Number(headers.get('retry-after'))).toBe(Math.ceil((DAY - (clock.at % DAY)) / 1000));
      // Otherwise an SDK would repeat it within seconds.
      expect(headers.get('x-should-retry')).toBe('false');
      await alice.send({ max_output_tokens: 90 });
      expect(await alice.code({ max_output_tokens: 1 })).toBe('rate_limited');
      clock.at += DAY - (clock.at % DAY);
      await alice.send({ max_output_tokens: 100 });
    });

    test('streams are limited alike, with the same headers', async () => {
      const alice = await limited({ requestsPerMinute: 1, tokensPerMinute: 5_000 });
      const response = await alice.stream(capped);
      expect(response.headers.get('ratelimit')).toMatch(
        /^"requests";r=0;t=60, "tokens";r=\d+;t=60$/,
      );
      expect(await response.text()).toContain('event: done');
      const refused = await alice.stream(capped);
      expect(refused.status).toBe(429);
      expect(refused.headers.get('content-type')).toContain('application/json');
    });

    test("OpenAI's clients get their own headers and shape of 429", async () => {
      const alice = await limited({
        requestsPerMinute: 2,
        tokensPerMinute: 10_000,
        rublesPerDay: 1e9,
      });
      for (const stream of [false, true]) {
        const answer = await v1(alice, { stream });
        expect(answer.status).toBe(200);
        expect(answer.headers.get('x-ratelimit-limit-requests')).toBe('2');
        expect(answer.headers.get('x-ratelimit-remaining-requests')).toBe(stream ? '0' : '1');
        expect(answer.headers.get('x-ratelimit-reset-requests')).toBe('60s');
        expect(answer.headers.get('x-ratelimit-limit-tokens')).toBe('10000');
        expect(Number(answer.headers.get('x-ratelimit-remaining-tokens'))).toBeLessThan(10_000);
        expect(answer.headers.get('ratelimit')).toContain('"rubles";r=99');
        await answer.text();
      }
      const refused = await v1(alice);
      expect(refused.status).toBe(429);
      expect(refused.headers.get('retry-after')).toBe('60');
      expect(refused.headers.get('x-ratelimit-remaining-requests')).toBe('0');
      expect(await refused.json()).toMatchObject({
        error: { type: 'rate_limit_error', code: 'rate_limited', message: expect.any(String) },
      });
    });

    test("Anthropic's clients get theirs as well", async () => {
      const alice = await limited({ requestsPerMinute: 1 });
      const answer = await v1(alice, {}, '/v1/messages');
      expect(answer.status).toBe(200);
      expect(answer.headers.get('anthropic-ratelimit-requests-limit')).toBe('1');
      expect(answer.headers.get('anthropic-ratelimit-requests-remaining')).toBe('0');
      const reset = answer.headers.get('anthropic-ratelimit-requests-reset') ?? '';
      expect(reset).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      expect(answer.headers.has('x-ratelimit-limit-requests')).toBe(false);
      for (const stream of [false, true]) {
        const refused = await v1(alice, { stream }, '/v1/messages');
        expect(refused.status).toBe(429);
        expect(refused.headers.get('retry-after')).toBe('60');
        expect(await refused.json()).toMatchObject({
          type: 'error',
          error: { type: 'rate_limit_error' },
        });
      }
    });

    test('only the allowed models are listed, sent to, estimated and fallen back to', async () => {
      const alice = await limited({ models: [TEXT_MODEL] });
      const listed = await gateway().data<{ ai: { id: number }[] }>('/ai/settings/', {}, alice);
      expect(listed.ai.map(({ id }) => id)).toEqual([TEXT_MODEL]);
      const authorization = `Bearer ${alice.token}`;
      for (const headers of [
        { authorization },
        { authorization, 'anthropic-version': '2023-06-01' },
      ]) {
        const list = await gateway().fetch('/v1/models', { headers });
        expect(
          ((await list.json()) as { data: { id: string }[] }).data.map(({ id }) => id),
        ).toEqual(['plain']);
        expect((await gateway().fetch('/v1/models/other', { headers })).status).toBe(404);
      }
      expect(await alice.code({ ai: OTHER, ...capped })).toBe('model_not_found');
      expect((await v1(alice, { model: 'other' })).status).toBe(404);
      // Under /v1 it can't be distinguished from a model that does not exist.
      for (const path of ['/v1/chat/completions', '/v1/messages', '/v1/messages/count_tokens']) {
        const refusalFor = async (model: string) => {
          const { error } = (await (await v1(alice, { model }, path)).json()) as Refusal;
          return { ...error, message: error.message.replaceAll(model, 'NAME') };
        };
        expect(await refusalFor('other')).toEqual(await refusalFor('nobody'));
        expect((await refusalFor('other')).message).toContain('there is no model NAME ');
        if (path.includes('chat')) expect((await refusalFor('other')).param).toBe('model');
      }
      const estimate = { room_id: alice.room, ai: OTHER, message: 'Hi' };
      expect(await gateway().code('/ai/estimate/', estimate, alice)).toBe('model_not_found');
      expect((await alice.send(capped)).ai.id).toBe(TEXT_MODEL);

      await world().provider.script(({ body }) => (body['model'] === 'other' ? 'good' : '500'));
      expect(await alice.code(capped)).toBe('provider_error');
      expect(await (await alice.stream(capped)).text()).toContain('"code":"provider_error"');
      await gateway().core.limits.set(alice.userId, { models: null });
      expect(await (await alice.stream(capped)).text()).toContain('event: done');
      expect((await alice.send(capped)).ai.id).toBe(OTHER);
    });

    test('a removed limit no longer applies, and a changed one keeps what was used', async () => {
      const alice = await limited({ requestsPerMinute: 2 });
      await alice.send(capped);
      await gateway().core.limits.set(alice.userId, { requestsPerMinute: 1 });
      expect(await alice.code(capped)).toBe('rate_limited');
      await gateway().core.limits.set(alice.userId, { requestsPerMinute: null });
      expect(
        await gateway().core.db.query('SELECT * FROM user_limits WHERE user_id = $1', [
          alice.userId,
        ]),
      ).toEqual([]);
      for (let i = 0; i < 3; i++) await alice.send(capped);
      await expectBooksHold(gateway());
    });

    test('a plain send of a user without limits reads neither limits nor attempts', async () => {
      const { db } = gateway().core;
      const alice = await world().user();
      await world().provider.script('good');
      using statements = statementsOf(db);
      await alice.send(capped);
      const statementTexts = statements.sent.map(({ text }) => text);
      expect(statementTexts.some((text) => text.includes('UPDATE messages'))).toBe(true);
      expect(statementTexts.filter((text) => /user_limits|message_attempts/.test(text))).toEqual(
        [],
      );
    });
  });
}
