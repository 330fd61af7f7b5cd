/** A fallback whose safety system refuses: the usage that it reported is charged at the lower price. */
import { describe, expect, test } from 'bun:test';
import { dialects } from '../support/databases.ts';
import { allEvents } from '../support/event-stream.ts';
import { expectBooksHold, sharedWorld } from '../support/world.ts';

const DEAR = 201;
const CHEAP = 202;
const price = (rub: number) => ({
  cost_input_tokens_rub: rub,
  cost_output_tokens_rub: rub,
  cost_input_fix_rub: 0,
  cost_output_fix_rub: 0,
});
const refusal = {
  finishReason: 'content_filter',
  deltas: [],
  text: '',
  usage: { prompt_tokens: 1_000, completion_tokens: 500, total_tokens: 1_500 },
};

for (const dialect of dialects) {
  describe(`${dialect}: a refusal by a fallback`, () => {
    const world = sharedWorld(dialect, {
      models: [
        {
          id: DEAR,
          provider: 'gone',
          fallbacks: [CHEAP],
          ...price(1_000),
          cost_input_fix_rub: 0.5,
        },
        { id: CHEAP, model: 'cheap', ...price(2) },
      ],
      providers: () => ({ gone: { kind: 'openai', base_url: 'http://127.0.0.1:1/v1' } }),
    });

    test.each(['plain', 'streamed'])('%s: costs what the fallback costs', async (way) => {
      const { gateway, provider, user } = world();
      const alice = await user();
      await provider.script(refusal);
      if (way === 'plain') expect(await alice.code({ ai: DEAR })).toBe('content_refused');
      else {
        const events = await allEvents(await alice.stream({ ai: DEAR }));
        expect(events.at(-1)?.data).toMatchObject({ code: 'content_refused' });
      }
      expect(await alice.funds()).toMatchObject({ balance: 100_000_000 - 3_000, held: 0 });
      const [item] = await alice.history({ include_failed: true });
      expect(item).toMatchObject({ state: 'failed', cost_request: 0.002, cost_response: 0.001 });
      expect(item?.ai.id).toBe(CHEAP);
      await expectBooksHold(gateway);
    });
  });
}
