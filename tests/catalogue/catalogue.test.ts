import { describe, expect, test } from 'bun:test';
import { formatChange, sandboxModels } from '../../src/catalogue/index.ts';
import { SecretBox } from '../../src/lib/secret-box.ts';
import { dialects, openTestDatabase } from '../support/databases.ts';
import { openGateway } from '../support/gateway.ts';
import { recordingLog, type LogLine } from '../users/world.ts';
import {
  applied,
  fileOf,
  idsOf,
  modelOf,
  openCatalogue,
  priced,
  rejectionOf,
  upKey,
} from './fixtures.ts';

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
          modality: 'text',
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
        options: {},
        routing: { keys: [], maxConcurrent: undefined, maxRequestsPerMinute: undefined },
      });
    });

    test('lists what applying changed, and nothing the second time', async () => {
      await using database = await openTestDatabase(dialect);
      const catalogue = await openCatalogue(database.db, { env: upKey });
      const text = fileOf([modelOf(101, 'a', priced(25)), modelOf(undefined, 'b')]);
      const added = ['added provider up', 'added model 101 up/a', 'added model 1000 up/b'];
      expect((await catalogue.apply(text, { dryRun: true })).map(formatChange)).toEqual(added);
      expect(idsOf(catalogue)).toEqual([1, 2]);
      expect(await applied(catalogue, text)).toEqual(added);
      expect(idsOf(catalogue)).toEqual([1, 2, 101, 1000]);
      const before = catalogue.show();
      expect(await applied(catalogue, text)).toEqual([]);
      expect(
        await openCatalogue(database.db, { env: upKey }).then((again) => again.show()),
      ).toEqual(before);
      expect(catalogue.get(101)).toMatchObject({
        provider: 'up',
        model: 'a',
        price: { inputTokens: 25_000_000, outputTokens: 2_000_000, inputFix: 0, outputFix: 0 },
      });
      expect(catalogue.get(1000)).toMatchObject({ price: null, view: { priced: false } });

      const changed = text.replace('rub: 25', 'rub: 30').replace(':9/', ':8/');
      expect(await applied(catalogue, changed)).toEqual([
        'changed provider up: base_url http://127.0.0.1:9/v1 -> http://127.0.0.1:8/v1',
        'changed model 101 up/a: cost_input_tokens_rub 25 -> 30',
      ]);
    });

    test('keeps every version unchanged', async () => {
      await using database = await openTestDatabase(dialect);
      const catalogue = await openCatalogue(database.db, { env: upKey });
      const versions: number[] = [];
      for (const input of [25, 30, 25]) {
        await catalogue.apply(fileOf([modelOf(101, 'a', priced(input)), modelOf(102, 'b')]));
        versions.push(catalogue.get(101)?.versionId ?? 0);
      }
      expect(new Set(versions).size).toBe(3);
      const other = catalogue.get(102)?.versionId;
      await catalogue.apply('models: []');
      expect(idsOf(catalogue)).toEqual([1, 2]);

      const fresh = await openCatalogue(database.db, { env: upKey });
      const prices = await Promise.all(versions.map((id) => fresh.version(id)));
      expect(prices.map(({ price }) => price?.inputTokens)).toEqual([
        25_000_000, 30_000_000, 25_000_000,
      ]);
      expect(await fresh.versionView(versions[1] ?? 0)).toMatchObject({
        id: 101,
        code: 'up',
        cost_input_tokens_rub: 30,
      });
      expect(await rejectionOf(fresh.version(999_999))).toMatchObject({ code: 'not_found' });

      // A model that returns unchanged keeps its id and version.
      expect(
        await applied(catalogue, fileOf([modelOf(undefined, 'b'), modelOf(101, 'a', priced(25))])),
      ).toEqual(['returned provider up', 'returned model 102 up/b', 'returned model 101 up/a']);
      expect(catalogue.get(102)?.versionId).toBe(other ?? 0);
      expect(catalogue.get(101)?.versionId).toBe(versions[2] ?? 0);
    });

    test('keeps the current and the just replaced versions in memory', async () => {
      await using database = await openTestDatabase(dialect);
      const { db } = database;
      await (
        await openCatalogue(db, { env: upKey })
      ).apply(fileOf([modelOf(101, 'a', priced(25))]));
      const catalogue = await openCatalogue(db, { env: upKey });
      const first = catalogue.get(101);
      expect(catalogue.versionView(first?.versionId ?? 0)).toEqual(
        first?.view ?? expect.anything(),
      );
      await catalogue.apply(fileOf([modelOf(101, 'a', priced(30))]));
      const second = catalogue.get(101);
      expect(second?.view).toMatchObject({ cost_input_tokens_rub: 30 });
      for (const model of [first, second]) {
        const logged = catalogue.versionView(model?.versionId ?? 0);
        expect(logged).toEqual(model?.view ?? expect.anything());
        expect(await catalogue.version(model?.versionId ?? 0)).toEqual(
          await (await openCatalogue(db, { env: upKey })).version(model?.versionId ?? 0),
        );
      }
    });

    test('never assigns an id twice', async () => {
      await using database = await openTestDatabase(dialect);
      const catalogue = await openCatalogue(database.db, { env: upKey });
      await catalogue.apply(fileOf([modelOf(undefined, 'a'), modelOf(2000, 'b')]));
      await catalogue.apply(fileOf([modelOf(undefined, 'c')]));
      await catalogue.apply(fileOf([modelOf(undefined, 'd'), modelOf(undefined, 'a')]));
      expect(catalogue.list().map(({ id, model }) => [id, model])).toEqual([
        [1, 'sandbox-text'],
        [2, 'sandbox-image'],
        [2001, 'a'],
        [2003, 'd'],
      ]);
      const swapped = [modelOf(2001, 'd'), modelOf(undefined, 'a')];
      const retyped = modelOf(2003, 'c').replace('TEXT', 'IMAGE');
      expect(await rejectionOf(catalogue.apply(fileOf([...swapped, retyped])))).toMatchObject({
        code: 'invalid_request',
        details: [
          {
            path: 'models[1]',
            message: expect.stringMatching(/^line 9: .* id 2001, which line 8/),
          },
          { path: 'models[2].id', message: expect.stringContaining('line 10: the id 2003') },
        ],
      });
      // Naming the id that a model already has is not a change.
      const written = fileOf([modelOf(2003, 'd'), modelOf(2001, 'a')]);
      expect(await applied(catalogue, written)).toEqual([]);
    });

    test('keeps an id for its type, even while retired; a newer model may reuse it', async () => {
      await using database = await openTestDatabase(dialect);
      const catalogue = await openCatalogue(database.db, { env: upKey });
      await catalogue.apply(fileOf([modelOf(201, 'a'), modelOf(202, 'b')]));
      await catalogue.apply(fileOf([modelOf(201, 'a')]));
      const before = catalogue.show();
      const retyped = [modelOf(201, 'a'), modelOf(202, 'b')].map((text) =>
        text.replace('TEXT', 'IMAGE'),
      );
      expect(await rejectionOf(catalogue.apply(fileOf(retyped)))).toMatchObject({
        code: 'invalid_request',
        details: [
          {
            path: 'models[0].id',
            message:
              'line 8: the id 201 belongs to a model of type TEXT, which cannot change: give this model a new id, or none',
          },
          { path: 'models[1].id', message: expect.stringContaining('line 9: the id 202 belongs') },
        ],
      });
      expect(catalogue.show()).toEqual(before);
      await catalogue.apply(fileOf([modelOf(201, 'newer')]));
      expect(catalogue.get(201)?.model).toBe('newer');
    });

    test('changes all or nothing', async () => {
      await using database = await openTestDatabase(dialect);
      const catalogue = await openCatalogue(database.db, { env: upKey });
      await catalogue.apply(fileOf([modelOf(101, 'a', priced(25))]));
      const before = catalogue.show();
      const bad = fileOf([modelOf(102, 'b'), modelOf(103, 'c', ', cost_input_fix_rub: -1')]);
      expect(await rejectionOf(catalogue.apply(bad))).toMatchObject({
        code: 'invalid_request',
        details: [
          { path: 'models[1].cost_input_fix_rub', message: 'line 9: must not be negative' },
        ],
      });
      expect((await openCatalogue(database.db, { env: upKey })).show()).toEqual(before);

      // A failure in the middle of writing leaves nothing behind either.
      const secrets = SecretBox.create('a secret of the server, 32 bytes long', 'catalogue');
      secrets.seal = () => {
        throw new Error('no more entropy');
      };
      const failing = await openCatalogue(database.db, { env: upKey, secrets });
      const text =
        'providers: { first: { kind: openai }, second: { kind: openai, api_key: sk-1 } }\nmodels: []';
      expect(String(await rejectionOf(failing.apply(text)))).toContain('no more entropy');
      expect((await openCatalogue(database.db, { env: upKey })).show()).toEqual(before);
      expect(await database.db.query("SELECT code FROM providers WHERE code = 'first'")).toEqual(
        [],
      );
    });

    test('applies a change of fallbacks without a new version', async () => {
      await using database = await openTestDatabase(dialect);
      const catalogue = await openCatalogue(database.db, { env: upKey });
      await catalogue.apply(fileOf([modelOf(101, 'a'), modelOf(102, 'b')]));
      const version = catalogue.get(101)?.versionId;
      const falling = fileOf([modelOf(101, 'a', ', fallbacks: [102, 1]'), modelOf(102, 'b')]);
      expect(await applied(catalogue, falling)).toEqual([
        'changed model 101 up/a: fallbacks (none) -> "102 1"',
      ]);
      expect(catalogue.get(101)).toMatchObject({ fallbacks: [102, 1], versionId: version });
    });

    test('moves a model to another provider under its id', async () => {
      await using database = await openTestDatabase(dialect);
      const catalogue = await openCatalogue(database.db, { env: upKey });
      await catalogue.apply(fileOf([modelOf(101, 'a')]));
      const moved = fileOf([modelOf(101, 'a').replace('provider: up', 'provider: sandbox')]);
      expect(await applied(catalogue, moved)).toEqual([
        'changed model 101 sandbox/a: provider up -> sandbox',
      ]);
      expect(catalogue.get(101)?.provider).toBe('sandbox');
    });

    test('enables and disables the sandbox, also for the next start', async () => {
      await using database = await openTestDatabase(dialect);
      const catalogue = await openCatalogue(database.db, { env: upKey });
      expect(await applied(catalogue, 'sandbox: off\nmodels: []')).toEqual([
        'changed catalogue: sandbox (none) -> off',
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

    test('lets a file define the sandbox provider', async () => {
      await using database = await openTestDatabase(dialect);
      const catalogue = await openCatalogue(database.db);
      const text = 'providers: { sandbox: { kind: sandbox, timeout_seconds: 5 } }\nmodels: []';
      expect(await applied(catalogue, text)).toEqual([
        'changed provider sandbox: timeout_seconds 120 -> 5',
      ]);
      const again = await openCatalogue(database.db);
      expect(again.providerSetup('sandbox')?.timeoutSeconds).toBe(5);
      expect(idsOf(again)).toEqual([1, 2]);
      await again.apply('models: []');
      expect(again.providerSetup('sandbox')?.timeoutSeconds).toBe(120);
    });

    test('applies a newer version of a built-in model', async () => {
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

    test('with duplicate aliases from an earlier version works, and a start warns of it', async () => {
      await using database = await openTestDatabase(dialect);
      const { db } = database;
      const alias = (name: string) => `, model_alias: ${name}`;
      const models = [modelOf(101, 'a', alias('mini')), modelOf(102, 'b', alias('other'))];
      await (await openCatalogue(db)).apply(fileOf(models));
      const logged: LogLine[] = [];
      const warnings = async () => {
        logged.length = 0;
        await using _ = await openGateway(dialect, { database, log: recordingLog(logged) });
        return logged.flatMap((line) => line['names'] ?? []);
      };
      expect(await warnings()).toEqual([]);
      await db.transaction(async (tx) => {
        await tx.query(
          `INSERT INTO model_versions (id, model_id, snapshot, valid_from)
           SELECT 900, model_id, REPLACE(snapshot, '"other"', '"mini"'), valid_from
           FROM model_versions WHERE model_id = 102`,
        );
        await tx.query('UPDATE models SET version_id = 900 WHERE id = 102');
      });
      expect(idsOf(await openCatalogue(db))).toEqual([1, 2, 101, 102]);
      expect(await warnings()).toEqual(['mini']);
    });

    test('warns at start of two models with one name', async () => {
      await using database = await openTestDatabase(dialect);
      const catalogue = await openCatalogue(database.db);
      const logged: LogLine[] = [];
      const warnings = async (...models: string[]) => {
        await catalogue.apply(fileOf(models));
        logged.length = 0;
        await using _ = await openGateway(dialect, { database, log: recordingLog(logged) });
        return logged.flatMap((line) => line['names'] ?? []);
      };
      expect(await warnings(modelOf(101, 'a'), modelOf(102, 'a'))).toEqual(['up/a']);
      expect(await warnings(modelOf(101, 'a'), modelOf(102, 'a', ', model_alias: b'))).toEqual([]);
    });
  });
}
