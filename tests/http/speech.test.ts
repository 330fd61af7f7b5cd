/** Text to speech, charged by the character. */
import { describe, expect, test } from 'bun:test';
import { dialects } from '../support/databases.ts';
import { expectFree, expectRefused } from '../support/media.ts';
import { expectBooksHold, micro, sharedWorld, type HistoryItem } from '../support/world.ts';

for (const dialect of dialects) {
  describe(`speech on ${dialect}`, () => {
    const speaker = {
      model: 'tts',
      modality: 'speech',
      max_output_tokens: undefined,
      cost_input_tokens_rub: undefined,
      cost_output_tokens_rub: undefined,
      cost_input_fix_rub: undefined,
      cost_output_fix_rub: undefined,
      // 0.0015 ₽ a character.
      cost_characters_rub: 1500,
    };
    const world = sharedWorld(dialect, {
      models: [
        { id: 101 },
        { id: 107, ...speaker, model_alias: 'tts' },
        { id: 108, ...speaker, provider: 'claude' },
      ],
      providers: ({ baseUrl }) => ({
        claude: { kind: 'anthropic', base_url: baseUrl.replace('/v1', ''), api_key: 'sk-x' },
      }),
    });

    const speak = (token: string, more: object = {}, headers: Record<string, string> = {}) =>
      world().gateway.fetch('/v1/audio/speech', {
        method: 'POST',
        body: JSON.stringify({ model: 'tts', input: 'Привет 😀', voice: 'alloy', ...more }),
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${token}`,
          ...headers,
        },
      });

    async function apiHistory(token: string, userId: number): Promise<HistoryItem[]> {
      const { gateway } = world();
      const room = await gateway.core.rooms.apiRoom(userId);
      const body = { room_id: room, include_failed: true };
      return (await gateway.data<{ data: HistoryItem[] }>('/ai/history/', body, { token })).data;
    }

    test('is answered with the audio, for the price of its characters', async () => {
      const { gateway, provider, user } = world();
      const alice = await user();
      const answer = await speak(alice.token, { speed: 1.5, instructions: 'Softly' });
      expect(answer.status).toBe(200);
      expect(await answer.text()).toBe('spoken: Привет 😀');
      expect(answer.headers.get('content-type')).toBe('audio/mpeg');
      // 8 characters, although the last one has two UTF-16 units.
      expect(answer.headers.get('x-characters')).toBe('8');
      expect(micro(Number(answer.headers.get('x-cost')))).toBe(12_000);
      expect(await alice.charges()).toEqual([12_000]);
      const call = provider.calls.at(-1);
      expect(call?.path).toBe('/v1/audio/speech');
      expect(call?.body).toEqual({
        model: 'tts',
        input: 'Привет 😀',
        voice: 'alloy',
        response_format: 'mp3',
        speed: 1.5,
        instructions: 'Softly',
      });
      await expectBooksHold(gateway);
    });

    test('is in the history with the address of the audio', async () => {
      const { gateway, user } = world();
      const alice = await user();
      await speak(alice.token);
      const item = (await apiHistory(alice.token, alice.userId)).at(-1);
      expect(item).toMatchObject({ request: 'Привет 😀', state: 'done', usage_characters: '8' });
      const stored = await gateway.fetch(new URL(item?.response ?? '').pathname);
      expect(await stored.text()).toBe('spoken: Привет 😀');
      expect(stored.headers.get('content-type')).toBe('audio/mpeg');
    });

    test('is refused if the balance does not cover every character', async () => {
      const { provider, user } = world();
      const poor = await user({ credit: 0.0119 });
      const before = provider.calls.length;
      expect((await speak(poor.token)).status).toBe(402);
      expect(provider.calls).toHaveLength(before);
      expect((await speak(poor.token, { input: 'Hello' })).status).toBe(200);
      expect(await poor.charges()).toEqual([7_500]);
    });

    test('a repeat under the same key has the same audio, for one charge', async () => {
      const alice = await world().user();
      const headers = { 'idempotency-key': 'k' };
      const first = await speak(alice.token, {}, headers);
      const second = await speak(alice.token, {}, headers);
      expect(await second.text()).toBe(await first.text());
      expect(second.headers.get('idempotent-replayed')).toBe('true');
      expect(await alice.charges()).toHaveLength(1);
    });

    test('costs nothing if the provider fails, or answers with JSON or a page', async () => {
      await expectFree(world(), ['500', 'html', { body: { no: 'audio' } }], speak);
    });

    test.each([
      ['model', { model: '101' }],
      ['model', { model: '108' }],
      ['voice', { voice: '' }],
      ['input', { input: '' }],
      ['speed', { speed: 9 }],
      ['stream_format', { stream_format: 'sse' }],
      ['response_format', { response_format: 'mid' }],
    ])('%s is refused by name: %j', async (param, more) => {
      const alice = await world().user();
      const answer = await speak(alice.token, more);
      await expectRefused(alice, answer, param);
    });

    test('a speech model takes no chat', async () => {
      const alice = await world().user();
      expect(await alice.code({ ai: 107 })).toBe('invalid_request');
    });
  });
}
