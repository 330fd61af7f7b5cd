/** Several keys of a provider, and its limits: how they are read, encrypted, shown without secrets, and resolved. */
import { describe, expect, test } from 'bun:test';
import { parseCatalogue } from '../../src/catalogue/file.ts';
import { dialects, openTestDatabase } from '../support/databases.ts';
import { applied, known, openCatalogue, refusalOf } from './fixtures.ts';

const fileOf = (...lines: string[]) =>
  `providers:\n  one:\n    kind: openai\n${lines.map((line) => `    ${line}\n`).join('')}models: []\n`;

const routed = fileOf(
  'api_keys: [{ key: "${A}", weight: 3 }, { key: sk-in-clear-0123456789 }]',
  'max_concurrent: 40',
  'max_requests_per_minute: 500',
);

describe('the routing of a provider', () => {
  test('is read, with 1 as the default weight', () => {
    const [provider] = parseCatalogue(routed, known).providers;
    expect(provider).toMatchObject({
      keys: [
        { key: '${A}', weight: 3 },
        { key: 'sk-in-clear-0123456789', weight: 1 },
      ],
      maxConcurrent: 40,
      maxRequestsPerMinute: 500,
    });
    const [single] = parseCatalogue(fileOf('api_key: k'), known).providers;
    expect(single?.keys).toEqual([{ key: 'k', weight: 1 }]);
    expect(single?.maxConcurrent).toBeUndefined();
  });

  test.each([
    [['api_keys: []'], 'api_keys', 'at least one key'],
    [['api_keys: ["${A}"]'], 'api_keys[0]', 'a map of key and weight'],
    [['api_keys: [{ weight: 2 }]'], 'api_keys[0].key', 'is missing'],
    [['api_keys: [{ key: "${A}", weight: 0 }]'], 'api_keys[0].weight', 'from 1 to 1000'],
    [['api_keys: [{ key: "${A}", weight: 1.5 }]'], 'api_keys[0].weight', 'whole number'],
    [['api_keys: [{ key: "${A}", share: 1 }]'], 'api_keys[0].share', 'unknown field'],
    [['api_keys: [{ key: "$A" }]'], 'api_keys[0].key', '${NAME}'],
    [['api_keys: [{ key: "${ZASTAVA_SECRET}" }]'], 'api_keys[0].key', 'ZASTAVA_'],
    [['api_keys: [{ key: "${A}" }, { key: "${A}" }]'], 'api_keys', 'twice'],
    [['api_key: k', 'api_keys: [{ key: "${A}" }]'], 'api_keys', 'one of the two'],
    [['max_concurrent: 0'], 'max_concurrent', 'from 1 to 100000'],
    [['max_requests_per_minute: 1e6'], 'max_requests_per_minute', 'from 1 to 100000'],
  ])('%j is refused', (lines, path, message) => {
    const { details } = refusalOf(() => parseCatalogue(fileOf(...lines), known));
    expect(details).toHaveLength(1);
    expect(details[0]?.path).toBe(`providers.one.${path}`);
    expect(details[0]?.message).toContain(message);
  });

  test('refuses too many keys, and quotes none of them', () => {
    const keys = Array.from({ length: 17 }, (_, i) => `{ key: sk-secret-${i} }`).join(', ');
    const { details } = refusalOf(() => parseCatalogue(fileOf(`api_keys: [${keys}]`), known));
    expect(details[0]?.message).toContain('at most 16 keys');
    expect(JSON.stringify(details)).not.toContain('sk-secret');
  });
});

for (const dialect of dialects) {
  describe(`${dialect}: the routing of a provider`, () => {
    test('is stored encrypted, resolved, and shown without secrets', async () => {
      await using database = await openTestDatabase(dialect);
      const catalogue = await openCatalogue(database.db, { env: { A: 'sk-of-the-environment' } });
      expect(await applied(catalogue, routed)).toEqual(['added provider one']);
      expect(await applied(catalogue, routed)).toEqual([]);
      expect(catalogue.providerSetup('one')?.routing).toEqual({
        keys: [
          { key: 'sk-of-the-environment', weight: 3 },
          { key: 'sk-in-clear-0123456789', weight: 1 },
        ],
        maxConcurrent: 40,
        maxRequestsPerMinute: 500,
      });
      const rows = await database.db.query('SELECT * FROM providers');
      expect(JSON.stringify(rows)).not.toContain('sk-');
      const shown = catalogue.show().providers.find(({ code }) => code === 'one');
      expect(shown).toMatchObject({
        api_key: null,
        api_keys: '${A}*3 (set)',
        max_concurrent: 40,
        max_requests_per_minute: 500,
      });
      // Another process reads the same.
      const other = await openCatalogue(database.db, { env: { A: 'sk-of-the-environment' } });
      expect(other.providerSetup('one')).toEqual(catalogue.providerSetup('one'));
    });

    test('lists its changes, and can be removed', async () => {
      await using database = await openTestDatabase(dialect);
      const catalogue = await openCatalogue(database.db, { env: { A: 'a' } });
      await catalogue.apply(routed);
      const changed = routed
        .replace('sk-in-clear', 'sk-another')
        .replace('weight: 3', 'weight: 2')
        .replace('max_concurrent: 40', 'max_concurrent: 50');
      expect(await applied(catalogue, changed)).toEqual([
        'changed provider one: api_keys "${A}*3 (set)" -> "${A}*2 (set)", max_concurrent 40 -> 50',
      ]);
      const reset = changed.replace('sk-another', 'sk-third');
      expect(await applied(catalogue, reset)).toEqual([
        'changed provider one: api_keys "${A}*2 (set)" -> (set anew)',
      ]);
      await catalogue.apply(fileOf('api_key: k'));
      expect(catalogue.providerSetup('one')?.apiKey).toBe('k');
      expect(catalogue.providerSetup('one')?.routing).toEqual({
        keys: [{ key: 'k', weight: 1 }],
        maxConcurrent: undefined,
        maxRequestsPerMinute: undefined,
      });
    });

    test('makes a provider unusable while one of its variables is unset', async () => {
      await using database = await openTestDatabase(dialect);
      const catalogue = await openCatalogue(database.db);
      await catalogue.apply(routed);
      expect(catalogue.providerSetup('one')).toBeUndefined();
      expect(catalogue.problems.unresolved).toEqual(['A']);
    });
  });
}
