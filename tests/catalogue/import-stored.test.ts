/** Imports into the catalogue in use: ids, versions, presets, restarts and races. */
import { describe, expect, test } from 'bun:test';
import { presets } from '../../src/catalogue/index.ts';
import { dialects, openTestDatabase } from '../support/databases.ts';
import { idsOf, openCatalogue, rejectionOf } from './fixtures.ts';
import {
  allKinds,
  importOptions,
  importLines,
  listedFile,
  listedModel,
  listText,
  rub,
} from './price-lists.ts';

const openai = { OPENAI_API_KEY: 'sk-test' };

for (const dialect of dialects) {
  describe(`${dialect}: an import`, () => {
    test('shows the same changes that it then writes, and none the second time', async () => {
      await using database = await openTestDatabase(dialect);
      const catalogue = await openCatalogue(database.db, allKinds);
      await catalogue.apply(
        listedFile([
          listedModel(101, 'openai', 'plain'),
          listedModel(102, 'claude', 'scribe', ', fallbacks: [101]'),
        ]),
      );
      const before = catalogue.get(101)?.versionId ?? 0;
      const wish = { add: ['t*'] };
      const shown = await importLines(catalogue, 'models-dev', wish, { dryRun: true });
      expect(catalogue.get(101)?.price).toBeNull();
      expect(await importLines(catalogue, 'models-dev', wish)).toEqual(shown);
      expect(shown).toEqual([
        expect.stringMatching(/^changed model 102 claude\/scribe: /),
        'changed model 101 openai/plain: cost_input_tokens_rub 0 -> 16.65, cost_output_tokens_rub 0 -> 66.6, priced false -> true, cost.currency (none) -> USD, cost.rate (none) -> 92.5, cost.rate_date (none) -> 2026-09-21, cost.input_tokens (none) -> 0.15, cost.output_tokens (none) -> 0.6',
        expect.stringMatching(/^added model 1000 openai\/thinker: cost_input_tokens_rub 138\.75, /),
        expect.stringMatching(/^added model 1001 openai\/tiered: .*; max_input_tokens 200000 of/),
        expect.stringMatching(/^refused model openai\/text-embedding-tiny: it makes embeddings/),
      ]);
      expect(idsOf(catalogue)).toEqual([1, 2, 101, 102, 1000, 1001]);
      expect(catalogue.get(102)).toMatchObject({ fallbacks: [101] });
      expect(catalogue.get(1000)?.view).toMatchObject({
        code: 'openai',
        cost_cached_input_tokens_rub: 13.875,
        priced: true,
        cost_reasoning_tokens_rub: 1387.5,
      });
      // Messages that were sent before keep their price.
      expect((await catalogue.version(before)).price).toBeNull();
      expect(catalogue.get(101)?.versionId).not.toBe(before);

      const again = await importLines(catalogue, 'models-dev', wish);
      expect(again.map((line) => line.split(' ')[0])).toEqual([
        'unchanged',
        'unchanged',
        'unchanged',
        'unchanged',
        'refused',
      ]);
      const other = await openCatalogue(database.db, allKinds);
      expect(other.get(1001)?.price).toEqual(catalogue.get(1001)?.price ?? null);
    });

    test('is refused as a whole if the changes differ from those that were shown', async () => {
      await using database = await openTestDatabase(dialect);
      const catalogue = await openCatalogue(database.db, allKinds);
      const file = listedFile([listedModel(101, 'openai', 'plain')]);
      await catalogue.apply(file);
      const list = await listText('models-dev');
      const seen = await catalogue.importPrices(list, importOptions(), { dryRun: true });
      await catalogue.apply(file.replace('30000', '30000, cost_input_tokens_rub: 7'));
      const refused = await rejectionOf(catalogue.importPrices(list, importOptions(), { seen }));
      expect(refused).toMatchObject({
        code: 'invalid_request',
        message: expect.stringContaining('has changed in the meantime'),
      });
      expect(catalogue.get(101)?.price?.inputTokens).toBe(rub(7));
      const now = await catalogue.importPrices(list, importOptions(), { dryRun: true });
      await catalogue.importPrices(list, importOptions(), { seen: now });
      expect(catalogue.get(101)?.price?.inputTokens).toBe(rub(16.65));
    });

    test('gives a returning model its former id', async () => {
      await using database = await openTestDatabase(dialect);
      const catalogue = await openCatalogue(database.db, allKinds);
      await catalogue.apply(listedFile([]));
      await importLines(catalogue, 'models-dev', { add: ['plain', 'scribe'] });
      expect(idsOf(catalogue)).toEqual([1, 2, 1000, 1001]);
      // The file alone decides about an operator's models.
      await catalogue.apply(listedFile([]));
      expect(idsOf(catalogue)).toEqual([1, 2]);
      const lines = await importLines(catalogue, 'models-dev', { add: ['scribe', 'thinker'] });
      expect(lines.map((line) => line.split(':')[0])).toEqual([
        'added model 1000 claude/scribe',
        'added model 1002 openai/thinker',
      ]);
    });
  });

  describe(`${dialect}: a preset`, () => {
    const set = presets.filter(({ provider }) => provider.code === 'openai');
    const name = set[0]?.models[3]?.facts.model ?? '';
    const list = JSON.stringify({
      [name]: {
        litellm_provider: 'openai',
        mode: 'chat',
        input_cost_per_token: 4e-7,
        output_cost_per_token: 1.6e-6,
      },
      more: {
        litellm_provider: 'openai',
        mode: 'chat',
        max_input_tokens: 1000,
        max_output_tokens: 500,
        input_cost_per_token: 1e-6,
        output_cost_per_token: 2e-6,
      },
    });

    test('keeps imported prices across starts, and loses its models with its key', async () => {
      await using database = await openTestDatabase(dialect);
      const server = await openCatalogue(database.db, { ...allKinds, env: openai });
      const command = await openCatalogue(database.db, { ...allKinds, presets: undefined });
      await command.importPrices(list, importOptions({ add: ['more'] }));
      await server.refresh();
      const price = { inputTokens: rub(44.4), outputTokens: rub(177.6), inputFix: 0, outputFix: 0 };
      expect(server.get(13)).toMatchObject({ model: name, price });
      expect(server.get(12)?.price).toBeNull();
      const version = server.get(13)?.versionId;
      const restarted = await openCatalogue(database.db, { ...allKinds, env: openai });
      expect(restarted.get(13)).toMatchObject({ price, versionId: version });
      expect(restarted.get(1000)).toMatchObject({ provider: 'openai', model: 'more' });

      const without = await openCatalogue(database.db, allKinds);
      expect(idsOf(without)).toEqual([1, 2]);
      const back = await openCatalogue(database.db, { ...allKinds, env: openai });
      expect(back.get(13)).toMatchObject({ price });
      expect(back.get(1000)).toBeUndefined();
    });

    test('is replaced by a file that defines its provider, including prices', async () => {
      await using database = await openTestDatabase(dialect);
      const server = await openCatalogue(database.db, { ...allKinds, env: openai });
      await server.importPrices(list, importOptions());
      await server.apply(listedFile([listedModel(101, 'openai', name)]));
      expect(idsOf(server)).toEqual([1, 2, 101]);
      expect(server.get(101)?.price).toBeNull();
    });
  });
}
