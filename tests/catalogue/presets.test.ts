import { describe, expect, test } from 'bun:test';
import { Catalogue, presets } from '../../src/catalogue/index.ts';
import { SecretBox } from '../../src/lib/secret-box.ts';
import { dialects, openTestDatabase } from '../support/databases.ts';
import { applied, fileOf, idsOf, modelOf, openCatalogue, priced } from './fixtures.ts';

for (const dialect of dialects) {
  describe(`${dialect}: presets`, () => {
    const openai = { OPENAI_API_KEY: 'sk-1' };

    test('appear and disappear with their variable, under the same ids', async () => {
      await using database = await openTestDatabase(dialect);
      expect(idsOf(await openCatalogue(database.db))).toEqual([1, 2]);
      const withKey = await openCatalogue(database.db, { env: openai });
      const ids = idsOf(withKey);
      expect(ids.length).toBeGreaterThan(3);
      expect(ids.every((id) => id < 100)).toBe(true);
      expect(withKey.get(ids[2] ?? 0)).toMatchObject({ provider: 'openai', price: null });
      expect(withKey.providerSetup('openai')).toMatchObject({ kind: 'openai', apiKey: 'sk-1' });
      expect(idsOf(await openCatalogue(database.db))).toEqual([1, 2]);
      expect(idsOf(await openCatalogue(database.db, { env: openai }))).toEqual(ids);
    });

    test('are replaced by a file that defines the provider', async () => {
      await using database = await openTestDatabase(dialect);
      const server = await openCatalogue(database.db, { env: openai });
      const text = `providers: { openai: { kind: openai, api_key: "\${OPENAI_API_KEY}" } }\nmodels:\n  - ${modelOf(101, 'gpt-5-mini', priced(25)).replace('up', 'openai')}`;
      const changes = await applied(server, text);
      expect(changes).toContain('added model 101 openai/gpt-5-mini');
      expect(changes).toContain('retired model 10 openai/gpt-5.5');
      expect(idsOf(server)).toEqual([1, 2, 101]);
      expect(await applied(server, text)).toEqual([]);
      expect(idsOf(await openCatalogue(database.db, { env: openai }))).toEqual([1, 2, 101]);
      await server.apply('models: []');
      expect(idsOf(server)).toContain(10);
      expect(server.get(101)).toBeUndefined();
    });

    test("are unchanged for a process without the server's environment", async () => {
      await using database = await openTestDatabase(dialect);
      const ids = idsOf(await openCatalogue(database.db, { env: openai }));
      const commandLine = await Catalogue.open({
        db: database.db,
        clock: { now: () => 1, monotonic: () => 1 },
        secrets: SecretBox.create('a secret of the server, 32 bytes long', 'catalogue'),
        env: {},
        kinds: ['openai'],
        builtin: [],
        presets: undefined,
      });
      expect(idsOf(commandLine)).toEqual(ids.filter((id) => id >= 10));
      await commandLine.apply(fileOf([modelOf(101, 'a')]));
      expect(idsOf(commandLine)).toEqual([...ids.filter((id) => id >= 10), 101]);
      const own = 'providers: { openai: { kind: openai } }\nmodels: []';
      expect(await applied(commandLine, own)).toContain('retired model 10 openai/gpt-5.5');
    });
  });
}

describe('the models of presets', () => {
  const models = presets.flatMap(({ models: rows }) => rows);

  test('include no model that its maker has shut down', () => {
    // According to the makers' own pages of deprecations, read in November 2026.
    const gone =
      /^(?:.+\/)?(?:claude-sonnet-4[.-]5|gemini-2\.5-|llama-3\.3-70b|gpt-image-1)|^deepseek-v4-flash/;
    expect(models.map(({ facts }) => facts.model).filter((name) => gone.test(name))).toEqual([]);
  });

  test('have unique ids that no other model ever had', () => {
    const ids = models.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => [15, 20, 21, 31, 32, 92].includes(id))).toEqual([]);
  });
});
