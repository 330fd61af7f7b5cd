/** `cost_likely` of an estimate: what a send will probably cost. */
import { describe, expect, test } from 'bun:test';
import { estimateTokens } from '../../src/chat/context/tokens.ts';
import { dialects } from '../support/databases.ts';
import { micro, sharedWorld, type Chatter, type ModelLine } from '../support/world.ts';

const LIKELY = 201;
const models: ModelLine[] = [
  { id: 101 },
  {
    id: LIKELY,
    max_input_tokens: 100_000,
    max_output_tokens: 10_000,
    cost_input_tokens_rub: 1_000,
    cost_output_tokens_rub: 2_000,
    cost_input_fix_rub: 0.5,
    cost_output_fix_rub: 0.25,
  },
];
const FIXED = 750_000;
/** Tokens of a message besides those of its text. */
const ROLE = 4;
const russian = 'Застава — это городские ворота, где путников проверяли. '.repeat(20);

for (const dialect of dialects) {
  describe(`${dialect}: the likely cost`, () => {
    const world = sharedWorld(dialect, { models });
    const estimate = async (alice: Chatter, body: object) => {
      const request = { room_id: alice.room, ai: LIKELY, ...body };
      const { cost_max, cost_likely } = await world().gateway.data<Record<string, number>>(
        '/ai/estimate/',
        request,
        alice,
      );
      return { most: micro(cost_max ?? 0), likely: micro(cost_likely ?? 0) };
    };
    const priced = (prompt: number, completion: number) =>
      FIXED + prompt * 1_000 + completion * 2_000;

    test('is that of the counted input and an answer of 500 tokens, as long as there are no answers', async () => {
      const alice = await world().user();
      const tokens = await estimateTokens([russian]);
      const { most, likely } = await estimate(alice, { message: russian });
      expect(likely).toBe(priced(tokens + ROLE, 500));
      // A Russian letter has two bytes, for which a hold allows two tokens.
      expect(tokens).toBeLessThan(Buffer.byteLength(russian) / 4);
      expect(most).toBeGreaterThan(likely);
    });

    test("takes the mean length of this model's answers to this user", async () => {
      const { provider, user } = world();
      const [alice, bob] = [await user(), await user()];
      for (const completion_tokens of [100, 201]) {
        await provider.script({ usage: { prompt_tokens: 5, completion_tokens } });
        await alice.send({ ai: LIKELY });
      }
      await provider.script('good');
      const one = { message: 'one' };
      const tokens = (await estimateTokens(['one'])) + ROLE;
      expect((await estimate(alice, one)).likely).toBe(priced(tokens, 151));
      expect((await estimate(bob, one)).likely).toBe(priced(tokens, 500));
    });

    test('counts the context and the system prompt', async () => {
      const alice = await world().user();
      await alice.send({ message: 'one two three' });
      const texts = ['be brief', 'one two three', 'echo: one two three', 'four'];
      const tokens = await estimateTokens([texts.join('')]);
      const body = { message: 'four', system_prompt: 'be brief', chat_depth: 1 };
      const { likely } = await estimate(alice, body);
      expect(likely).toBe(priced(tokens + 4 * ROLE, 500));
    });

    test('extrapolates from a sample of a long input', async () => {
      const alice = await world().user();
      const message = 'word '.repeat(60_000);
      const { most, likely } = await estimate(alice, { message });
      expect(likely).toBeLessThanOrEqual(most);
      expect(Math.abs(likely - priced(60_000, 500)) / likely).toBeLessThan(0.1);
    });

    test('is never above the highest cost', async () => {
      const alice = await world().user();
      const { most, likely } = await estimate(alice, { message: 'x', max_output_tokens: 1 });
      expect(likely).toBeLessThanOrEqual(most);
      expect(likely).toBeGreaterThan(FIXED);
    });
  });
}
