/** Providers that write more than max_output_tokens. */
import { describe, expect, test } from 'bun:test';
import { OutputLimit } from '../../src/chat/send/output-limit.ts';
import { dialects } from '../support/databases.ts';
import { allEvents } from '../support/event-stream.ts';
import { closed, expectBooksHold, sharedWorld, TEXT_MODEL } from '../support/world.ts';

const REASONER = 201;
/** The most UTF-16 units of natural text that are kept of an output with this many units in each part. */
const marginOf = (cap: number, part = 0) => (cap * 5 + 256 + part) * 1.25;
/** The same for text in dense scripts, whose units weigh two and a half times as much. */
const denseMarginOf = (cap: number, part: number) => ((cap * 5 + 256) / 2.5 + part) * 1.25;
const russian = 'Ещё одно слово и ещё одно предложение о том, что провайдер не знает меры. ';
const english = 'One more word and another sentence of a provider that knows no measure. ';
const chinese = '又一个词，又一个句子，来自一个不知道节制的提供商，它一直写下去，永远不停。';
const long = english.repeat(100);

describe('an output', () => {
  const languages = { russian, english, chinese };
  for (const [language, sentence] of Object.entries(languages)) {
    const most = language === 'chinese' ? denseMarginOf : marginOf;
    test.each([1, 10, 100, 1_000, 10_000])(
      `without an end, ${language}, is cut within the margin of a cap of %i tokens`,
      async (cap) => {
        const limit = new OutputLimit(cap);
        let kept = 0;
        for (let sent = 0; ; sent += sentence.length) {
          expect(sent).toBeLessThanOrEqual(most(cap, sentence.length));
          const parts = [{ type: 'text' as const, text: sentence }];
          const cut = limit.mayPassWith(parts) ? await limit.cut(parts) : undefined;
          for (const part of cut?.kept ?? parts)
            kept += part.type === 'text' ? part.text.length : 0;
          if (cut) break;
        }
        expect(kept).toBeGreaterThan(cap);
        expect(kept).toBeLessThanOrEqual(most(cap, sentence.length));
      },
    );
  }

  test('with very many characters per token is not cut', async () => {
    const limit = new OutputLimit(100);
    const spaces = [{ type: 'text' as const, text: ' '.repeat(100 * 60) }];
    expect(limit.mayPassWith(spaces)).toBe(true);
    expect(await limit.cut(spaces)).toBeUndefined();
  });

  test('is not cut within a character', async () => {
    const limit = new OutputLimit(1);
    const parts = [{ type: 'text' as const, text: `.${'😀'.repeat(1_000)}` }];
    expect(limit.mayPassWith(parts)).toBe(true);
    const [kept] = (await limit.cut(parts))?.kept ?? [];
    expect(kept?.type === 'text' && kept.text.isWellFormed()).toBe(true);
  });
});

for (const dialect of dialects) {
  describe(`${dialect}: a provider that ignores the cap`, () => {
    const world = sharedWorld(dialect, {
      models: [{ id: TEXT_MODEL }, { id: REASONER, model: 'o3' }],
    });
    const cap = 10;
    const body = { max_output_tokens: cap };

    test('is stopped, its stream is cut, and the charge is within the hold', async () => {
      const { gateway, provider, user } = world();
      const alice = await user();
      const { cost_max: hold } = await gateway.data<{ cost_max: number }>(
        '/ai/estimate/',
        { room_id: alice.room, ai: 101, message: 'Hello', ...body },
        { token: alice.token },
      );
      await provider.script({ deltas: [long, long], pauseAfterFirst: true });
      const events = await allEvents(await alice.stream(body));
      const ended = await provider.calls.at(-1)?.ended;
      await provider.script('good');
      const text = events
        .map(({ event, data }) => (event === 'delta' ? data['text'] : ''))
        .join('');
      expect(text.length).toBeLessThanOrEqual(marginOf(cap));
      expect(events.at(-1)).toMatchObject({
        event: 'done',
        data: { response: text, finish_reason: 'length' },
      });
      expect(String(events.at(-1)?.data['warnings'])).toContain('ignored max_output_tokens');
      expect(ended).toBe('dropped');
      const item = await closed(alice);
      expect(item).toMatchObject({ state: 'done', response: text });
      expect(item.cost_request + item.cost_response).toBeCloseTo(hold, 6);
      expect((await alice.funds()).held).toBe(0);
      await expectBooksHold(gateway);
    });

    test('in one piece: no more of it is delivered than the margin', async () => {
      const { provider, user } = world();
      const alice = await user();
      await provider.script({ deltas: [english.repeat(1_000)] });
      const events = await allEvents(await alice.stream(body));
      await provider.script('good');
      const text = events
        .map(({ event, data }) => (event === 'delta' ? data['text'] : ''))
        .join('');
      expect(text.length).toBeLessThanOrEqual(marginOf(cap));
      expect(events.at(-1)).toMatchObject({ event: 'done', data: { finish_reason: 'length' } });
    });

    test('with shown reasoning is stopped, too', async () => {
      const { provider, user } = world();
      const alice = await user();
      await provider.script({ reasoning: [long], deltas: ['Late'], pauseAfterFirst: true });
      const events = await allEvents(await alice.stream(body));
      const ended = await provider.calls.at(-1)?.ended;
      await provider.script('good');
      expect(ended).toBe('dropped');
      expect(events.at(-1)).toMatchObject({
        event: 'done',
        data: { response: '', finish_reason: 'length' },
      });
      expect((await closed(alice)).cost_response).toBeGreaterThan(0);
    });

    test('without a stream: the answer is cut, usage stays as reported', async () => {
      const { provider, user } = world();
      const alice = await user();
      const usage = { prompt_tokens: 5, completion_tokens: 9_000 };
      await provider.script({ text: english.repeat(600), usage });
      const sent = await alice.send(body);
      await provider.script('good');
      expect(sent.response.length).toBeLessThanOrEqual(marginOf(cap));
      expect(sent.finish_reason).toBe('length');
      expect(sent.usage).toMatchObject({ completion_tokens: 9_000, source: 'provider' });
      expect(String(sent.warnings)).toContain('ignored max_output_tokens');
      expect((await closed(alice)).response).toBe(sent.response);
    });

    test('and whose stream is read to its end is stopped at the cap', async () => {
      const { provider, user } = world();
      const alice = await user();
      provider.cut();
      await provider.script({ deltas: ['Half', long], pauseAfterFirst: true });
      const response = await alice.stream({ ...body, ai: REASONER });
      await provider.held(1);
      await response.body?.cancel();
      provider.release();
      const item = await closed(alice);
      await provider.script('good');
      // If the stream were read to its end, it would be the provider's usage.
      expect(item).toMatchObject({ state: 'stopped', usage_source: 'estimated' });
      expect(Number(item.usage_completion_tokens)).toBeGreaterThan(cap);
    });
  });
}
