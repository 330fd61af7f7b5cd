/** A price list in models.dev's format: each row ends in correct rubles or in a refusal by name. */
import { describe, expect, test } from 'bun:test';
import { costFrom, listedFile, listedModel, outcomesOf, rub } from './price-lists.ts';

const everything = listedFile([]);

describe('a list of models.dev', () => {
  test('gives each row a price or a reason', async () => {
    const { plan, outcome } = await outcomesOf('models-dev', everything, { add: ['*'] });
    const rows = plan.outcomes.map(({ listModel, kind, reason, note }) => [
      listModel,
      kind,
      reason ?? note,
    ]);
    expect(rows).toEqual([
      ['plain', 'added', undefined],
      ['thinker', 'added', undefined],
      ['tiered', 'added', 'max_input_tokens 200000 of 922000: longer inputs cost more'],
      ['painter', 'added', undefined],
      ['speaker', 'refused', 'it makes audio'],
      ['old', 'refused', 'it is deprecated'],
      ['gift', 'refused', 'it is listed as free: with --allow-free it becomes free for everybody'],
      ['unpriced', 'refused', 'it has no price'],
      ['half', 'refused', 'it has no price of output tokens'],
      ['broken', 'refused', 'input is not a price'],
      ['per-token', 'refused', expect.stringContaining('above $10,000 per 1,000,000 tokens')],
      ['text-embedding-tiny', 'refused', expect.stringContaining('embeddings')],
      ['shapeless', 'refused', 'it has no output modality'],
      ['boundless', 'refused', expect.stringContaining('no token limits')],
      ['nothing', 'refused', 'it has no output modality'],
      ['scribe', 'added', undefined],
      ['flash', 'added', undefined],
      ['openai/plain', 'added', undefined],
    ]);
    expect(outcome('plain')?.usd).toEqual({ input_tokens: '0.15', output_tokens: '0.6' });
  });

  test('gives these ruble prices at 111 ₽ a dollar', async () => {
    const { price } = await outcomesOf('models-dev', everything, { add: ['*'] });
    const none = { inputFix: 0, outputFix: 0 };
    expect(price('plain')).toEqual({ ...none, inputTokens: rub(16.65), outputTokens: rub(66.6) });
    expect(price('thinker')).toEqual({
      ...none,
      inputTokens: rub(138.75),
      outputTokens: rub(1110),
      cachedInputTokens: rub(13.875),
      reasoningTokens: rub(1387.5),
    });
    expect(price('painter')).toEqual({
      ...none,
      inputTokens: rub(555),
      outputTokens: rub(4440),
      cachedInputTokens: rub(138.75),
    });
    expect(price('scribe')).toEqual({
      ...none,
      inputTokens: rub(333),
      outputTokens: rub(1665),
      cachedInputTokens: rub(33.3),
      cacheWriteTokens: rub(416.25),
    });
    // Reasoning at the output's price needs no separate price, and Gemini never reports cache writes.
    expect(price('flash')).toEqual({
      ...none,
      inputTokens: rub(33.3),
      outputTokens: rub(277.5),
      cachedInputTokens: rub(3.33),
    });
    expect(price('openai/plain')).toEqual({
      ...none,
      inputTokens: rub(22.2),
      outputTokens: rub(88.8),
    });
  });

  test('creates models with the limits of the list', async () => {
    const { facts } = await outcomesOf('models-dev', everything, { add: ['*'] });
    expect(facts('plain')).toMatchObject({
      provider: 'openai',
      description: 'Plain',
      type: 'TEXT',
      chatAllowed: true,
      maxInputTokens: 111_616,
      maxOutputTokens: 16_384,
      minTemperature: 0,
      maxTemperature: 2,
    });
    expect(facts('thinker')).toMatchObject({
      maxInputTokens: 272_000,
      maxOutputTokens: 128_000,
      minTemperature: 1,
      maxTemperature: 1,
    });
    expect(facts('painter')).toMatchObject({ type: 'IMAGE', chatAllowed: false });
    expect(facts('scribe')).toMatchObject({ provider: 'claude', maxTemperature: 1 });
    // The answer may fill the whole window, which would leave no room for a question.
    expect(facts('flash')).toMatchObject({
      type: 'IMAGE',
      maxInputTokens: 32_768,
      maxOutputTokens: 32_768,
    });
  });

  test('changes only the prices of existing models, and keeps fields that it does not have', async () => {
    const { plan, outcome, price, reason } = await outcomesOf(
      'models-dev',
      listedFile([
        listedModel(
          101,
          'openai',
          'plain',
          ', cost_input_fix_rub: 0.5, cost_output_fix_rub: 0.25, cost_cached_input_tokens_rub: 1, cost_input_tokens_rub: 2',
        ),
        listedModel(102, 'openai', 'text-embedding-tiny'),
        listedModel(103, 'openai', 'painter', ', cost_output_fix_rub: 4').replace('TEXT', 'IMAGE'),
        listedModel(104, 'claude', 'flash'),
        listedModel(105, 'house', 'plain'),
        listedModel(106, 'gemini', 'flash').replace('TEXT', 'IMAGE'),
        listedModel(107, 'openai', 'speaker'),
        listedModel(108, 'openai', 'painter'),
      ]),
    );
    expect(plan.added).toEqual([]);
    expect(price('plain')).toEqual({
      inputTokens: rub(16.65),
      outputTokens: rub(66.6),
      inputFix: rub(0.5),
      outputFix: rub(0.25),
    });
    expect(outcome('plain')).toMatchObject({
      subject: 'model 101 openai/plain',
      fields: [
        { field: 'cost_input_tokens_rub', from: 2, to: 16.65 },
        { field: 'cost_output_tokens_rub', from: 0, to: 66.6 },
        { field: 'cost_cached_input_tokens_rub', from: 1, to: null },
        ...costFrom(0.15, 0.6),
      ],
    });
    expect(price('text-embedding-tiny')).toMatchObject({ inputTokens: rub(2.22), outputTokens: 0 });
    // An image that is priced by its tokens has no additional price for each image.
    expect(price('flash')).toMatchObject({ outputFix: 0 });
    expect(reason('speaker')).toBe('it makes audio');
    expect(plan.outcomes.filter(({ modelId }) => modelId === 108)).toMatchObject([
      { kind: 'refused', reason: 'the list has it as IMAGE, not as TEXT' },
    ]);
    expect(plan.notListed).toEqual([
      expect.objectContaining({
        modelId: 104,
        reason: 'the list has no such model from anthropic',
      }),
      expect.objectContaining({
        modelId: 105,
        reason: expect.stringContaining('--map house=NAME'),
      }),
    ]);
    expect(reason('thinker')).toBe('openai has no such model: --add thinker adds it');
  });

  test('refuses a price that rises with the input if the model accepts inputs of that length', async () => {
    const long = [listedModel(101, 'openai', 'tiered').replace('30000', '200001')];
    const { reason } = await outcomesOf('models-dev', listedFile(long));
    expect(reason('tiered')).toContain(
      'it costs more above 200000 input tokens, and accepts 200001',
    );
    const both = await outcomesOf('models-dev', listedFile(long), { longContext: 'both' });
    expect(both.reason('tiered')).toContain('and accepts 200001, in 2 steps: ');
    const short = await outcomesOf(
      'models-dev',
      listedFile([listedModel(101, 'openai', 'tiered')]),
    );
    expect(short.price('tiered')).toMatchObject({ inputTokens: rub(277.5) });
    const highest = await outcomesOf('models-dev', listedFile(long), { longContext: 'highest' });
    // The tier of 272,000 tokens has no price for cached tokens, so they cost as much as others there.
    expect(highest.price('tiered')).toEqual({
      inputTokens: rub(555),
      outputTokens: rub(2497.5),
      inputFix: 0,
      outputFix: 0,
    });
  });

  test('makes free models free for everybody only on request', async () => {
    const file = listedFile([listedModel(101, 'openai', 'gift')]);
    const { price, outcome } = await outcomesOf('models-dev', file, { allowFree: true });
    expect(price('gift')).toEqual({ inputTokens: 0, outputTokens: 0, inputFix: 0, outputFix: 0 });
    expect(outcome('gift')?.fields).toEqual([
      { field: 'priced', from: false, to: true },
      ...costFrom(0, 0),
    ]);
  });
});
