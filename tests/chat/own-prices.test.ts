/** Separate prices for cached, cache-written and reasoning tokens: what is held, charged and shown. */
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { dialects } from '../support/databases.ts';
import { allEvents } from '../support/event-stream.ts';
import { roundCharge } from '../support/rational.ts';
import { expectBooksHold, micro, sharedWorld, type Sent } from '../support/world.ts';

/** Micro-rubles per 1,000,000 tokens: prices that leave fractions of a micro-ruble. */
const input = 133_333_333;
const cached = 13_333_334;
const written = 166_666_667;
const output = 266_666_667;
const reasoning = 333_333_331;

const none = {
  cost_input_fix_rub: 0,
  cost_output_fix_rub: 0,
  cost_input_tokens_rub: input / 1e6,
  cost_output_tokens_rub: output / 1e6,
};
const own = {
  ...none,
  cost_cached_input_tokens_rub: cached / 1e6,
  cost_cache_write_tokens_rub: written / 1e6,
  cost_reasoning_tokens_rub: reasoning / 1e6,
};
const models = [
  { id: 101, ...none },
  { id: 102, model: 'own', ...own },
  { id: 103, model: 'free-cache', ...none, cost_cached_input_tokens_rub: 0 },
  { id: 104, model: 'falls', ...own, fallbacks: [105] },
  { id: 105, model: 'cheap', ...none, cost_output_tokens_rub: 0.000001 },
];

const wire = (counts: {
  prompt: number;
  cached: number;
  written: number;
  completion: number;
  reasoning: number;
}) => ({
  prompt_tokens: counts.prompt,
  completion_tokens: counts.completion,
  prompt_tokens_details: { cached_tokens: counts.cached, cache_write_tokens: counts.written },
  completion_tokens_details: { reasoning_tokens: counts.reasoning },
});

const inMillions = (...parts: [tokens: number, price: number][]): bigint =>
  roundCharge(parts.reduce((sum, [tokens, price]) => sum + BigInt(tokens) * BigInt(price), 0n));

for (const dialect of dialects) {
  describe(`${dialect}: prices of cached, written and reasoning tokens`, () => {
    const world = sharedWorld(dialect, { models });

    test('are charged by the reported counts, request and response rounded once each, within the estimate', async () => {
      const { gateway, provider, user } = world();
      const alice = await user({ credit: 1_000_000 });
      const split = fc
        .tuple(fc.nat(24), fc.nat(24), fc.nat(24), fc.nat(20), fc.nat(20))
        .map(([free, read, write, said, silent]) => ({
          prompt: free + read + write,
          cached: read,
          written: write,
          completion: said + silent,
          reasoning: silent,
        }));
      await fc.assert(
        fc.asyncProperty(split, async (counts) => {
          await provider.script({ usage: wire(counts) });
          const body = { ai: 102, message: 'x'.repeat(60), max_output_tokens: 40 };
          const { cost_max: max } = await gateway.data<{ cost_max: number }>(
            '/ai/estimate/',
            { room_id: alice.room, ...body },
            alice,
          );
          const sent = await alice.send(body);
          const uncached = counts.prompt - counts.cached - counts.written;
          expect(BigInt(micro(sent.cost_request))).toBe(
            inMillions([uncached, input], [counts.cached, cached], [counts.written, written]),
          );
          expect(BigInt(micro(sent.cost_response))).toBe(
            inMillions(
              [counts.completion - counts.reasoning, output],
              [counts.reasoning, reasoning],
            ),
          );
          expect(sent.cost_request + sent.cost_response).toBeLessThanOrEqual(max);
          // 60 + 16 bytes and 40 tokens, each of the most expensive kind.
          expect(BigInt(micro(max))).toBe(inMillions([76, written]) + inMillions([40, reasoning]));
          expect(sent.warnings).toEqual([]);
        }),
        { numRuns: 40 },
      );
      await expectBooksHold(gateway);
    }, 300_000);

    test('apply when the provider reports more cached tokens than input, or only some of the counts', async () => {
      const { provider, user } = world();
      const alice = await user();
      const body = { ai: 102, message: 'x'.repeat(60), max_output_tokens: 40 };
      const odd = { prompt: 10, cached: 99, written: 99, completion: 5, reasoning: 99 };
      await provider.script({ usage: wire(odd) });
      const all = await alice.send(body);
      expect(BigInt(micro(all.cost_request))).toBe(inMillions([10, cached]));
      expect(BigInt(micro(all.cost_response))).toBe(inMillions([5, reasoning]));
      await provider.script({ usage: { prompt_tokens: 10, completion_tokens: 5 } });
      const plain = await alice.send(body);
      expect(BigInt(micro(plain.cost_request))).toBe(inMillions([10, input]));
      expect(BigInt(micro(plain.cost_response))).toBe(inMillions([5, output]));
    });

    test('of zero make cached tokens free; without one, cached tokens cost as much as others', async () => {
      const { provider, user } = world();
      const alice = await user();
      const counts = { prompt: 20, cached: 20, written: 0, completion: 4, reasoning: 4 };
      await provider.script({ usage: wire(counts) });
      expect(await alice.send({ ai: 103 })).toMatchObject({ cost_request: 0 });
      const sent = await alice.send({ ai: 101 });
      expect(BigInt(micro(sent.cost_request))).toBe(inMillions([20, input]));
      expect(BigInt(micro(sent.cost_response))).toBe(inMillions([4, output]));
    });

    test('apply to streams and to empty answers alike', async () => {
      const { provider, user } = world();
      const alice = await user();
      const counts = { prompt: 20, cached: 7, written: 5, completion: 4, reasoning: 3 };
      const request = inMillions([8, input], [7, cached], [5, written]);
      const response = inMillions([1, output], [3, reasoning]);
      await provider.script({ usage: wire(counts) });
      const events = await allEvents(await alice.stream({ ai: 102 }));
      const done = events.at(-1)?.data as unknown as Sent;
      expect(BigInt(micro(done.cost_request))).toBe(request);
      expect(BigInt(micro(done.cost_response))).toBe(response);
      await provider.script({ text: '', usage: wire(counts) });
      const empty = await alice.send({ ai: 102 });
      expect(BigInt(micro(empty.cost_request))).toBe(request);
      expect(BigInt(micro(empty.cost_response))).toBe(response);
      await provider.script('good');
    });

    test('of a fallback: the lower charge of both models by the same usage', async () => {
      const { provider, user } = world();
      const alice = await user();
      const counts = { prompt: 20, cached: 20, written: 0, completion: 4, reasoning: 0 };
      await provider.script((call) =>
        call.body['model'] === 'falls' ? { status: 503, body: {} } : { usage: wire(counts) },
      );
      const sent = await alice.send({ ai: 104, message: 'x'.repeat(60), max_output_tokens: 40 });
      expect(sent.ai.id).toBe(105);
      const ofRequested = inMillions([20, cached]) + inMillions([4, output]);
      const served = inMillions([20, input]) + inMillions([4, 1]);
      const charged = BigInt(micro(sent.cost_request) + micro(sent.cost_response));
      expect(charged).toBe(ofRequested < served ? ofRequested : served);
      await provider.script('good');
    });

    test('have their counts in the answer, the history and the export as the provider reported them', async () => {
      const { gateway, provider, user } = world();
      const alice = await user();
      const counts = { prompt: 20, cached: 7, written: 0, completion: 4, reasoning: 3 };
      await provider.script({ usage: wire(counts) });
      const sent = await alice.send({ ai: 101 });
      expect(sent.usage).toMatchObject({
        cached_tokens: 7,
        cache_write_tokens: 0,
        reasoning_tokens: 3,
      });
      await provider.script({ usage: { prompt_tokens: 20, completion_tokens: 4 } });
      expect(Object.keys((await alice.send({ ai: 101 })).usage).sort()).toEqual([
        'completion_tokens',
        'prompt_tokens',
        'source',
        'total_tokens',
      ]);
      await provider.script('good');
      const shown = await gateway.data<{ data: Record<string, string>[] }>(
        '/ai/history/',
        { room_id: alice.room },
        alice,
      );
      const kinds = ['usage_cached_tokens', 'usage_cache_write_tokens', 'usage_reasoning_tokens'];
      expect(shown.data.map((item) => kinds.map((kind) => item[kind]))).toEqual([
        ['7', '0', '3'],
        ['', '', ''],
      ]);
      const { rooms } = await gateway.data<{ rooms: { messages: object[] }[] }>(
        '/account/export/',
        {},
        alice,
      );
      expect(rooms[0]?.messages).toMatchObject([
        { cached_tokens: 7, cache_write_tokens: 0, reasoning_tokens: 3 },
        { cached_tokens: null, cache_write_tokens: null, reasoning_tokens: null },
      ]);
    });

    test('are shown for models that have them, and only for these', async () => {
      const { gateway, user } = world();
      const alice = await user();
      const { ai } = await gateway.data<{ ai: Record<string, unknown>[] }>(
        '/ai/settings/',
        {},
        alice,
      );
      const shown = ai.map((model) => [
        model['id'],
        model['cost_cached_input_tokens_rub'],
        model['cost_cache_write_tokens_rub'],
        model['cost_reasoning_tokens_rub'],
      ]);
      expect(shown.filter(([id]) => Number(id) > 100)).toEqual([
        [101, undefined, undefined, undefined],
        [102, cached / 1e6, written / 1e6, reasoning / 1e6],
        [103, 0, undefined, undefined],
        [104, cached / 1e6, written / 1e6, reasoning / 1e6],
        [105, undefined, undefined, undefined],
      ]);
      const sent = await alice.send({ ai: 102 });
      expect(sent.ai).toMatchObject({ cost_cached_input_tokens_rub: cached / 1e6 });
    });
  });
}
