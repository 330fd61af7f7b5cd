/** A price list in LiteLLM's format: each row ends in correct rubles or in a refusal by name. */
import { describe, expect, test } from 'bun:test';
import { readPriceList, readSentList } from '../../src/catalogue/import/read-list.ts';
import { refusalOf } from './fixtures.ts';
import { listedFile, listedModel, outcomesOf, rub, TODAY } from './price-lists.ts';

const everything = listedFile([]);
const none = { inputFix: 0, outputFix: 0 };

describe('a list of LiteLLM', () => {
  test('gives each row a price or a reason', async () => {
    const { plan } = await outcomesOf('litellm', everything, {
      add: ['*'],
      map: ['house=perplexity'],
    });
    const rows = plan.outcomes.map(({ listModel, kind, reason, note }) => [
      listModel,
      kind,
      reason ?? note,
    ]);
    const twice = 'it is listed twice with different prices, as two-faced and anthropic/two-faced';
    expect(rows).toEqual([
      ['plain', 'added', undefined],
      ['thinker', 'added', undefined],
      ['tiered', 'added', 'max_input_tokens 272000 of 922000: longer inputs cost more'],
      ['painter', 'added', undefined],
      ['sketcher', 'refused', expect.stringContaining('no token limits')],
      [
        'hd/1024-x-1024/sketcher',
        'refused',
        expect.stringContaining('depends on size and quality'),
      ],
      ['dots', 'refused', 'it is priced per pixel'],
      ['listener', 'refused', expect.stringMatching(/audio_transcription.*priced per second$/)],
      ['filmer', 'refused', expect.stringMatching(/video_generation.*priced per second$/)],
      ['speaker', 'refused', expect.stringMatching(/audio_speech.*priced per character$/)],
      ['by-letters', 'refused', 'it is priced per character'],
      ['judge', 'refused', 'its mode is moderation, which is not supported'],
      ['modeless', 'refused', 'it has no mode'],
      ['old', 'refused', 'it has been deprecated since 2024-06-06'],
      ['ending', 'added', undefined],
      ['gift', 'refused', 'it is listed as free: with --allow-free it becomes free for everybody'],
      ['unpriced', 'refused', 'it has no price'],
      ['half', 'refused', 'it has no price of output tokens'],
      ['broken', 'refused', 'input_cost_per_token is not a price'],
      ['per-million', 'refused', expect.stringContaining('above $10,000 per 1,000,000 tokens')],
      ['stairs', 'refused', 'it is priced in tiers of input length'],
      ['text-embedding-tiny', 'added', undefined],
      ['answerer', 'refused', expect.stringContaining('Responses API')],
      ['scribe', 'added', undefined],
      ['two-faced', 'refused', twice],
      ['anthropic/two-faced', 'refused', twice],
      ['gemini/flash', 'added', undefined],
      ['perplexity/searcher', 'added', undefined],
      ['orphan', 'skipped', 'its provider was not requested'],
      ['nothing', 'skipped', 'its provider was not requested'],
    ]);
  });

  test('gives these ruble prices at 111 ₽ a dollar', async () => {
    const { price, facts } = await outcomesOf('litellm', everything, {
      add: ['*'],
      map: ['house=perplexity'],
    });
    expect(price('plain')).toEqual({ ...none, inputTokens: rub(16.65), outputTokens: rub(66.6) });
    expect(price('thinker')).toEqual({
      ...none,
      inputTokens: rub(138.75),
      outputTokens: rub(1110),
      cachedInputTokens: rub(13.875),
      reasoningTokens: rub(1387.5),
    });
    expect(facts('thinker')).toMatchObject({ minTemperature: 1, maxTemperature: 1 });
    expect(price('painter')).toEqual({
      ...none,
      inputTokens: rub(555),
      outputTokens: rub(4440),
    });
    expect(price('ending')).toEqual({ ...none, inputTokens: rub(333), outputTokens: rub(1665) });
    expect(price('scribe')).toEqual({
      ...none,
      inputTokens: rub(333),
      outputTokens: rub(1665),
      cachedInputTokens: rub(33.3),
      cacheWriteTokens: rub(416.25),
    });
    // A price per image covers everything that a picture outputs.
    expect(price('gemini/flash')).toEqual({
      inputTokens: rub(33.3),
      outputTokens: 0,
      cachedInputTokens: rub(3.33),
      inputFix: 0,
      outputFix: rub(4.329),
    });
    expect(price('perplexity/searcher')).toEqual({
      inputTokens: rub(111),
      outputTokens: rub(111),
      inputFix: rub(0.555),
      outputFix: 0,
    });
  });

  test('prices a model for text and images by its type in the catalogue, and images by the image', async () => {
    const image = (id: number, provider: string, model: string) =>
      listedModel(id, provider, model, ', cost_output_fix_rub: 9').replace('TEXT', 'IMAGE');
    const { plan, price } = await outcomesOf(
      'litellm',
      listedFile([
        listedModel(101, 'gemini', 'flash'),
        image(102, 'gemini', 'flash'),
        image(103, 'openai', 'sketcher'),
        image(104, 'openai', 'dots'),
        listedModel(105, 'openai', 'text-embedding-tiny'),
        listedModel(106, 'openai', 'answerer'),
      ]),
    );
    const changed = [...plan.changed.values()].map(({ facts, outcome }) => [
      outcome.modelId,
      facts.price,
    ]);
    expect(changed).toContainEqual([
      101,
      expect.objectContaining({ inputTokens: rub(33.3), outputTokens: rub(277.5), outputFix: 0 }),
    ]);
    expect(changed).toContainEqual([
      102,
      expect.objectContaining({ inputTokens: rub(33.3), outputTokens: 0, outputFix: rub(4.329) }),
    ]);
    expect(price('sketcher')).toEqual({
      inputTokens: 0,
      outputTokens: 0,
      inputFix: 0,
      outputFix: rub(4.662),
    });
    expect(price('dots')).toBeUndefined();
    expect(price('text-embedding-tiny')).toMatchObject({ inputTokens: rub(2.22), outputTokens: 0 });
    expect(price('answerer')).toMatchObject({ inputTokens: rub(111), outputTokens: rub(444) });
  });
});

const listOf = (rows: number) =>
  Object.fromEntries(
    Array.from({ length: rows }, (_, at) => [`m${at}`, { litellm_provider: 'openai' }]),
  );

describe('a price list', () => {
  test.each([
    ['no JSON', '{'],
    ['a list', '[]'],
    ['a number', '5'],
    ['empty', '{}'],
    ['something else', '{"models":[{"id":"x"}]}'],
    ['without models', '{"openai":{"models":{}}}'],
    ['too deep', '['.repeat(100_000)],
  ])('that is %s is refused', (_, text) => {
    const error = refusalOf(() => readPriceList(text, TODAY));
    expect(error.code).toBe('invalid_request');
    expect(error.message).toStartWith("the price list can't be read: ");
  });

  test('may begin with a byte order mark', () => {
    const text = '\uFEFF{"m":{"litellm_provider":"openai","mode":"chat"}}';
    expect(readPriceList(text, TODAY).format).toBe('LiteLLM');
  });

  test('sent over HTTP is read in steps, between which other requests are served', async () => {
    let turns = 0;
    let next: NodeJS.Immediate | undefined;
    const count = () => {
      turns++;
      next = setImmediate(count);
    };
    count();
    const { rows } = await readSentList(listOf(2_000), TODAY);
    clearImmediate(next);
    expect([rows.length, turns > 5]).toEqual([2_000, true]);
  });

  test('sent over HTTP has at most 20,000 models', async () => {
    const reading = readSentList(listOf(20_001), TODAY);
    expect(await reading.then(String, String)).toContain('more than 20000 models');
  });

  test('of any shape never makes the reader throw an unexpected error', () => {
    const odd = [null, 1, '', [], {}, [[]], { models: 1 }, { models: { m: [] } }];
    for (const one of odd) {
      const lists = [
        {
          openai: {
            models: { m: one, n: { cost: one, limit: one, modalities: { output: ['text', one] } } },
          },
        },
        {
          m: {
            litellm_provider: 'openai',
            mode: 'chat',
            input_cost_per_token: one,
            tiered_pricing: one,
          },
        },
        {
          m: { litellm_provider: one, mode: one, deprecation_date: one },
          n: { litellm_provider: 'x' },
        },
      ];
      for (const list of lists) {
        const { rows } = readPriceList(JSON.stringify(list), TODAY);
        expect(rows.length).toBeGreaterThan(0);
      }
    }
  });
});

describe('the provider whose prices are imported', () => {
  test('is found by its address, not by its code', async () => {
    const file = (base: string) => `
providers: { openai: { kind: openai${base} } }
models: [{ id: 101, provider: openai, model: plain, type: TEXT, max_input_tokens: 1, max_output_tokens: 1 }]
`;
    const kinds = async (base: string) => {
      const { plan } = await outcomesOf('litellm', file(base));
      return plan.outcomes.filter(({ kind }) => kind !== 'skipped').map(({ kind }) => kind);
    };
    expect(await kinds('')).toEqual(['changed']);
    expect(await kinds(', base_url: https://api.openai.com/v1')).toEqual(['changed']);
    expect(await kinds(', base_url: https://proxy.example/openai/v1')).toEqual([]);
    expect(await kinds(', base_url: "https://${HOST}/v1"')).toEqual([]);
  });

  test('may be named with --map, and limited to some providers', async () => {
    const models = [
      listedModel(101, 'openai', 'plain'),
      listedModel(102, 'house', 'plain'),
      listedModel(103, 'claude', 'scribe'),
    ];
    const { plan } = await outcomesOf('litellm', listedFile(models), {
      map: ['house=openai'],
      providers: ['house', 'claude'],
    });
    expect([...plan.changed.values()].map(({ outcome }) => outcome.modelId)).toEqual([103, 102]);
    expect(plan.notListed).toEqual([]);
  });

  test.each([
    [{ map: ['house'] }, 'map: house: write CODE=NAME, e.g. house=openai'],
    [
      { map: ['hose=openai'] },
      'map: hose is not a provider of the catalogue (did you mean house?)',
    ],
    [
      { map: ['house=opena'] },
      'map: opena is not a provider of the LiteLLM list (did you mean openai?)',
    ],
    [
      { providers: ['opena'] },
      'provider: opena is not a provider of the catalogue (did you mean openai?)',
    ],
  ])('%j is refused', async (wish, message) => {
    const refused = outcomesOf('litellm', everything, wish).then(
      () => 'nothing was refused',
      (error: Error) => error.message,
    );
    expect(await refused).toBe(message);
  });
});

describe('a fallback', () => {
  test('without a price blocks prices of the models that fall back to it', async () => {
    const falls = (id: number, model: string, to: number) =>
      listedModel(id, 'openai', model, `, fallbacks: [${to}]`);
    const models = [
      falls(101, 'plain', 102),
      falls(102, 'ending', 103),
      listedModel(103, 'openai', 'unpriced'),
    ];
    const { plan, reason } = await outcomesOf('litellm', listedFile(models));
    expect(plan.changed.size).toBe(0);
    expect(reason('plain')).toContain('its fallback 102 has no price');
    expect(reason('ending')).toContain('its fallback 103 has no price');
    const better = models.map((model) => model.replace('unpriced', 'answerer'));
    expect((await outcomesOf('litellm', listedFile(better))).plan.changed.size).toBe(3);
  });
});
