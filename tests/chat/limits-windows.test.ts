/** Limits of a user from one minute or day to the next, under calls that end in another than they began in. */
import { describe, expect, test } from 'bun:test';
import type { Clock } from '../../src/lib/clock.ts';
import type { UserLimits } from '../../src/ledger/index.ts';
import { dialects } from '../support/databases.ts';
import { expectBooksHold, sharedWorld, TEXT_MODEL, type Chatter } from '../support/world.ts';

const DAY = 86_400_000;
const EMBEDDER = 102;
const free = {
  ...{ cost_input_tokens_rub: 0, cost_output_tokens_rub: 0 },
  ...{ cost_input_fix_rub: 0, cost_output_fix_rub: 0 },
};
/** A ruble for each 100 tokens of an answer; or of what is embedded. */
const models = [
  { id: TEXT_MODEL, ...free, cost_output_tokens_rub: 10_000 },
  { id: EMBEDDER, model: 'embedder', model_alias: 'embedder', ...free, cost_input_tokens_rub: 1e4 },
];

for (const dialect of dialects) {
  describe(`${dialect}: limits from one window to the next`, () => {
    const clock: Clock & { at: number } = {
      at: Date.UTC(2026, 10, 21, 12),
      now: () => clock.at,
      monotonic: () => performance.now(),
    };
    const world = sharedWorld(dialect, {
      ...{ models, clock },
      env: { ZASTAVA_TOKEN_TTL_SECONDS: `${(7 * DAY) / 1000}` },
    });

    const usage = { prompt_tokens: 10, completion_tokens: 90 };

    /** Each of whose answers costs 0.9 ₽. */
    async function limited(limits: Partial<UserLimits>): Promise<Chatter> {
      const someone = await world().user({ credit: 1_000 });
      await world().provider.script({ usage });
      await world().gateway.core.limits.set(someone.userId, limits);
      return someone;
    }

    test('embeddings, which have no tokens out, are limited alike', async () => {
      const { gateway, provider } = world();
      const alice = await limited({ rublesPerDay: 1_000_000 });
      const embed = async (bytes: number) => {
        const answer = await gateway.fetch('/v1/embeddings', {
          method: 'POST',
          headers: {
            ...{ 'content-type': 'application/json', authorization: `Bearer ${alice.token}` },
          },
          body: JSON.stringify({ model: 'embedder', input: 'x'.repeat(bytes) }),
        });
        const { error } = (await answer.json()) as { error?: { code: string; message: string } };
        return [answer.status, error?.code, error?.message];
      };
      await provider.script({ usage: { prompt_tokens: 60 } });
      const calls = provider.calls.length;
      // 16 for the message, so 100 in all.
      expect(await embed(84)).toEqual([200, undefined, undefined]);
      expect(await embed(84)).toEqual([429, 'rate_limited', expect.stringContaining('0.4 ₽')]);
      // That there is no room for on any day.
      expect(await embed(85)).toEqual([
        422,
        'invalid_request',
        expect.stringContaining('choose a cheaper model'),
      ]);
      expect(await embed(24)).toEqual([200, undefined, undefined]);
      expect(provider.calls).toHaveLength(calls + 2);
      await expectBooksHold(gateway);
    });
  });
}
