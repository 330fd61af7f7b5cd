import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { Catalogue, formatChange, sandboxModels } from '../../src/catalogue/index.ts';
import { openDatabase } from '../../src/db/index.ts';
import { SecretBox } from '../../src/lib/secret-box.ts';
import { dialects, openTestDatabase } from '../support/databases.ts';
import { fileOf, modelOf, openCatalogue } from './fixtures.ts';

const env = { UP_KEY: 'sk-from-the-environment' };
const priced = (input: number) => `, cost_input_tokens_rub: ${input}, cost_output_tokens_rub: 2`;

async function lines(catalogue: Catalogue, text: string): Promise<string[]> {
  return (await catalogue.apply(text)).map(formatChange);
}

const idsOf = (catalogue: Catalogue) => catalogue.list().map(({ id }) => id);

for (const dialect of dialects) {
  describe(`${dialect}: a catalogue`, () => {
    test('has the sandbox models from the first start', async () => {
      await using database = await openTestDatabase(dialect);
      const catalogue = await openCatalogue(database.db);
      expect(catalogue.list().map(({ view }) => view)).toEqual([
        {
          id: 1,
          code: 'sandbox',
          model: 'sandbox-text',
          description: expect.stringContaining('no real model'),
          description_full: expect.stringContaining('calls no real model'),
          model_alias: null,
          type: 'TEXT',
          max_input_tokens: 32768,
          max_output_tokens: 4096,
          min_temperature: 0,
          max_temperature: 2,
          is_chat_mode_allowed: 1,
          cost_input_tokens_rub: 100,
          cost_output_tokens_rub: 200,
          cost_input_fix_rub: 0,
          cost_output_fix_rub: 0,
          cost_tokens_unit: 1000000,
          currency: 'RUB',
          priced: true,
        },
        expect.objectContaining({
          id: 2,
          type: 'IMAGE',
          is_chat_mode_allowed: 0,
          cost_output_fix_rub: 1,
        }),
      ]);
      expect(catalogue.providerSetup('sandbox')).toEqual({
        code: 'sandbox',
        kind: 'sandbox',
        baseUrl: undefined,
        apiKey: undefined,
        timeoutSeconds: 120,
      });
    });

    test('says what applying changed, and nothing the second time', async () => {
      await using database = await openTestDatabase(dialect);
      const catalogue = await openCatalogue(database.db, { env });
      const text = fileOf([modelOf(101, 'a', priced(25)), modelOf(undefined, 'b')]);
      const added = ['added provider up', 'added model 101 up/a', 'added model 1000 up/b'];
      expect((await catalogue.apply(text, { dryRun: true })).map(formatChange)).toEqual(added);
      expect(idsOf(catalogue)).toEqual([1, 2]);
      expect(await lines(catalogue, text)).toEqual(added);
      expect(idsOf(catalogue)).toEqual([1, 2, 101, 1000]);
      const before = catalogue.show();
      expect(await lines(catalogue, text)).toEqual([]);
      expect(await openCatalogue(database.db, { env }).then((again) => again.show())).toEqual(
        before,
      );
      expect(catalogue.get(101)).toMatchObject({
        provider: 'up',
        model: 'a',
        price: { inputTokens: 25_000_000, outputTokens: 2_000_000, inputFix: 0, outputFix: 0 },
      });
      expect(catalogue.get(1000)).toMatchObject({ price: null, view: { priced: false } });

      const changed = text.replace('rub: 25', 'rub: 30').replace(':9/', ':8/');
      expect(await lines(catalogue, changed)).toEqual([
        'changed provider up: base_url http://127.0.0.1:9/v1 -> http://127.0.0.1:8/v1',
        'changed model 101 up/a: cost_input_tokens_rub 25 -> 30',
      ]);
    });

    test('keeps every version as it was', async () => {
      await using database = await openTestDatabase(dialect);
      const catalogue = await openCatalogue(database.db, { env });
      const versions: number[] = [];
      for (const input of [25, 30, 25]) {
        await catalogue.apply(fileOf([modelOf(101, 'a', priced(input)), modelOf(102, 'b')]));
        versions.push(catalogue.get(101)?.versionId ?? 0);
      }
      expect(new Set(versions).size).toBe(3);
      const other = catalogue.get(102)?.versionId;
      await catalogue.apply('models: []');
      expect(idsOf(catalogue)).toEqual([1, 2]);

      const fresh = await openCatalogue(database.db, { env });
      const prices = await Promise.all(versions.map((id) => fresh.version(id)));
      expect(prices.map(({ price }) => price?.inputTokens)).toEqual([
        25_000_000, 30_000_000, 25_000_000,
      ]);
      expect(await fresh.versionView(versions[1] ?? 0)).toMatchObject({
        id: 101,
        code: 'up',
        cost_input_tokens_rub: 30,
      });
      await expect(fresh.version(999_999)).rejects.toMatchObject({ code: 'not_found' });

      // What comes back unchanged comes back with its id and version.
      expect(
        await lines(catalogue, fileOf([modelOf(undefined, 'b'), modelOf(101, 'a', priced(25))])),
      ).toEqual(['returned provider up', 'returned model 102 up/b', 'returned model 101 up/a']);
      expect(catalogue.get(102)?.versionId).toBe(other ?? 0);
      expect(catalogue.get(101)?.versionId).toBe(versions[2] ?? 0);
    });

    test('never gives an id a second time', async () => {
      await using database = await openTestDatabase(dialect);
      const catalogue = await openCatalogue(database.db, { env });
      await catalogue.apply(fileOf([modelOf(undefined, 'a'), modelOf(2000, 'b')]));
      await catalogue.apply(fileOf([modelOf(undefined, 'c')]));
      await catalogue.apply(fileOf([modelOf(undefined, 'd'), modelOf(undefined, 'a')]));
      expect(catalogue.list().map(({ id, model }) => [id, model])).toEqual([
        [1, 'sandbox-text'],
        [2, 'sandbox-image'],
        [2001, 'a'],
        [2003, 'd'],
      ]);
      const swapped = fileOf([modelOf(2001, 'd'), modelOf(undefined, 'a')]);
      await expect(catalogue.apply(swapped)).rejects.toMatchObject({
        code: 'invalid_request',
        message: expect.stringContaining('line 9: this model has had the id 2001, which line 8'),
      });
      // Writing down the id that a model already has is no change.
      const written = fileOf([modelOf(2003, 'd'), modelOf(2001, 'a')]);
      expect(await lines(catalogue, written)).toEqual([]);
    });

    test('changes all or nothing', async () => {
      await using database = await openTestDatabase(dialect);
      const catalogue = await openCatalogue(database.db, { env });
      await catalogue.apply(fileOf([modelOf(101, 'a', priced(25))]));
      const before = catalogue.show();
      const bad = fileOf([modelOf(102, 'b'), modelOf(103, 'c', ', cost_input_fix_rub: -1')]);
      await expect(catalogue.apply(bad)).rejects.toMatchObject({
        code: 'invalid_request',
        details: [
          { path: 'models[1].cost_input_fix_rub', message: 'line 9: must not be negative' },
        ],
      });
      expect((await openCatalogue(database.db, { env })).show()).toEqual(before);

      // A failure in the middle of writing leaves nothing either.
      const secrets = await SecretBox.create('a secret of the server, 32 bytes long', 'catalogue');
      secrets.seal = () => Promise.reject(new Error('no more entropy'));
      const failing = await openCatalogue(database.db, { env, secrets });
      const text =
        'providers: { first: { kind: openai }, second: { kind: openai, api_key: sk-1 } }';
      await expect(failing.apply(text)).rejects.toThrow('no more entropy');
      expect((await openCatalogue(database.db, { env })).show()).toEqual(before);
      expect(await database.db.query("SELECT code FROM providers WHERE code = 'first'")).toEqual(
        [],
      );
    });

    test('applies a change of fallbacks without a new version', async () => {
      await using database = await openTestDatabase(dialect);
      const catalogue = await openCatalogue(database.db, { env });
      await catalogue.apply(fileOf([modelOf(101, 'a'), modelOf(102, 'b')]));
      const version = catalogue.get(101)?.versionId;
      const falling = fileOf([modelOf(101, 'a', ', fallbacks: [102, 1]'), modelOf(102, 'b')]);
      expect(await lines(catalogue, falling)).toEqual([
        'changed model 101 up/a: fallbacks (none) -> "102 1"',
      ]);
      expect(catalogue.get(101)).toMatchObject({ fallbacks: [102, 1], versionId: version });
    });

    test('moves a model to another provider under its id', async () => {
      await using database = await openTestDatabase(dialect);
      const catalogue = await openCatalogue(database.db, { env });
      await catalogue.apply(fileOf([modelOf(101, 'a')]));
      const moved = fileOf([modelOf(101, 'a').replace('provider: up', 'provider: sandbox')]);
      expect(await lines(catalogue, moved)).toEqual([
        'changed model 101 sandbox/a: provider up -> sandbox',
      ]);
      expect(catalogue.get(101)?.provider).toBe('sandbox');
    });

    test('switches the sandbox off and on, also for the next start', async () => {
      await using database = await openTestDatabase(dialect);
      const catalogue = await openCatalogue(database.db, { env });
      expect(await lines(catalogue, 'sandbox: off')).toEqual([
        'retired provider sandbox',
        'retired model 1 sandbox/sandbox-text',
        'retired model 2 sandbox/sandbox-image',
      ]);
      expect(catalogue.list()).toEqual([]);
      expect(catalogue.providerSetup('sandbox')).toBeUndefined();
      expect((await openCatalogue(database.db)).list()).toEqual([]);
      await catalogue.apply('models: []');
      expect(idsOf(catalogue)).toEqual([1, 2]);
      expect(idsOf(await openCatalogue(database.db))).toEqual([1, 2]);
    });

    test('lets a file set the sandbox provider up', async () => {
      await using database = await openTestDatabase(dialect);
      const catalogue = await openCatalogue(database.db);
      const text = 'providers: { sandbox: { kind: sandbox, timeout_seconds: 5 } }';
      expect(await lines(catalogue, text)).toEqual([
        'changed provider sandbox: timeout_seconds 120 -> 5',
      ]);
      const again = await openCatalogue(database.db);
      expect(again.providerSetup('sandbox')?.timeoutSeconds).toBe(5);
      expect(idsOf(again)).toEqual([1, 2]);
      await again.apply('models: []');
      expect(again.providerSetup('sandbox')?.timeoutSeconds).toBe(120);
    });

    test('brings a newer version of a built-in model in', async () => {
      await using database = await openTestDatabase(dialect);
      const first = await openCatalogue(database.db);
      const version = first.get(1)?.versionId ?? 0;
      const [model] = sandboxModels.models;
      if (!model) throw new Error('no model');
      const longer = { ...model, facts: { ...model.facts, maxOutputTokens: 8192 } };
      const newer = await openCatalogue(database.db, {
        builtin: [{ ...sandboxModels, models: [longer] }],
      });
      expect(idsOf(newer)).toEqual([1]);
      expect(newer.get(1)?.maxOutputTokens).toBe(8192);
      expect((await newer.versionView(version)).max_output_tokens).toBe(4096);
      await first.refresh();
      expect(idsOf(first)).toEqual([1]);
    });
  });

  describe(`${dialect}: nodes`, () => {
    test('see what another process applied', async () => {
      await using database = await openTestDatabase(dialect);
      const server = await openCatalogue(database.db, { env });
      const db = openDatabase(database.config);
      const commandLine = await openCatalogue(db, { presets: undefined });
      expect(await server.refresh()).toBe(false);
      await commandLine.apply(fileOf([modelOf(101, 'a')]));
      expect(server.get(101)).toBeUndefined();
      expect(await Promise.all([server.refresh(), server.refresh()])).toContain(true);
      expect(server.get(101)?.model).toBe('a');
      expect(await server.refresh()).toBe(false);
      await db.close();
    });

    test('apply at once, one after the other', async () => {
      await using database = await openTestDatabase(dialect);
      const handles = Array.from({ length: 4 }, () => openDatabase(database.config));
      const catalogues = await Promise.all(handles.map((db) => openCatalogue(db, { env })));
      const text = (price: number) =>
        fileOf([modelOf(undefined, 'a', priced(price)), modelOf(undefined, `b${price}`)]);
      const results = await Promise.all(
        catalogues.flatMap((catalogue) => [1, 2, 3].map((price) => catalogue.apply(text(price)))),
      );
      expect(results.flat().filter(({ subject }) => subject === 'provider up')).toHaveLength(1);
      for (const catalogue of catalogues) await catalogue.refresh();
      const [first, ...others] = catalogues.map((catalogue) => catalogue.show());
      for (const other of others) expect(other).toEqual(first as NonNullable<typeof first>);
      // One of the three files as a whole, under ids that are each given once.
      const shown = first?.models.filter(({ origin }) => origin === 'file') ?? [];
      expect(shown.map(({ model }) => model)).toEqual(['a', `b${shown[0]?.cost_input_tokens_rub}`]);
      const rows = await database.db.query<{ id: number }>(
        'SELECT id FROM models WHERE id >= 1000',
      );
      expect(rows.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual([1000, 1001, 1002, 1003]);
      await Promise.all(handles.map((db) => db.close()));
    });
  });

  describe(`${dialect}: keys`, () => {
    const canary = 'sk-canary-5f2b9a';
    const withKey = (key: string) => fileOf([modelOf(101, 'a')]).replace('${UP_KEY}', key);

    test('of the environment are stored as their names', async () => {
      await using database = await openTestDatabase(dialect);
      const catalogue = await openCatalogue(database.db, { env: { UP_KEY: canary } });
      await catalogue.apply(fileOf([modelOf(101, 'a')]));
      expect(catalogue.providerSetup('up')?.apiKey).toBe(canary);
      expect(catalogue.unresolved()).toEqual([]);
      expect(catalogue.show().providers.find(({ code }) => code === 'up')?.api_key).toBe(
        '${UP_KEY}',
      );
      expect(await dumpOf(database.db)).not.toContain('canary');

      for (const env of [{}, { UP_KEY: '' }, { UP_KEY: ' ' }]) {
        const without = await openCatalogue(database.db, { env });
        expect(without.unresolved()).toEqual(['UP_KEY']);
        expect(without.providerSetup('up')).toBeUndefined();
      }
    });

    test('in clear are stored sealed, and never shown', async () => {
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
      expect(catalogue.unresolved()).toEqual(['SUFFIX']);
      const again = await openCatalogue(database.db, { env: { SUFFIX: 'x' } });
      expect(again.providerSetup('up')?.apiKey).toBe(`${canary}-x`);
      expect(JSON.stringify([shown, again.show(), catalogue.show()])).not.toContain('canary');
      expect(await dumpOf(database.db)).not.toContain('canary');
    });

    test('sealed with another secret are named, kept, and mended by applying again', async () => {
      await using database = await openTestDatabase(dialect);
      await (await openCatalogue(database.db)).apply(withKey(canary));
      const secrets = await SecretBox.create('another secret of the server, 32 bytes', 'catalogue');
      const other = await openCatalogue(database.db, { secrets });
      expect(other.unreadableKeys()).toEqual(['up']);
      expect(other.providerSetup('up')).toBeUndefined();
      const first = await openCatalogue(database.db);
      expect(first.providerSetup('up')?.apiKey).toBe(canary);
      expect(await lines(other, withKey(canary))).toEqual([
        'changed provider up: api_key (unreadable) -> (set)',
      ]);
      expect(other.providerSetup('up')?.apiKey).toBe(canary);
    });

    test('are not sent to the standard address when their own is unknown', async () => {
      await using database = await openTestDatabase(dialect);
      const catalogue = await openCatalogue(database.db, { env });
      const text = fileOf([]).replace('http://127.0.0.1:9/v1', 'http://${HOST}/v1');
      await catalogue.apply(text);
      expect(catalogue.unresolved()).toEqual(['HOST']);
      expect(catalogue.providerSetup('up')).toBeUndefined();
      const set = await openCatalogue(database.db, { env: { ...env, HOST: 'inside' } });
      expect(set.providerSetup('up')?.baseUrl).toBe('http://inside/v1');
      expect(set.show().providers.find(({ code }) => code === 'up')?.base_url).toBe(
        'http://${HOST}/v1',
      );
    });
  });

  describe(`${dialect}: presets`, () => {
    const openai = { OPENAI_API_KEY: 'sk-1' };

    test('come and go with their variable, under the same ids', async () => {
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

    test('give way to a file that defines the provider', async () => {
      await using database = await openTestDatabase(dialect);
      const server = await openCatalogue(database.db, { env: openai });
      const text = `providers: { openai: { kind: openai, api_key: "\${OPENAI_API_KEY}" } }\nmodels:\n  - ${modelOf(101, 'gpt-5-mini', priced(25)).replace('up', 'openai')}`;
      const changes = await lines(server, text);
      expect(changes).toContain('added model 101 openai/gpt-5-mini');
      expect(changes).toContain('retired model 10 openai/gpt-5.5');
      expect(idsOf(server)).toEqual([1, 2, 101]);
      expect(await lines(server, text)).toEqual([]);
      expect(idsOf(await openCatalogue(database.db, { env: openai }))).toEqual([1, 2, 101]);
      await server.apply('models: []');
      expect(idsOf(server)).toContain(10);
      expect(server.get(101)).toBeUndefined();
    });

    test('stay as they are for a process without the environment of the server', async () => {
      await using database = await openTestDatabase(dialect);
      const ids = idsOf(await openCatalogue(database.db, { env: openai }));
      const commandLine = await Catalogue.open({
        db: database.db,
        clock: { now: () => 1, monotonic: () => 1 },
        secrets: await SecretBox.create('a secret of the server, 32 bytes long', 'catalogue'),
        env: {},
        kinds: ['openai'],
        builtin: [],
        presets: undefined,
      });
      expect(idsOf(commandLine)).toEqual(ids.filter((id) => id >= 10));
      await commandLine.apply(fileOf([modelOf(101, 'a')]));
      expect(idsOf(commandLine)).toEqual([...ids.filter((id) => id >= 10), 101]);
      const own = 'providers: { openai: { kind: openai } }';
      expect(await lines(commandLine, own)).toContain('retired model 10 openai/gpt-5.5');
    });
  });

  test(`${dialect}: applying any valid file twice changes nothing the second time`, async () => {
    await using database = await openTestDatabase(dialect);
    const catalogue = await openCatalogue(database.db, { env });
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
        const items = models.map(({ id, name, micro, alias }) => {
          const text = alias?.trim() ? `, model_alias: ${JSON.stringify(alias)}` : '';
          return modelOf(id, name, `, cost_input_tokens_rub: ${micro / 1_000_000}${text}`);
        });
        const text = fileOf(items, sandbox ? '' : 'sandbox: off');
        let applied = true;
        await catalogue.apply(text).catch((error: unknown) => {
          // The one thing that depends on earlier files: an id that two models would swap.
          expect(String(error)).toContain('has had the id');
          applied = false;
        });
        if (!applied) return;
        expect(await catalogue.apply(text)).toEqual([]);
        const listed = catalogue.list().filter(({ provider }) => provider === 'up');
        expect(listed.map(({ price }) => price?.inputTokens).toSorted()).toEqual(
          models.map(({ micro }) => micro).toSorted(),
        );
      }),
      { numRuns: 60 },
    );
  });
}

/** All that the tables of the catalogue hold, as text. */
async function dumpOf(db: { query: (text: string) => Promise<unknown[]> }): Promise<string> {
  const tables = ['providers', 'models', 'model_versions', 'settings', 'counters'];
  const rows = await Promise.all(tables.map((table) => db.query(`SELECT * FROM ${table}`)));
  return JSON.stringify(rows);
}
