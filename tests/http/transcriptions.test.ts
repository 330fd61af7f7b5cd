/** Audio to text, charged by the second, or by the tokens that the provider reports. */
import { describe, expect, test } from 'bun:test';
import { wavOf } from '../support/audio.ts';
import { dialects } from '../support/databases.ts';
import { fileOf, postForm, type Fields } from '../support/forms.ts';
import { expectFree, expectRefused } from '../support/media.ts';
import { transcribed } from '../support/scripted-answers.ts';
import { expectBooksHold, micro, sharedWorld, type HistoryItem } from '../support/world.ts';

const noPrice = {
  cost_input_tokens_rub: undefined,
  cost_output_tokens_rub: undefined,
  cost_input_fix_rub: undefined,
  cost_output_fix_rub: undefined,
};

for (const dialect of dialects) {
  describe(`transcription on ${dialect}`, () => {
    const bySecond = {
      ...noPrice,
      model: 'whisper',
      modality: 'transcription',
      max_output_tokens: undefined,
      // 0.01 ₽ a second.
      cost_audio_seconds_rub: 10_000,
    };
    const byToken = {
      ...noPrice,
      model: 'listener',
      modality: 'transcription',
      max_input_tokens: 2_000,
      max_output_tokens: 500,
      cost_input_tokens_rub: 500,
      cost_output_tokens_rub: 1_000,
    };
    const world = sharedWorld(dialect, {
      models: [
        { id: 101 },
        { id: 107, ...bySecond, model_alias: 'whisper' },
        { id: 108, ...byToken, model_alias: 'listener' },
        { id: 109, ...bySecond, provider: 'claude' },
      ],
      providers: ({ baseUrl }) => ({
        claude: { kind: 'anthropic', base_url: baseUrl.replace('/v1', ''), api_key: 'sk-x' },
      }),
    });

    const speech = (seconds: number) => fileOf(wavOf(seconds), 'speech.wav', 'audio/wav');
    const transcribe = (token: string, more: Fields = {}, headers: Record<string, string> = {}) =>
      postForm(
        world().gateway,
        '/v1/audio/transcriptions',
        { file: speech(6.3), model: 'whisper', ...more },
        { authorization: `Bearer ${token}`, ...headers },
      );

    async function lastOfHistory(token: string, userId: number) {
      const { gateway } = world();
      const room_id = await gateway.core.rooms.apiRoom(userId);
      const { data } = await gateway.data<{ data: HistoryItem[] }>(
        '/ai/history/',
        { room_id, include_failed: true },
        { token },
      );
      return data.at(-1);
    }

    test('is answered with the text, for the price of its seconds', async () => {
      const { gateway, provider, user } = world();
      const alice = await user();
      const answer = await transcribe(alice.token, {
        language: 'en',
        prompt: 'Gate',
        temperature: 0.5,
      });
      expect(answer.status).toBe(200);
      expect(await answer.json()).toEqual({
        text: transcribed,
        usage: {
          type: 'duration',
          seconds: 7,
          cost: 0.07,
          cost_currency: 'RUB',
          source: 'provider',
        },
      });
      expect(await alice.charges()).toEqual([70_000]);
      const call = provider.calls.at(-1);
      expect(call?.path).toBe('/v1/audio/transcriptions');
      expect(call?.body).toMatchObject({
        model: 'whisper',
        language: 'en',
        prompt: 'Gate',
        temperature: '0.5',
        response_format: 'json',
        file: expect.stringMatching(/^speech\.wav audio\/\S+ RIFF/) as string,
      });
      await expectBooksHold(gateway);
    });

    test('is in the history with its text and its seconds, and without the file', async () => {
      const alice = await world().user();
      await transcribe(alice.token, { prompt: 'Gate' });
      expect(await lastOfHistory(alice.token, alice.userId)).toMatchObject({
        request: 'Gate\n[audio: 7 s]',
        response: transcribed,
        state: 'done',
        usage_audio_seconds: '7',
      });
    });

    test.each([
      ['text', `${transcribed}\n`],
      [
        'srt',
        '1\n00:00:00,000 --> 00:00:01,500\nGood evening.\n\n2\n00:00:01,500 --> 00:00:06,250\nThe gate is open.\n',
      ],
      [
        'vtt',
        'WEBVTT\n\n00:00:00.000 --> 00:00:01.500\nGood evening.\n\n00:00:01.500 --> 00:00:06.250\nThe gate is open.\n',
      ],
    ])('comes as %s, with its charge in a header', async (format, text) => {
      const alice = await world().user();
      const answer = await transcribe(alice.token, { response_format: format });
      expect(await answer.text()).toBe(text);
      expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
      expect(micro(Number(answer.headers.get('x-cost')))).toBe(70_000);
    });

    test('is returned as verbose_json with the times of segments', async () => {
      const { provider, user } = world();
      const alice = await user();
      const more = {
        response_format: 'verbose_json',
        timestamp_granularities: ['segment', 'word'],
      };
      expect(await (await transcribe(alice.token, more)).json()).toMatchObject({
        task: 'transcribe',
        language: 'english',
        duration: 6.25,
        text: transcribed,
        segments: [{ id: 0, start: 0, end: 1.5, text: ' Good evening.' }, { id: 1 }],
        usage: { type: 'duration', seconds: 7 },
      });
      expect(provider.calls.at(-1)?.body).toMatchObject({
        response_format: 'verbose_json',
        'timestamp_granularities[]': ['segment', 'word'],
      });
    });

    test('streams as events, with the text in one piece once it is charged', async () => {
      const alice = await world().user();
      const answer = await transcribe(alice.token, { stream: true });
      expect(answer.headers.get('content-type')).toStartWith('text/event-stream');
      const lines = (await answer.text()).split('\n\n').filter((line) => line !== '');
      expect(lines.pop()).toBe('data: [DONE]');
      const events = lines.map((line) => JSON.parse(line.replace('data: ', '')) as object);
      expect(events).toMatchObject([
        { type: 'transcript.text.delta', delta: transcribed },
        { type: 'transcript.text.done', text: transcribed, usage: { seconds: 7, cost: 0.07 } },
      ]);
      expect(await alice.charges()).toEqual([70_000]);
    });

    test('costs the seconds that we measure if the provider reports none, and tokens are estimated', async () => {
      const { provider, user } = world();
      await provider.script({ usage: null });
      const alice = await user();
      const { usage } = (await (await transcribe(alice.token)).json()) as { usage: object };
      await provider.script('good');
      expect(usage).toMatchObject({ seconds: 7, cost: 0.07, source: 'estimated' });
      expect(await alice.charges()).toEqual([70_000]);
    });

    test('of a model that is billed by tokens costs the reported tokens', async () => {
      const { provider, user } = world();
      const tokens = { type: 'tokens', input_tokens: 70, output_tokens: 12, total_tokens: 82 };
      await provider.script({ usage: tokens });
      const alice = await user();
      const answer = await transcribe(alice.token, { model: 'listener' });
      await provider.script('good');
      expect(((await answer.json()) as { usage: object }).usage).toMatchObject(tokens);
      // 70 × 500 + 12 × 1,000 micro-rubles.
      expect(await alice.charges()).toEqual([47_000]);
    });

    test('costs its seconds even if nothing was said', async () => {
      const { provider, user } = world();
      await provider.script({ text: '' });
      const alice = await user();
      expect(((await (await transcribe(alice.token)).json()) as { text: string }).text).toBe('');
      await provider.script('good');
      expect(await alice.charges()).toEqual([70_000]);
    });

    test('is never charged above what was held for its length', async () => {
      const { provider, user } = world();
      await provider.script({ usage: { type: 'duration', seconds: 3_600 } });
      const alice = await user();
      const answer = (await (await transcribe(alice.token)).json()) as { warnings: string[] };
      await provider.script('good');
      expect(answer.warnings.join()).toContain('cut to the amount held');
      expect(await alice.charges()).toEqual([70_000]);
    });

    test('is refused if the balance does not cover every second, or the tokens', async () => {
      const { provider, user } = world();
      // 2,000 × 500 + 500 × 1,000 micro-rubles: the whole input and output of the model.
      for (const [model, enough] of [
        ['whisper', 0.07],
        ['listener', 1.5],
      ] as const) {
        const poor = await user({ credit: enough - 0.000001 });
        const before = provider.calls.length;
        expect((await transcribe(poor.token, { model })).status).toBe(402);
        expect(provider.calls).toHaveLength(before);
        const rich = await user({ credit: enough });
        expect((await transcribe(rich.token, { model })).status).toBe(200);
      }
    });

    test('a repeat under the same key is answered for one charge, in whatever boundary', async () => {
      const alice = await world().user();
      const headers = { 'idempotency-key': 'k' };
      const more = { response_format: 'srt' };
      const first = await transcribe(alice.token, more, headers);
      const second = await transcribe(alice.token, more, headers);
      expect(await second.text()).toBe(await first.text());
      expect(second.headers.get('idempotent-replayed')).toBe('true');
      expect(await alice.charges()).toHaveLength(1);
      const other = await transcribe(alice.token, { ...more, file: speech(6.2) }, headers);
      expect(await other.text()).toContain('idempotency_key_reused');
    });

    test('costs nothing if the provider fails, or answers without a text', async () => {
      await expectFree(world(), ['500', 'cut_body', { body: { no: 'text' } }], transcribe);
    });

    test.each([
      ['model', { model: '101' }],
      ['model', { model: '109' }],
      ['file', { file: undefined }],
      ['file', { file: 'text' }],
      ['file', { file: fileOf(Buffer.from('no audio'), 'a.wav', 'audio/wav') }],
      ['response_format', { response_format: 'pdf' }],
      ['temperature', { temperature: 5 }],
      ['temperature', { temperature: 'hot' }],
      ['stream', { stream: true, response_format: 'srt' }],
      ['timestamp_granularities', { timestamp_granularities: ['word'] }],
      ['include', { include: ['logprobs'] }],
    ])('%s is refused by name: %j', async (param, more) => {
      const { user, provider } = world();
      const alice = await user();
      const before = provider.calls.length;
      const answer = await transcribe(alice.token, more);
      await expectRefused(alice, answer, param);
      expect(provider.calls).toHaveLength(before);
    });

    test('takes no JSON, and a transcription model takes no chat', async () => {
      const { gateway, user } = world();
      const alice = await user();
      const headers = {
        'content-type': 'application/json',
        authorization: `Bearer ${alice.token}`,
      };
      const body = JSON.stringify({ model: 'whisper' });
      const json = await gateway.fetch('/v1/audio/transcriptions', {
        method: 'POST',
        body,
        headers,
      });
      expect(json.status).toBe(415);
      expect(await json.text()).toContain('multipart/form-data');
      expect(await alice.code({ ai: 107 })).toBe('invalid_request');
    });
  });
}
