import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { openDatabase } from '../../src/db/index.ts';
import { dialects, openTestDatabase } from '../support/databases.ts';
import { recordingLog, type LogLine } from '../users/world.ts';
import { fileOf, modelOf, openCatalogue, priced, upKey } from './fixtures.ts';

const sorted = (numbers: number[]) => numbers.toSorted((first, second) => first - second);

for (const dialect of dialects) {
  describe(`${dialect}: nodes`, () => {
    test('see the changes of another process', async () => {
      await using database = await openTestDatabase(dialect);
      const logged: LogLine[] = [];
      const log = recordingLog(logged);
      const server = await openCatalogue(database.db, { env: upKey, log });
      const db = openDatabase(database.config);
      const commandLine = await openCatalogue(db, { presets: undefined });
      expect(await server.refresh()).toBe(false);
      await commandLine.apply(fileOf([modelOf(101, 'a')]));
      expect(server.get(101)).toBeUndefined();
      expect(await Promise.all([server.refresh(), server.refresh()])).toContain(true);
      expect(server.get(101)?.model).toBe('a');
      expect(await server.refresh()).toBe(false);
      const change = { msg: 'catalogue changed by another process' };
      expect(logged.at(-1)).toMatchObject({
        ...change,
        what: ['added provider up', 'added model 101 up/a'],
      });
      await commandLine.apply(fileOf([modelOf(101, 'a', priced(30_000_000))]));
      await server.refresh();
      expect(logged.at(-1)).toMatchObject(change);
      expect(logged.at(-1)?.['what']).toEqual([
        expect.stringMatching(/^changed model 101 up\/a: cost_input_tokens_rub .* -> 30/),
      ]);
      await db.close();
    });

    test('apply one after the other when they start at once', async () => {
      await using database = await openTestDatabase(dialect);
      const handles = Array.from({ length: 4 }, () => openDatabase(database.config));
      const catalogues = await Promise.all(handles.map((db) => openCatalogue(db, { env: upKey })));
      const text = (price: number) =>
        fileOf([modelOf(undefined, 'a', priced(price)), modelOf(undefined, `b${price}`)]);
      const results = await Promise.all(
        catalogues.flatMap((catalogue) => [1, 2, 3].map((price) => catalogue.apply(text(price)))),
      );
      expect(results.flat().filter(({ subject }) => subject === 'provider up')).toHaveLength(1);
      for (const catalogue of catalogues) await catalogue.refresh();
      const [first, ...others] = catalogues.map((catalogue) => catalogue.show());
      for (const other of others) expect(other).toEqual(first as NonNullable<typeof first>);
      // One of the three files as a whole, with ids that are each used once.
      const shown = first?.models.filter(({ origin }) => origin === 'file') ?? [];
      expect(shown.map(({ model }) => model)).toEqual(['a', `b${shown[0]?.cost_input_tokens_rub}`]);
      const rows = await database.db.query<{ id: number }>(
        'SELECT id FROM models WHERE id >= 1000',
      );
      expect(sorted(rows.map(({ id }) => id))).toEqual([1000, 1001, 1002, 1003]);
      await Promise.all(handles.map((db) => db.close()));
    });
  });

  test(`${dialect}: applying any valid file twice changes nothing the second time`, async () => {
    await using database = await openTestDatabase(dialect);
    const catalogue = await openCatalogue(database.db, { env: upKey });
    const model = fc.record({
      id: fc.option(fc.integer({ min: 100, max: 1010 }), { nil: undefined }),
      name: fc.constantFrom('a', 'b', 'c', 'd'),
      micro: fc.integer({ min: 0, max: 100_000_000_000_000 }),
      alias: fc.option(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 10 })),
    });
    const files = fc.uniqueArray(model, {
      maxLength: 6,
      selector: ({ id, name }) => id ?? name,
    });
    await fc.assert(
      fc.asyncProperty(files, fc.boolean(), async (models, sandbox) => {
        const items = models.map(({ id, name, micro, alias }, index) => {
          // No two models have the same name.
          const text = alias?.trim() ? `, model_alias: ${JSON.stringify(`${alias}${index}`)}` : '';
          return modelOf(id, name, `, cost_input_tokens_rub: ${micro / 1_000_000}${text}`);
        });
        const text = fileOf(items, sandbox ? '' : 'sandbox: off');
        let accepted = true;
        await catalogue.apply(text).catch((error: unknown) => {
          // Only this depends on earlier files: an id that two models would swap.
          expect(String(error)).toContain('had the id');
          accepted = false;
        });
        if (!accepted) return;
        expect(await catalogue.apply(text)).toEqual([]);
        const listed = catalogue.list().filter(({ provider }) => provider === 'up');
        expect(sorted(listed.map(({ price }) => price?.inputTokens ?? -1))).toEqual(
          sorted(models.map(({ micro }) => micro)),
        );
      }),
      { numRuns: 60 },
    );
  });
}
