/** The whole cost of an image is held: no cap is sent to image models, so none can lower the price. */
import { describe, expect, test } from 'bun:test';
import { dialects } from '../support/databases.ts';
import { expectBooksHold, IMAGE_MODEL, sharedWorld } from '../support/world.ts';

const TOKENS_MAX = 10_000;
const TOKENS_USED = 6_240;

for (const dialect of dialects) {
  describe(`${dialect}: an image with a price for its tokens`, () => {
    const world = sharedWorld(dialect, {
      models: [
        {
          id: IMAGE_MODEL,
          type: 'IMAGE',
          is_chat_mode_allowed: 0,
          max_output_tokens: TOKENS_MAX,
          cost_output_tokens_rub: 4_000,
          cost_input_tokens_rub: 0,
          cost_input_fix_rub: 0,
          cost_output_fix_rub: 0,
        },
      ],
    });
    const usage = { input_tokens: 10, output_tokens: TOKENS_USED, total_tokens: TOKENS_USED + 10 };

    test.each([undefined, 1])('costs the same with a cap of %p', async (cap) => {
      const { gateway, provider, user } = world();
      const alice = await user();
      await provider.script({ usage });
      const sent = await alice.send({ ai: IMAGE_MODEL, max_output_tokens: cap });
      expect(sent.cost_response).toBe((TOKENS_USED * 4_000) / 1_000_000);
      await expectBooksHold(gateway);
    });

    test('is refused if the balance does not cover its highest cost', async () => {
      const { provider, user } = world();
      const alice = await user({ credit: 39.999999 });
      const calls = provider.calls.length;
      expect(await alice.code({ ai: IMAGE_MODEL })).toBe('insufficient_funds');
      expect(await alice.code({ ai: IMAGE_MODEL, max_output_tokens: 1 })).toBe(
        'insufficient_funds',
      );
      expect(provider.calls).toHaveLength(calls);
      expect(await alice.funds()).toMatchObject({ held: 0 });
    });

    test('is refused without the advice to lower the cap, which would change nothing', async () => {
      const { gateway, user } = world();
      const alice = await user({ credit: 39 });
      const refusal = async () => (await alice.trySend({ ai: IMAGE_MODEL })).body.error;
      const poor = await refusal();
      expect(poor).toMatchObject({ code: 'insufficient_funds', max_output_tokens: 0 });
      expect(poor?.message).toEndWith('are available: top up the balance');
      await gateway.core.ledger.credit(alice.userId, 100_000_000, {
        reason: 'more',
        madeBy: 'test',
      });
      for (const [limits, code, path] of [
        [{ tokensPerMinute: 5_000 }, 'input_too_long', undefined],
        [{ tokensPerMinute: null, rublesPerDay: 20_000_000 }, 'invalid_request', 'ai'],
      ] as const) {
        await gateway.core.limits.set(alice.userId, limits);
        const limited = await refusal();
        expect([limited?.code, limited?.details?.[0]?.path]).toEqual([code, path]);
        expect(limited?.message).toContain('model');
        expect(limited?.message).not.toContain('at most');
      }
    });
  });
}
