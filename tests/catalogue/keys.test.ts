import { describe, expect, test } from 'bun:test';
import { formatChange, resealKeys } from '../../src/catalogue/index.ts';
import { SecretBox } from '../../src/lib/secret-box.ts';
import { dialects, openTestDatabase } from '../support/databases.ts';
import { applied, fileOf, modelOf, openCatalogue, upKey } from './fixtures.ts';

for (const dialect of dialects) {
  describe(`${dialect}: keys`, () => {
    const canary = 'sk-canary-5f2b9a';
    const withKey = (key: string) => fileOf([modelOf(101, 'a')]).replace('${UP_KEY}', key);

    test('from the environment are stored as variable names', async () => {
      await using database = await openTestDatabase(dialect);
      const catalogue = await openCatalogue(database.db, { env: { UP_KEY: canary } });
      await catalogue.apply(fileOf([modelOf(101, 'a')]));
      expect(catalogue.providerSetup('up')?.apiKey).toBe(canary);
      expect(catalogue.problems.unresolved).toEqual([]);
      expect(catalogue.show().providers.find(({ code }) => code === 'up')?.api_key).toBe(
        '${UP_KEY}',
      );
      expect(await dumpOf(database.db)).not.toContain('canary');

      for (const unset of [{}, { UP_KEY: '' }, { UP_KEY: ' ' }]) {
        const without = await openCatalogue(database.db, { env: unset });
        expect(without.problems.unresolved).toEqual(['UP_KEY']);
        expect(without.providerSetup('up')).toBeUndefined();
      }
    });

    test('in clear text are stored encrypted, and never shown', async () => {
      await using database = await openTestDatabase(dialect);
      const catalogue = await openCatalogue(database.db);
      const shown = [await catalogue.apply(withKey(canary))];
      expect(catalogue.providerSetup('up')?.apiKey).toBe(canary);
      expect(await catalogue.apply(withKey(canary))).toEqual([]);
      shown.push(await catalogue.apply(withKey(`${canary}-2`)));
      expect(shown[1]?.map(formatChange)).toEqual([
        'changed provider up: api_key (set) -> (set anew)',
      ]);
      shown.push(await catalogue.apply(withKey(`"${canary}-\${SUFFIX}"`)));
      expect(catalogue.problems.unresolved).toEqual(['SUFFIX']);
      const again = await openCatalogue(database.db, { env: { SUFFIX: 'x' } });
      expect(again.providerSetup('up')?.apiKey).toBe(`${canary}-x`);
      expect(JSON.stringify([shown, again.show(), catalogue.show()])).not.toContain('canary');
      expect(await dumpOf(database.db)).not.toContain('canary');
    });

    test('encrypted with another secret are reported, kept, and replaced by applying again', async () => {
      await using database = await openTestDatabase(dialect);
      await (await openCatalogue(database.db)).apply(withKey(canary));
      const secrets = SecretBox.create('another secret of the server, 32 bytes', 'catalogue');
      const other = await openCatalogue(database.db, { secrets });
      expect(other.problems.unreadable).toEqual(['up']);
      expect(other.providerSetup('up')).toBeUndefined();
      const first = await openCatalogue(database.db);
      expect(first.providerSetup('up')?.apiKey).toBe(canary);
      expect(await applied(other, withKey(canary))).toEqual([
        'changed provider up: api_key (unreadable) -> (set)',
      ]);
      expect(other.providerSetup('up')?.apiKey).toBe(canary);
    });

    test('encrypted with the previous secret are encrypted again, after which that secret can be removed', async () => {
      await using database = await openTestDatabase(dialect);
      const text = withKey(canary);
      const several = text.replace(
        `api_key: ${canary}`,
        `api_keys: [{ key: ${canary}, weight: 2 }, { key: '\${UP_KEY}' }]`,
      );
      const next = 'another secret of the server, 32 bytes';
      const previous = new TextEncoder().encode('a secret of the server, 32 bytes long');
      const changing = SecretBox.create(next, 'catalogue', previous);
      const after = SecretBox.create(next, 'catalogue');
      for (const file of [text, several]) {
        await (await openCatalogue(database.db, { env: upKey })).apply(file);
        const before = await openCatalogue(database.db, { env: upKey });
        const during = await openCatalogue(database.db, { env: upKey, secrets: changing });
        expect(during.providerSetup('up')).toEqual(before.providerSetup('up'));
        expect(await resealKeys(database.db, changing)).toEqual(['up']);
        expect(await resealKeys(database.db, changing)).toEqual([]);
        const alone = await openCatalogue(database.db, { env: upKey, secrets: after });
        expect(alone.problems.unreadable).toEqual([]);
        expect(alone.providerSetup('up')).toEqual(before.providerSetup('up'));
      }
      expect(await dumpOf(database.db)).not.toContain('canary');
    });

    test("are not sent to the standard address when the provider's own address is unknown", async () => {
      await using database = await openTestDatabase(dialect);
      const catalogue = await openCatalogue(database.db, { env: upKey });
      const text = fileOf([]).replace('http://127.0.0.1:9/v1', 'http://${HOST}/v1');
      await catalogue.apply(text);
      expect(catalogue.problems.unresolved).toEqual(['HOST']);
      expect(catalogue.providerSetup('up')).toBeUndefined();
      const set = await openCatalogue(database.db, { env: { ...upKey, HOST: 'inside' } });
      expect(set.providerSetup('up')?.baseUrl).toBe('http://inside/v1');
      expect(set.show().providers.find(({ code }) => code === 'up')?.base_url).toBe(
        'http://${HOST}/v1',
      );
    });
  });
}

/** All texts in the tables of the catalogue. */
async function dumpOf(db: { query: (text: string) => Promise<unknown[]> }): Promise<string> {
  const tables = ['providers', 'models', 'model_versions', 'settings', 'counters'];
  const rows = await Promise.all(tables.map((table) => db.query(`SELECT * FROM ${table}`)));
  return JSON.stringify(rows);
}
