/** Imports into a catalogue file: only prices change, and the file can be read back. */
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { parseCatalogue } from '../../src/catalogue/file.ts';
import { importIntoFile } from '../../src/catalogue/import/file-import.ts';
import { readPriceList } from '../../src/catalogue/import/read-list.ts';
import { refusalOf } from './fixtures.ts';
import { allKinds, importOptions, listText, rub, TODAY } from './price-lists.ts';

const list = readPriceList(await listText('models-dev'), TODAY);

const file = `# The shop's catalogue.
sandbox: off

providers:
  openai:
    kind: openai
    api_key: \${OPENAI_API_KEY} # from the vault
  claude: { kind: anthropic }

models:
  # The cheap one
  - id: 101
    provider: openai
    model: plain
    description: "Plain: the cheap one"
    type: TEXT
    max_input_tokens: 111616
    max_output_tokens: 16384
    cost_input_tokens_rub: 12.50 # agreed in May
    cost_output_tokens_rub: "55"
    cost_input_fix_rub: 0.001

  - { id: 102, provider: claude, model: scribe, type: TEXT, max_input_tokens: 100, max_output_tokens: 100, cost_tokens_per: 1000, cost_input_tokens_rub: 0.1 }

  - id: 103
    provider: openai
    model: home-made
    type: TEXT
    max_input_tokens: 1000
    max_output_tokens: 1000
    cost_input_tokens_rub: 1
`;

const PLAIN_COST = `    cost:
      currency: USD
      rate: 92.5
      rate_date: 2026-11-21
      input_tokens: 0.15
      output_tokens: 0.6
`;

describe('an import into a catalogue file', () => {
  test('changes prices and costs, and nothing else', () => {
    const { text, report } = importIntoFile(file, list, allKinds, importOptions());
    expect(report.outcomes.filter(({ kind }) => kind === 'changed')).toHaveLength(2);
    expect(text.split('\n')).toEqual(
      file
        .replace('12.50 # agreed', '16.65 # agreed')
        .replace('"55"', '66.6')
        .replace(
          'cost_tokens_per: 1000, cost_input_tokens_rub: 0.1 }',
          'cost_tokens_per: 1000, cost_input_tokens_rub: 0.333, cost_output_tokens_rub: 1.665, cost_cached_input_tokens_rub: 0.0333, cost_cache_write_tokens_rub: 0.41625, cost: { currency: USD, rate: 92.5, rate_date: 2026-11-21, input_tokens: 3, output_tokens: 15, cached_input_tokens: 0.3, cache_write_tokens: 3.75 } }',
        )
        .replace('fix_rub: 0.001\n', `fix_rub: 0.001\n${PLAIN_COST}`)
        .split('\n'),
    );
    const again = importIntoFile(text, list, allKinds, importOptions());
    expect(again.text).toBe(text);
    expect(again.report.outcomes.filter(({ kind }) => kind === 'changed')).toEqual([]);
  });

  test('adds models at its end, and removes prices that the list no longer has', () => {
    const dear = file.replace('cost_input_fix_rub: 0.001', 'cost_cached_input_tokens_rub: 5');
    const { text } = importIntoFile(
      dear,
      list,
      allKinds,
      importOptions({ add: ['thinker', 'painter'] }),
    );
    expect(text).not.toContain('cost_cached_input_tokens_rub: 5\n');
    const { models, sandbox } = parseCatalogue(text, allKinds);
    expect(sandbox).toBe('off');
    expect(models.map(({ facts }) => [facts.model, facts.type, facts.price?.inputTokens])).toEqual([
      ['plain', 'TEXT', rub(16.65)],
      ['scribe', 'TEXT', rub(333)],
      ['home-made', 'TEXT', rub(1)],
      ['thinker', 'TEXT', rub(138.75)],
      ['painter', 'IMAGE', rub(555)],
    ]);
    expect(models[3]?.facts).toMatchObject({
      minTemperature: 1,
      maxTemperature: 1,
      description: 'Thinker',
    });
  });

  test('into an empty list of models creates the list', () => {
    const empty = 'providers: { openai: { kind: openai } }\nmodels: []\n';
    const { text } = importIntoFile(empty, list, allKinds, importOptions({ add: ['plain'] }));
    expect(parseCatalogue(text, allKinds).models.map(({ facts }) => facts.model)).toEqual([
      'plain',
    ]);
  });

  test('of any price, on any basis, reads back exactly', () => {
    fc.assert(
      fc.property(
        fc.tuple(fc.nat({ max: 10 ** 9 }), fc.nat({ max: 10 ** 9 }), fc.nat({ max: 10 ** 9 })),
        fc.constantFrom(1, 1_000, 1_000_000),
        fc.integer({ min: 1, max: 10 ** 6 }),
        ([input, output, cached], per, rate) => {
          const priced = {
            id: 'm',
            modalities: { output: ['text'] },
            cost: { input: input / 1e6, output: (output + 1) / 1e6, cache_read: cached / 1e6 },
          };
          const text = JSON.stringify({ openai: { models: { m: priced } } });
          const from = `providers: { openai: { kind: openai } }
models:
  - { provider: openai, model: m, type: TEXT, max_input_tokens: 9, max_output_tokens: 9, cost_tokens_per: ${per} }
`;
          const wish = importOptions({ usdRate: `${rate / 1000}`, markup: '0', allowFree: true });
          const written = importIntoFile(from, readPriceList(text, TODAY), allKinds, wish).text;
          const [model] = parseCatalogue(written, allKinds).models;
          const micro = (count: number) =>
            Number((2n * BigInt(count) * BigInt(rate) + 1000n) / 2000n);
          expect(model?.facts.price?.inputTokens).toBe(micro(input));
          expect(model?.facts.price?.outputTokens).toBe(micro(output + 1));
          const own = micro(cached) === micro(input) ? undefined : micro(cached);
          expect(model?.facts.price?.cachedInputTokens).toBe(own);
        },
      ),
      { numRuns: 300 },
    );
  });

  test('that could not be applied is refused before anything is written', () => {
    const wrong = file.replace('max_output_tokens: 16384', 'max_output_tokens: -1');
    const error = refusalOf(() => importIntoFile(wrong, list, allKinds, importOptions()));
    expect(error.message).toContain(
      'the catalogue was refused: line 18: models[0].max_output_tokens',
    );
  });
});
