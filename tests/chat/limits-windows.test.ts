/** A user's limits from one minute or day to the next, with calls that end in another window than they began in. */
import { describe, expect, test } from 'bun:test';
import type { UserLimits } from '../../src/ledger/index.ts';
import { settableClock } from '../support/clock.ts';
import { dialects } from '../support/databases.ts';
import type { Answer } from '../support/gateway.ts';
import { expectBooksHold, sharedWorld, TEXT_MODEL, type Chatter } from '../support/world.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;
const EMBEDDER = 102;
const free = {
  cost_input_tokens_rub: 0,
  cost_output_tokens_rub: 0,
  cost_input_fix_rub: 0,
  cost_output_fix_rub: 0,
};
/** A ruble for each 100 tokens of an answer, or of embedded text. */
const models = [
  { id: TEXT_MODEL, ...free, cost_output_tokens_rub: 10_000 },
  { id: EMBEDDER, model: 'embedder', model_alias: 'embedder', ...free, cost_input_tokens_rub: 1e4 },
];
const capped = { max_output_tokens: 100 };

for (const dialect of dialects) {
  describe(`${dialect}: limits from one window to the next`, () => {
    const clock = settableClock(Date.UTC(2026, 10, 21, 12));
    const world = sharedWorld(dialect, {
      models,
      clock,
      env: { ZASTAVA_TOKEN_TTL_SECONDS: `${(7 * DAY) / 1000}` },
    });

    const usage = { prompt_tokens: 10, completion_tokens: 90 };

    /** A user for whom each answer costs 0.9 ₽. */
    async function limited(limits: Partial<UserLimits>): Promise<Chatter> {
      const someone = await world().user({ credit: 1_000 });
      await world().provider.script({ usage });
      await world().gateway.core.limits.set(someone.userId, limits);
      return someone;
    }

    /** Begins a send; it is answered once the returned function is called. */
    async function begun(of: Chatter): Promise<() => Promise<Answer>> {
      const { provider } = world();
      const answering = Promise.withResolvers<void>();
      await provider.script(() => answering.promise.then(() => ({ usage })));
      const received = provider.received(provider.calls.length + 1);
      const sending = of.trySend(capped);
      await received;
      await provider.script({ usage });
      return () => {
        answering.resolve();
        return sending;
      };
    }

    const toMidnight = () => void (clock.at += DAY - (clock.at % DAY));

    const tokensLeft = ({ headers }: Answer) =>
      Number(/"tokens";r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]);

    test('a call that outlasts its minute returns nothing to the next minute', async () => {
      const alice = await limited({ tokensPerMinute: 1_000 });
      const end = await begun(alice);
      clock.at += MINUTE;
      const before = tokensLeft(await alice.trySend(capped));
      expect((await end()).status).toBe(200);
      // The one in between used 100; the most that the next may use is subtracted as well.
      const most = 1_000 - before;
      expect(tokensLeft(await alice.trySend(capped))).toBe(1_000 - 100 - most);
    });

    test('a call counts its input and output tokens, whatever total was reported', async () => {
      const alice = await limited({ tokensPerMinute: 1_000 });
      await world().provider.script({ usage: { ...usage, total_tokens: 500 } });
      const most = 1_000 - tokensLeft(await alice.trySend(capped));
      expect(tokensLeft(await alice.trySend(capped))).toBe(1_000 - 100 - most);
    });

    test('the daily limit of rubles begins anew each day', async () => {
      const alice = await limited({ rublesPerDay: 1_900_000 });
      for (let day = 0; day < 3; day++) {
        await alice.send(capped);
        await alice.send(capped);
        expect(await alice.code(capped)).toBe('rate_limited');
        toMidnight();
      }
      expect(await alice.charges()).toHaveLength(6);
    });

    test('a new limit counts what was charged today, but not yesterday', async () => {
      const alice = await limited({});
      await alice.send(capped);
      toMidnight();
      await alice.send(capped);
      await world().gateway.core.limits.set(alice.userId, { rublesPerDay: 1_000_000 });
      const { body } = await alice.trySend(capped);
      expect(body.error).toMatchObject({ code: 'rate_limited', left: 0.1 });
    });

    test('a call whose cap was lowered counts with that cap', async () => {
      const alice = await limited({ rublesPerDay: 3_000_000, tokensPerMinute: 2_000 });
      const bob = await limited({ tokensPerMinute: 2_000 });
      const lowered = tokensLeft(await alice.trySend());
      expect(lowered).toBe(tokensLeft(await bob.trySend({ max_output_tokens: 300 })));
    });

    test('a call that is answered after midnight counts for the day of its charge', async () => {
      const alice = await limited({ rublesPerDay: 1_900_000 });
      const end = await begun(alice);
      toMidnight();
      expect((await end()).status).toBe(200);
      await alice.send(capped);
      const { body } = await alice.trySend(capped);
      expect(body.error).toMatchObject({ code: 'rate_limited', left: 0.1 });
    });

    test('a changed limit of rubles counts what was charged today', async () => {
      const alice = await limited({ rublesPerDay: 10_000_000 });
      await alice.send(capped);
      await world().gateway.core.limits.set(alice.userId, { rublesPerDay: 1_000_000 });
      const { body } = await alice.trySend({ max_output_tokens: 50 });
      expect(body.error).toMatchObject({ code: 'rate_limited', left: 0.1 });
      await alice.send({ max_output_tokens: 10 });
    });

    test('the remaining amount excludes running calls, in refusals as well', async () => {
      const alice = await limited({ rublesPerDay: 3_000_000 });
      const end = await begun(alice);
      const { status, headers, body } = await alice.trySend({ max_output_tokens: 250 });
      expect([status, headers.get('ratelimit')]).toEqual([
        429,
        expect.stringContaining('"rubles";r=2;'),
      ]);
      expect(headers.get('retry-after')).toBe('1');
      expect(body.error?.message).toContain('wait 1 s');
      await end();
    });

    test('embeddings, which have no output tokens, are limited like other calls', async () => {
      const { gateway, provider } = world();
      const alice = await limited({ rublesPerDay: 1_000_000 });
      const embed = async (bytes: number) => {
        const answer = await gateway.fetch('/v1/embeddings', {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            authorization: `Bearer ${alice.token}`,
          },
          body: JSON.stringify({ model: 'embedder', input: 'x'.repeat(bytes) }),
        });
        const { error } = (await answer.json()) as { error?: { code: string; message: string } };
        return [answer.status, error?.code, error?.message];
      };
      await provider.script({ usage: { prompt_tokens: 60 } });
      const calls = provider.calls.length;
      // With 16 for the message, that makes 100.
      expect(await embed(84)).toEqual([200, undefined, undefined]);
      expect(await embed(84)).toEqual([429, 'rate_limited', expect.stringContaining('0.4 ₽')]);
      // No day has room for that.
      expect(await embed(85)).toEqual([
        400,
        'invalid_request',
        expect.stringContaining('choose a cheaper model'),
      ]);
      expect(await embed(24)).toEqual([200, undefined, undefined]);
      expect(provider.calls).toHaveLength(calls + 2);
      await expectBooksHold(gateway);
    });
  });
}
