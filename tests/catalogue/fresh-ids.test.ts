/** New ids for models without one, when a file has used the largest id. */
import { describe, expect, test } from 'bun:test';
import { dialects, openTestDatabase } from '../support/databases.ts';
import { applied, fileOf, idsOf, modelOf, openCatalogue, upKey } from './fixtures.ts';

const LARGEST = 999_999_999;
const found = {
  kind: 'openai',
  baseUrl: 'http://127.0.0.1:9/v1',
  timeoutSeconds: 60,
  options: {},
  models: ['x', 'y'].map((model) => ({
    model,
    descriptionFull: '',
    modality: 'text' as const,
    chatAllowed: true,
    maxInputTokens: 1_000,
    maxOutputTokens: 500,
  })),
  free: true,
};

for (const dialect of dialects) {
  describe(`${dialect}: beside a model with the largest id`, () => {
    test('a model without an id gets an unused one that a file can name', async () => {
      await using database = await openTestDatabase(dialect);
      const catalogue = await openCatalogue(database.db, { env: upKey });
      const [first, largest] = [modelOf(1_000, 'first'), modelOf(LARGEST, 'largest')];
      await applied(catalogue, fileOf([first]));
      const retired = 'retired model 1000 up/first';
      const added = [`added model ${LARGEST} up/largest`, 'added model 1001 up/a', retired];
      const file = fileOf([largest, modelOf(undefined, 'a')]);
      expect(await applied(catalogue, file)).toEqual(added);
      expect(await applied(catalogue, fileOf([largest, modelOf(1_001, 'a')]))).toEqual([]);
      const more = fileOf([largest, modelOf(1_001, 'a'), modelOf(undefined, 'b')]);
      expect(await applied(catalogue, more)).toEqual(['added model 1002 up/b']);
    });

    test('and so do discovered models', async () => {
      await using database = await openTestDatabase(dialect);
      const catalogue = await openCatalogue(database.db, { env: upKey });
      await applied(catalogue, fileOf([modelOf(LARGEST, 'largest')]));
      await catalogue.adopt('found', found);
      expect(idsOf(catalogue)).toEqual([1, 2, 1_000, 1_001, LARGEST]);
      await catalogue.adopt('found', found);
      expect(idsOf(catalogue)).toEqual([1, 2, 1_000, 1_001, LARGEST]);
    });
  });
}
