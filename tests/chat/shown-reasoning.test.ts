/** Which streams are stopped when their client leaves, depending on the reasoning that the model has shown. */
import { describe, expect, spyOn, test } from 'bun:test';
import type { CatalogueModel } from '../../src/catalogue/index.ts';
import { HiddenReasoning, type SendInput } from '../../src/chat/index.ts';
import { noUsage, type TextAnswer } from '../../src/providers/index.ts';
import { ShownAnswer } from '../../src/chat/send/stream-progress.ts';
import { movableClock } from '../support/clock.ts';
import { dialects } from '../support/databases.ts';
import { allEvents, eventsOf } from '../support/event-stream.ts';
import { closed, expectBooksHold, openWorld, sharedWorld, type Chatter } from '../support/world.ts';

const [WHOLE, SUMMARY, NAMED, PLAIN, TOLD, BY_EFFORT] = [201, 202, 203, 204, 205, 206] as const;
const options = {
  models: [
    { id: WHOLE, model: 'shows-reasoning' },
    { id: SUMMARY, model: 'sums-up' },
    { id: NAMED, model: 'gpt-5-mini' },
    { id: PLAIN, model: 'plain-text' },
    { id: TOLD, model: 'reasons-at-times' },
    { id: BY_EFFORT, model: 'reasons-on-request' },
  ],
};
/** 400 tokens by the o200k vocabulary. */
const reasoning = ['one two three four five six seven eight '.repeat(50)];
const usageWith = (reasoningTokens: number) => ({
  prompt_tokens: 20,
  completion_tokens: reasoningTokens + 2,
  completion_tokens_details: { reasoning_tokens: reasoningTokens },
});
const half = { deltas: ['Half', ' and half'], pauseAfterFirst: true };

/** Leaves a stream after its first delta. */
async function leave(alice: Chatter, body: object): Promise<void> {
  for await (const { event } of eventsOf(await alice.stream(body))) if (event === 'delta') break;
}

for (const dialect of dialects) {
  describe(`${dialect}: a left stream`, () => {
    const world = sharedWorld(dialect, options);

    /** Leaves a stream that has shown reasoning, before its first word. */
    async function leaveReasoning(ai: number, shown: string[], usage: object): Promise<Chatter> {
      const { provider, user } = world();
      const alice = await user();
      await provider.script({
        deltas: [],
        text: 'Half',
        reasoning: shown,
        pauseAfterFirst: true,
        usage: { ...usage },
      });
      using noted = spyOn(ShownAnswer.prototype, 'note');
      const response = await alice.stream({ ai });
      await provider.held(1);
      while (noted.mock.calls.length === 0) await Bun.sleep(1);
      await response.body?.cancel();
      return alice;
    }

    test('whose reasoning is known to be shown whole stops the provider, and the reasoning is charged by an estimate', async () => {
      const { provider, user } = world();
      const bob = await user();
      await provider.script({ deltas: ['Well'], reasoning, usage: usageWith(410) });
      const end = (await allEvents(await bob.stream({ ai: WHOLE }))).at(-1);
      expect(end?.data).toMatchObject({ left_stream: 'stopped' });
      const alice = await leaveReasoning(WHOLE, reasoning, usageWith(410));
      expect(await provider.calls.at(-1)?.ended).toBe('dropped');
      provider.cut();
      const item = await closed(alice);
      await provider.script('good');
      expect(item).toMatchObject({ state: 'stopped', response: '', usage_source: 'estimated' });
      expect(Number(item.usage_completion_tokens)).toBeGreaterThanOrEqual(390);
      expect(Number(item.usage_completion_tokens)).toBeLessThanOrEqual(420);
    });

    for (const [why, ai] of [
      ['of a model in doubt that shows reasoning', SUMMARY],
      ['of a model that shows a summary of its reasoning', SUMMARY],
      ['that shows reasoning although its name says that it hides reasoning', NAMED],
    ] as const) {
      test(`${why} is read to its end, and charged as reported`, async () => {
        const { gateway, provider } = world();
        const alice = await leaveReasoning(ai, ['In short: seven.'], usageWith(700));
        expect((await alice.funds()).held).toBeGreaterThan(0);
        provider.release();
        const item = await closed(alice);
        await provider.script('good');
        expect(item).toMatchObject({ usage_source: 'provider', usage_completion_tokens: '702' });
        await expectBooksHold(gateway);
      });
    }

    test('of a model whose plain answer had hidden reasoning is read to its end', async () => {
      const { provider, user } = world();
      const alice = await user();
      await alice.send({ ai: TOLD });
      await provider.script({ text: 'Seven', usage: usageWith(700) });
      await alice.send({ ai: TOLD });
      await provider.script({ ...half, usage: usageWith(700) });
      await leave(alice, { ai: TOLD });
      await Bun.sleep(50);
      provider.release();
      const item = await closed(alice);
      await provider.script('good');
      expect(item).toMatchObject({ usage_source: 'provider', usage_completion_tokens: '702' });
    });
  });

  describe(`${dialect}: a left stream that was silent`, () => {
    for (const [ms, expected] of [
      [9_000, { usage_source: 'estimated' }],
      [11_000, { usage_source: 'provider', usage_completion_tokens: '702' }],
    ] as const) {
      test(`for ${ms} ms before its first word, if one answer had no reasoning`, async () => {
        const clock = movableClock();
        await using world = await openWorld(dialect, { ...options, clock });
        const { provider, user } = world;
        const alice = await user();
        await alice.send({ ai: PLAIN });
        const { promise: spoken, resolve: speak } = Promise.withResolvers<void>();
        await provider.script(async () => {
          await spoken;
          return { ...half, usage: usageWith(700) };
        });
        const response = await alice.stream({ ai: PLAIN });
        await provider.received(2);
        clock.forward(ms);
        speak();
        for await (const { event } of eventsOf(response)) if (event === 'delta') break;
        await Bun.sleep(50);
        provider.release();
        const item = await closed(alice);
        expect(item).toMatchObject({ state: 'stopped', ...expected });
      });
    }
  });
}

describe('reasoning counts as shown whole', () => {
  const model = { versionId: 1, provider: 'p', model: 'some-model' } as CatalogueModel;
  const input = { kind: 'room' } as SendInput;
  const catalogue = { providerSetup: () => undefined };
  const stream = { showsReasoning: true, silentMs: 0 };

  async function learn(hidden: HiddenReasoning, tokens: number, repeats = 50): Promise<void> {
    const shown = new ShownAnswer();
    shown.note({
      type: 'reasoning',
      text: 'one two three four five six seven eight '.repeat(repeats),
    });
    shown.add({ type: 'text', text: 'Well' });
    const usage = { ...noUsage, completionTokens: tokens + 1, reasoningTokens: tokens };
    await hidden.learnFromStream(model, { userId: 1, input }, usage, shown);
  }

  test.each([
    ['as many tokens as were shown', 400, false],
    ['twice as many, and 60 more', 860, false],
    ['twice as many, and 70 more', 872, true],
  ])('if there are %s', async (_, tokens, isPossible) => {
    const hidden = new HiddenReasoning(catalogue);
    await learn(hidden, tokens);
    expect(hidden.possible(model, undefined, stream)).toBe(isPossible);
    expect(hidden.possible(model, 'high', stream)).toBe(isPossible);
  });

  test('not if fewer than 256 tokens prove it', async () => {
    const hidden = new HiddenReasoning(catalogue);
    await learn(hidden, 240, 30);
    expect(hidden.possible(model, undefined, stream)).toBe(true);
  });

  test('is no longer assumed, for good, once a summary was shown', async () => {
    const hidden = new HiddenReasoning(catalogue);
    await learn(hidden, 400);
    await learn(hidden, 9_000);
    await learn(hidden, 400);
    expect(hidden.possible(model, undefined, stream)).toBe(true);
  });

  test.each([
    [1, true],
    [0, false],
  ])(
    'a plain answer with %d reasoning tokens that it does not show teaches',
    (tokens, expected) => {
      const hidden = new HiddenReasoning(catalogue);
      const answer = { usage: { ...noUsage, completionTokens: 9, reasoningTokens: tokens } };
      hidden.learnFromAnswer(model, input, {
        ...answer,
        text: 'Well',
        toolCalls: [],
      } as unknown as TextAnswer);
      expect(hidden.possible(model, undefined)).toBe(expected);
    },
  );
});
