import { describe, expect, test } from 'bun:test';
import { parseCatalogue } from '../../src/catalogue/file.ts';
import { presets } from '../../src/catalogue/index.ts';
import { createProvider, providerKinds, providerOptions } from '../../src/providers/index.ts';
import { dialects, openTestDatabase } from '../support/databases.ts';
import { applied, known, openCatalogue, refusalOf } from './fixtures.ts';

const fileOf = (options: string, kind = 'gigachat') =>
  `providers:\n  one:\n    kind: ${kind}\n    api_key: k\n${options}models: []\n`;
const optionsOf = (...lines: string[]) =>
  `    options:\n${lines.map((line) => `      ${line}\n`).join('')}`;

describe('the options of a provider', () => {
  test('are read as text', () => {
    const [provider] = parseCatalogue(
      fileOf(optionsOf('scope: CORP', 'ca_file: /etc/ssl/russian-ca.pem')),
      known,
    ).providers;
    expect(provider?.options).toEqual({ scope: 'CORP', ca_file: '/etc/ssl/russian-ca.pem' });
    const [without] = parseCatalogue(fileOf(''), known).providers;
    expect(without?.options).toEqual({});
  });

  test.each([
    ['gigachat', optionsOf('scop: CORP'), 6, 'options.scop', 'did you mean scope?'],
    ['gigachat', optionsOf('scope: B2B'), 6, 'options.scope', 'must be one of PERS, CORP'],
    ['gigachat', optionsOf('scope: 7'), 6, 'options.scope', 'must be text'],
    ['gigachat', optionsOf('scope: ""'), 6, 'options.scope', 'must not be empty'],
    ['gigachat', optionsOf('scope: $SCOPE'), 6, 'options.scope', '${NAME}'],
    ['gigachat', optionsOf('ca_file: ${ZASTAVA_SECRET}'), 6, 'options.ca_file', 'ZASTAVA_'],
    ['gigachat', '    options: [scope]\n', 5, 'options', 'a map of option names'],
    ['openai', optionsOf('scope: CORP'), 6, 'options.scope', 'the kind openai has none'],
    ['yandex', '', 2, 'options.folder', 'the kind yandex needs it'],
  ])('of the kind %s: %j is refused', (kind, options, line, path, message) => {
    const { details } = refusalOf(() => parseCatalogue(fileOf(options, kind), known));
    expect(details).toHaveLength(1);
    expect(details[0]?.path).toBe(`providers.one.${path}`);
    expect(details[0]?.message).toContain(`line ${line}: `);
    expect(details[0]?.message).toContain(message);
  });

  test('may refer to variables, whatever their values', () => {
    const text = fileOf(optionsOf('scope: ${GIGACHAT_SCOPE}'));
    expect(parseCatalogue(text, known).providers[0]?.options).toEqual({
      scope: '${GIGACHAT_SCOPE}',
    });
  });
});

for (const dialect of dialects) {
  describe(`${dialect}: the options of a provider`, () => {
    test('are stored and resolved, and changes are listed', async () => {
      await using database = await openTestDatabase(dialect);
      const env = { FOLDER: 'b1g' };
      const catalogue = await openCatalogue(database.db, { env });
      const text = fileOf(optionsOf('folder: ${FOLDER}'), 'yandex');
      expect(await applied(catalogue, text)).toEqual(['added provider one']);
      expect(await applied(catalogue, text)).toEqual([]);
      expect(catalogue.providerSetup('one')?.options).toEqual({ folder: 'b1g' });
      const shown = catalogue.show().providers.find(({ code }) => code === 'one');
      expect(shown?.options).toEqual({ folder: '${FOLDER}' });
      expect(await applied(catalogue, text.replace('${FOLDER}', 'other'))).toEqual([
        'changed provider one: options.folder ${FOLDER} -> other',
      ]);
      expect(catalogue.providerSetup('one')?.options).toEqual({ folder: 'other' });
    });

    test('make a provider unusable while one of their variables is unset', async () => {
      await using database = await openTestDatabase(dialect);
      const catalogue = await openCatalogue(database.db);
      await catalogue.apply(fileOf(optionsOf('folder: ${FOLDER}'), 'yandex'));
      expect(catalogue.providerSetup('one')).toBeUndefined();
      expect(catalogue.problems.unresolved).toEqual(['FOLDER']);
    });

    test('enable a preset together with its key', async () => {
      await using database = await openTestDatabase(dialect);
      const key = { YANDEX_API_KEY: 'k' };
      const half = await openCatalogue(database.db, { env: key });
      expect(half.providerSetup('yandex')).toBeUndefined();
      const env = { ...key, YANDEX_FOLDER_ID: 'b1g' };
      const whole = await openCatalogue(database.db, { env });
      expect(whole.providerSetup('yandex')).toMatchObject({
        kind: 'yandex',
        apiKey: 'k',
        options: { folder: 'b1g' },
      });
      expect(whole.get(70)).toMatchObject({ provider: 'yandex', model: 'yandexgpt-lite/latest' });
    });
  });
}

describe('the presets', () => {
  test('have ids of their own below 100, and kinds with the options that they need', () => {
    const ids = presets.flatMap(({ models }) => models.map(({ id }) => id));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.every((id) => id >= 10 && id < 100)).toBe(true);
    for (const { provider } of presets) {
      expect(providerKinds).toContain(provider.kind);
      const options = providerOptions[provider.kind] ?? [];
      const needed = options.filter(({ required }) => required).map(({ name }) => name);
      expect(Object.keys(provider.options)).toEqual(needed);
    }
  });

  test('can all be constructed', () => {
    for (const { provider, variables } of presets) {
      const options = Object.fromEntries(Object.keys(provider.options).map((name) => [name, 'x']));
      const baseUrl = provider.baseUrl ?? undefined;
      const { code, kind, timeoutSeconds } = provider;
      const setup = { code, kind, baseUrl, apiKey: 'k', timeoutSeconds, options };
      expect(createProvider(setup)).toBeObject();
      expect(variables[0]).toMatch(/^[A-Z_]+$/);
      if (baseUrl !== undefined) expect(new URL(baseUrl).protocol).toBe('https:');
    }
  });
});
