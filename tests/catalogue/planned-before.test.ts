/** Changes of the catalogue are planned before the transaction that writes them, so that others need not wait. */
import { describe, expect, test } from 'bun:test';
import { openDatabase, type Database } from '../../src/db/index.ts';
import { MODELS_STEP } from '../../src/catalogue/limits.ts';
import { dialects, openTestDatabase, statementsOf } from '../support/databases.ts';
import { openCatalogue } from './fixtures.ts';
import { allKinds, importOptions, listedFile, listedModel, rub } from './price-lists.ts';

const SHOWN = 3 * MODELS_STEP;
const names = Array.from({ length: SHOWN }, (_, at) => `m${at}`);
const file = listedFile(names.map((name, at) => listedModel(1_000 + at, 'openai', name)));
const list = JSON.stringify(
  Object.fromEntries(
    names.map((name) => [
      name,
      {
        litellm_provider: 'openai',
        mode: 'chat',
        input_cost_per_token: 1e-6,
        output_cost_per_token: 2e-6,
      },
    ]),
  ),
);

/** How often the event loop turns until the work is done. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  const ended = Promise.withResolvers<boolean>();
  const done = work().then(() => ended.resolve(true), ended.reject);
  const turn = () => new Promise<boolean>((resolve) => setImmediate(() => resolve(false)));
  let turns = 0;
  while (!(await Promise.race([ended.promise, turn()]))) turns++;
  await done;
  return turns;
}

/** Runs `between` after the next snapshot that is read from a database. */
function afterNextSnapshot(db: Database, between: () => Promise<unknown>): void {
  const snapshot = db.snapshot.bind(db);
  db.snapshot = async (work) => {
    db.snapshot = snapshot;
    const result = await snapshot(work);
    await between();
    return result;
  };
}

for (const dialect of dialects) {
  describe(`${dialect}: a change of the catalogue`, () => {
    test('reads no models in the transaction that writes', async () => {
      await using database = await openTestDatabase(dialect);
      const catalogue = await openCatalogue(database.db, allKinds);
      using statements = statementsOf(database.db);
      await catalogue.apply(file);
      await catalogue.importPrices(list, importOptions());
      const texts = statements.sent.map(({ text }) => text);
      expect(texts.some((text) => text.startsWith('INSERT INTO models '))).toBe(true);
      expect(texts.filter((text) => /SELECT[^]*FROM (models|providers)/.test(text))).toEqual([]);
    });

    test('lets other requests be served between its steps', async () => {
      await using database = await openTestDatabase(dialect);
      const catalogue = await openCatalogue(database.db, allKinds);
      const steps = SHOWN / MODELS_STEP;
      // The plan, and the reloaded catalogue.
      expect(await turnsDuring(() => catalogue.apply(file))).toBeGreaterThanOrEqual(3 * steps);
      // In addition, the comparison with the list.
      const importing = () => catalogue.importPrices(list, importOptions());
      expect(await turnsDuring(importing)).toBeGreaterThanOrEqual(5 * steps);
    });

    test('is planned again if another process changes the catalogue before it is written', async () => {
      await using database = await openTestDatabase(dialect);
      const catalogue = await openCatalogue(database.db, allKinds);
      await catalogue.apply(listedFile([listedModel(101, 'openai', 'm0')]));
      const db = openDatabase(database.config);
      const other = await openCatalogue(db, { ...allKinds, presets: undefined });
      const both = [listedModel(101, 'openai', 'm0'), listedModel(102, 'openai', 'm1')];
      afterNextSnapshot(database.db, () => other.apply(listedFile(both)));
      const { outcomes } = await catalogue.importPrices(list, importOptions());
      const changed = outcomes.filter(({ kind }) => kind === 'changed');
      expect(changed.map(({ modelId }) => modelId)).toEqual([101, 102]);
      expect(catalogue.get(102)?.price?.inputTokens).toBe(rub(111));
      await db.close();
    });
  });
}
