/** Prices of long inputs: in a catalogue file, from a price list, in a charge. */
import { describe, expect, test } from 'bun:test';
import { parseCatalogue } from '../../src/catalogue/file.ts';
import { importIntoFile } from '../../src/catalogue/import/file-import.ts';
import { readPriceList } from '../../src/catalogue/import/read-list.ts';
import { dialects, openTestDatabase } from '../support/databases.ts';
import { sharedWorld } from '../support/world.ts';
import { fileOf, known, modelOf, openCatalogue, refusalOf } from './fixtures.ts';
import {
  allKinds,
  importOptions,
  importLines,
  listedFile,
  listedModel,
  listText,
  outcomesOf,
  rub,
  TODAY,
} from './price-lists.ts';

const usual = ', cost_input_tokens_rub: 1, cost_output_tokens_rub: 2';
const long =
  ', long_context_above_tokens: 500, cost_long_input_tokens_rub: 3, cost_long_output_tokens_rub: 4';
const fileWith = (more: string) => fileOf([modelOf(101, 'm', more)]);
const read = (more: string) => parseCatalogue(fileWith(more), known).models[0]?.facts.price;

const none = { inputFix: 0, outputFix: 0 };

describe('in a file', () => {
  test('they are exact on each basis', () => {
    expect(read(usual + long)).toEqual({
      ...none,
      inputTokens: rub(1),
      outputTokens: rub(2),
      longAbove: 500,
      longInputTokens: rub(3),
      longOutputTokens: rub(4),
    });
    const kinds = ', cost_long_cached_input_tokens_rub: 0.5, cost_long_cache_write_tokens_rub: 5';
    const all = `${usual}${long}${kinds}, cost_long_reasoning_tokens_rub: 0, cost_tokens_per: 1000`;
    expect(read(all)).toMatchObject({
      longAbove: 500,
      longInputTokens: rub(3000),
      longCachedInputTokens: rub(500),
      longCacheWriteTokens: rub(5000),
      longReasoningTokens: 0,
    });
    expect(read(usual)).not.toHaveProperty('longAbove');
  });

  test.each([
    [long, 'cost_long_input_tokens_rub: needs cost_input_tokens_rub beside it'],
    [`${usual}, long_context_above_tokens: 5`, 'needs cost_long_input_tokens_rub beside it'],
    [
      `${usual}, cost_long_input_tokens_rub: 5`,
      'cost_long_input_tokens_rub: needs long_context_above_tokens beside it',
    ],
    [
      `${usual}, cost_long_cached_input_tokens_rub: 5`,
      'needs cost_long_input_tokens_rub beside it',
    ],
    [`${usual}${long.replace('500', '0')}`, 'must be a whole number from 1 to'],
    [`${usual}${long.replace('500', '1.5')}`, 'must be a whole number from 1 to'],
    [`${usual}${long.replace(': 3', ': -3')}`, 'must not be negative'],
  ])('%s is refused', (fields, message) => {
    const { details } = refusalOf(() => parseCatalogue(fileWith(fields), known));
    expect(details.map((detail) => `${detail.path}: ${detail.message}`).join('\n')).toContain(
      message.replace(/^(cost_\w+): /, ''),
    );
  });
});

describe('from a price list', () => {
  const model = listedModel(101, 'openai', 'tiered').replace('30000', '900000');
  const price = {
    ...none,
    inputTokens: rub(277.5),
    outputTokens: rub(1665),
    longAbove: 272_000,
    cachedInputTokens: rub(27.75),
    longInputTokens: rub(555),
    longOutputTokens: rub(2497.5),
  };

  test('both prices are imported, each for its lengths', async () => {
    const both = await outcomesOf('litellm', listedFile([model]), { longContext: 'both' });
    expect(both.price('tiered')).toEqual(price);
    const refused = await outcomesOf('litellm', listedFile([model]));
    expect(refused.reason('tiered')).toContain('it costs more above 272000 input tokens, and');
    const short = listedFile([listedModel(101, 'openai', 'tiered')]);
    const { price: of } = await outcomesOf('litellm', short, { longContext: 'both' });
    expect(of('tiered')).not.toHaveProperty('longAbove');
    const { facts, outcome } = await outcomesOf('litellm', listedFile([]), {
      longContext: 'both',
      add: ['tiered'],
    });
    expect(facts('tiered')).toMatchObject({ maxInputTokens: 922_000, price });
    expect(outcome('tiered')).toMatchObject({ note: undefined });
  });

  test('an invalid price refuses the row', async () => {
    const row = {
      litellm_provider: 'openai',
      mode: 'chat',
      max_input_tokens: 900_000,
      input_cost_per_token: 1e-6,
      output_cost_per_token: 2e-6,
      input_cost_per_token_above_200k_tokens: 'dear',
      max_output_tokens: 1_000,
    };
    const list = readPriceList(JSON.stringify({ tiered: row }), TODAY);
    const { report } = importIntoFile(listedFile([model]), list, allKinds, {
      ...importOptions({ longContext: 'both' }),
    });
    expect(report.outcomes).toMatchObject([
      { kind: 'refused', reason: 'input_cost_per_token is not a price' },
    ]);
  });

  test('they are written into a file, once', async () => {
    const list = readPriceList(await listText('litellm'), TODAY);
    const wish = importOptions({ longContext: 'both' });
    const { text } = importIntoFile(listedFile([model]), list, allKinds, wish);
    expect(text).toContain('long_context_above_tokens: 272000');
    expect(parseCatalogue(text, allKinds).models[0]?.facts.price).toEqual(price);
    expect(importIntoFile(text, list, allKinds, wish).text).toBe(text);
    const highest = importIntoFile(text, list, allKinds, importOptions({ longContext: 'highest' }));
    expect(highest.text).not.toContain('long');
  });

  for (const dialect of dialects) {
    test(`${dialect}: they are stored, and shown`, async () => {
      await using database = await openTestDatabase(dialect);
      const catalogue = await openCatalogue(database.db, allKinds);
      await catalogue.apply(listedFile([model]));
      const lines = await importLines(catalogue, 'litellm', { longContext: 'both' });
      expect(lines).toEqual([
        expect.stringContaining(
          'long_context_above_tokens (none) -> 272000, cost_long_input_tokens_rub (none) -> 555',
        ),
      ]);
      expect(catalogue.get(101)).toMatchObject({
        price,
        view: { long_context_above_tokens: 272_000 },
      });
      expect(await importLines(catalogue, 'litellm', { longContext: 'both' })).toEqual([
        'unchanged model 101 openai/tiered',
      ]);
    });
  }
});

for (const dialect of dialects) {
  describe(`${dialect}: a charge`, () => {
    const prices = {
      cost_input_fix_rub: 0,
      cost_output_fix_rub: 0,
      cost_input_tokens_rub: 1,
      cost_output_tokens_rub: 2,
      long_context_above_tokens: 50,
      cost_long_input_tokens_rub: 10,
      cost_long_output_tokens_rub: 20,
    };
    const world = sharedWorld(dialect, { models: [{ id: 101, ...prices }] });

    test('uses the length that the provider reported, and is at most the estimate', async () => {
      const { gateway, provider, user } = world();
      const alice = await user();
      const body = { ai: 101, message: 'x'.repeat(60), max_output_tokens: 40 };
      const { cost_max: max } = await gateway.data<{ cost_max: number }>(
        '/ai/estimate/',
        { room_id: alice.room, ...body },
        alice,
      );
      // 60 + 16 bytes may be 76 tokens, which is long.
      expect(max).toBe((76 * 10 + 40 * 20) / 1e6);
      for (const [promptTokens, rubles] of [
        [50, { cost_request: 0.00005, cost_response: 0.00002 }],
        [51, { cost_request: 0.00051, cost_response: 0.0002 }],
      ] as const) {
        await provider.script({ usage: { prompt_tokens: promptTokens, completion_tokens: 10 } });
        expect(await alice.send(body)).toMatchObject(rubles);
      }
      await provider.script('good');
    });
  });
}
