/** Prices of cached, written and reasoning tokens in a catalogue file. */
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { parseCatalogue } from '../../src/catalogue/file.ts';
import { formatChange } from '../../src/catalogue/index.ts';
import { dialects, openTestDatabase } from '../support/databases.ts';
import { fileOf, known, modelOf, openCatalogue, priced, refusalOf } from './fixtures.ts';

const fields = [
  ['cachedInputTokens', 'cost_cached_input_tokens_rub'],
  ['cacheWriteTokens', 'cost_cache_write_tokens_rub'],
  ['reasoningTokens', 'cost_reasoning_tokens_rub'],
] as const;

const fileWith = (more: string) => fileOf([modelOf(101, 'm', `${priced(1)}${more}`)]);
const read = (more: string) => parseCatalogue(fileWith(more), known).models[0]?.facts.price;

describe('prices of their own', () => {
  test('are exact on each basis, and absent if the file has no such price', () => {
    const amount = fc.option(fc.nat({ max: 2_000_000_000 }), { nil: undefined });
    fc.assert(
      fc.property(
        fc.tuple(amount, amount, amount),
        fc.constantFrom([1, 12], [1_000, 9], [1_000_000, 6]),
        (amounts, [per = 1, decimals = 6]) => {
          const lines = fields.map(([, field], index) => {
            const value = amounts[index];
            return value === undefined ? '' : `, ${field}: ${value}e-${decimals}`;
          });
          const price = read(`${lines.join('')}, cost_tokens_per: ${per}`) ?? {};
          expect(fields.map(([part]) => (price as Record<string, number>)[part])).toEqual(amounts);
          for (const [index, [part]] of fields.entries()) {
            expect(part in price).toBe(amounts[index] !== undefined);
          }
        },
      ),
    );
  });

  test.each(fields.map(([, field]) => [field]))('%s is checked like every price', (field) => {
    const message = (more: string, text = fileWith(more)) =>
      refusalOf(() => parseCatalogue(text, known)).details[0]?.message;
    expect(message(`, ${field}: -1`)).toContain('must not be negative');
    expect(message(`, ${field}: 0.0000001`)).toContain('at most 6 decimals');
    expect(message(`, ${field}: 100000001`)).toContain('from 0 to 100000000');
    expect(message(`, ${field}: null`)).toContain('is empty');
    const alone = fileOf([modelOf(101, 'm', `, ${field}: 1`)]);
    expect(message('', alone)).toMatch(/needs cost_(in|out)put_tokens_rub beside it/);
  });
});

for (const dialect of dialects) {
  test(`${dialect}: a change of one is a change of the model, and a new version`, async () => {
    await using database = await openTestDatabase(dialect);
    const catalogue = await openCatalogue(database.db);
    await catalogue.apply(fileWith(', cost_cached_input_tokens_rub: 0.5'));
    const before = catalogue.get(101)?.versionId ?? 0;
    const changes = await catalogue.apply(fileWith(', cost_reasoning_tokens_rub: 3'));
    expect(changes.map(formatChange)).toEqual([
      'changed model 101 up/m: cost_cached_input_tokens_rub 0.5 -> (none), cost_reasoning_tokens_rub (none) -> 3',
    ]);
    expect((await catalogue.version(before)).price).toMatchObject({ cachedInputTokens: 500_000 });
    expect(catalogue.get(101)?.price).toEqual({
      inputTokens: 1_000_000,
      outputTokens: 2_000_000,
      inputFix: 0,
      outputFix: 0,
      reasoningTokens: 3_000_000,
    });
    expect(await catalogue.apply(fileWith(', cost_reasoning_tokens_rub: 3'))).toEqual([]);
  });
}
