/** What a repeated Idempotency-Key gets after the client left its stream. */
import { describe, expect, test } from 'bun:test';
import { dialects } from '../support/databases.ts';
import { allEvents, eventsOf } from '../support/event-stream.ts';
import { closed, sharedWorld, standardModels } from '../support/world.ts';

const FREE = 202;
const free = {
  id: FREE,
  cost_input_tokens_rub: 0,
  cost_output_tokens_rub: 0,
  cost_input_fix_rub: 0,
  cost_output_fix_rub: 0,
};

for (const dialect of dialects) {
  describe(`${dialect}: a stream that was left`, () => {
    const world = sharedWorld(dialect, { models: [...standardModels, free] });

    for (const ai of [101, FREE]) {
      test(`of model ${ai} is replayed as far as it was delivered, and the provider is not called again`, async () => {
        const { provider, user } = world();
        const alice = await user();
        // An answer shows that this model has no hidden reasoning.
        await alice.send({ ai });
        const key = { headers: { 'idempotency-key': `left-${ai}` } };
        await provider.script({ deltas: ['Half', ' and half'], pauseAfterFirst: true });
        for await (const { event } of eventsOf(await alice.stream({ ai }, key))) {
          if (event === 'delta') break;
        }
        const item = await closed(alice);
        expect(item).toMatchObject({ state: 'stopped', response: 'Half' });
        await provider.script('good');
        provider.release();
        const calls = provider.calls.length;
        const again = await alice.stream({ ai }, key);
        expect(again.headers.get('idempotent-replayed')).toBe('true');
        const end = (await allEvents(again)).at(-1);
        expect(end).toMatchObject({
          event: 'done',
          data: { response: 'Half', finish_reason: 'stopped' },
        });
        expect(provider.calls).toHaveLength(calls);
      });
    }
  });
}
