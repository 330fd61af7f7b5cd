/** The hold covers the bytes that `extra_body` adds to a request. */
import { describe, expect, test } from 'bun:test';
import { dialects } from '../support/databases.ts';
import { sharedWorld } from '../support/world.ts';

const extra_body = { provider: { order: ['a', 'b'] }, note: 'ё'.repeat(50) };
const EXTRA_BYTES = Buffer.byteLength(JSON.stringify(extra_body));

for (const dialect of dialects) {
  describe(`${dialect}: a request with the operator's fields`, () => {
    const world = sharedWorld(dialect, {
      models: [
        { id: 101 },
        { id: 102, provider: 'extra' },
        { id: 104, model: 'falls-back', fallbacks: [102] },
        { id: 105, provider: 'extra', model: 'tiny', max_input_tokens: 40 },
      ],
      providers: ({ baseUrl }) => ({ extra: { kind: 'openai', base_url: baseUrl, extra_body } }),
    });

    test('is held with their bytes, at the model or a fallback, up to the input limit', async () => {
      const user = await world().user({ credit: 100 });
      const inputOf = async (ai: number) => {
        const request = { ai, message: 'Hello', room_id: user.room };
        const { body } = await world().gateway.post('/ai/estimate/', request, user);
        return (body.data as { input_tokens_max: number }).input_tokens_max;
      };
      const bare = await inputOf(101);
      expect(await inputOf(102)).toBe(bare + EXTRA_BYTES);
      expect(await inputOf(104)).toBe(bare + EXTRA_BYTES);
      expect(await inputOf(105)).toBe(40);
    });

    test('reaches the provider, and is charged at what that reports, up to the hold', async () => {
      const user = await world().user({ credit: 100 });
      const bare = (await user.send({ ai: 101 })).usage;
      const sent = await user.send({ ai: 102 });
      expect(world().provider.calls.at(-1)?.body).toMatchObject(extra_body);
      expect(sent.usage).toEqual(bare);
      expect(sent.warnings).toEqual([]);
    });
  });
}
