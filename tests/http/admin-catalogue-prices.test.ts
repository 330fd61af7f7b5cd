/** One model's price, its versions, and the catalogue file in effect. */
import { describe, expect, test } from 'bun:test';
import { dialects } from '../support/databases.ts';
import { openGateway } from '../support/gateway.ts';

const SECRET = 'sk-very-secret';

const file = `
providers:
  up: { kind: openai, base_url: 'http://127.0.0.1:9/v1', api_key: '${SECRET}', headers: { X-Own: 'own-secret' } }
  many: { kind: openai, api_keys: [{ key: '\${KEY_A}', weight: 3 }, { key: '${SECRET}2' }], timeout_seconds: 7 }
models:
  - { id: 150, provider: up, model: big, type: TEXT, max_input_tokens: 1000, max_output_tokens: 500,
      cost_input_tokens_rub: 1, cost_output_tokens_rub: 2, fallbacks: [151] }
  - { id: 151, provider: many, model: small, type: TEXT, max_input_tokens: 1000, max_output_tokens: 500,
      model_alias: tiny, cost_input_tokens_rub: 0.5, cost_output_tokens_rub: 2 }
`;

interface Changed {
  revision: number;
  changes: { text: string; fields: object[] }[];
}

interface Versions {
  origin: string | null;
  versions: {
    version: number;
    valid_from: number;
    model: Record<string, unknown>;
    fields: object[];
  }[];
}

for (const dialect of dialects) {
  describe(`${dialect}: one model's price`, () => {
    async function open() {
      const gateway = await openGateway(dialect, { catalogue: file, env: { KEY_A: 'a' } });
      const admin = await gateway.addUser({ isAdmin: true });
      const post = <T>(name: string, body: object) =>
        gateway.data<T>(`/admin/catalogue/${name}`, body, admin);
      const refusal = async (name: string, body: object) =>
        (await gateway.post(`/admin/catalogue/${name}`, body, admin)).body.error;
      const dispose = () => gateway[Symbol.asyncDispose]();
      return { gateway, admin, post, refusal, [Symbol.asyncDispose]: dispose };
    }

    test('is shown first, then set, and creates a dated version', async () => {
      await using world = await open();
      const { post } = world;
      const body = { id: 150, price: { cost_input_tokens_rub: '1.25', cost_output_tokens_rub: 2 } };
      const dry = await post<Changed>('price/', { ...body, dry_run: true });
      expect(dry.changes.map(({ text }) => text)).toEqual([
        'changed model 150 up/big: cost_input_tokens_rub 1 -> 1.25',
      ]);
      const priceNow = () => world.gateway.core.catalogue.get(150)?.price?.inputTokens;
      expect(priceNow()).toBe(1_000_000);
      const set = await post<Changed>('price/', { ...body, revision: dry.revision });
      expect(set.changes).toEqual(dry.changes);
      expect(set.revision).toBe(dry.revision + 1);
      expect(priceNow()).toBe(1_250_000);
      const { origin, versions } = await post<Versions>('versions/', { id: 150 });
      expect(origin).toBe('file');
      expect(versions.map(({ fields }) => fields)).toEqual([
        [{ field: 'cost_input_tokens_rub', from: 1, to: 1.25 }],
        [],
      ]);
      expect(versions[0]?.model).toMatchObject({ id: 150, cost_input_tokens_rub: 1.25 });
      const [newest, oldest] = versions;
      const page = await post<Versions>('versions/', { id: 150, limit: 1 });
      expect(page.versions).toEqual(newest ? [newest] : []);
      const rest = await post<Versions>('versions/', { id: 150, before: newest?.version });
      expect(rest.versions).toEqual(oldest ? [oldest] : []);
      expect(await post<Versions>('versions/', { id: 999 })).toEqual({
        origin: null,
        versions: [],
      });
    });

    test('can be removed, so that the model is for admins', async () => {
      await using world = await open();
      await world.post('price/', { id: 150, price: null });
      expect(world.gateway.core.catalogue.get(150)?.adminsOnly).toBe(true);
    });

    test('is refused for wrong amounts, the sandbox, unknown models, and a changed catalogue', async () => {
      await using world = await open();
      const { refusal, post } = world;
      const price = { cost_input_tokens_rub: 3, cost_output_tokens_rub: 3 };
      expect(await refusal('price/', { id: 999, price })).toMatchObject({
        code: 'model_not_found',
      });
      expect(await refusal('price/', { id: 1, price })).toMatchObject({ code: 'invalid_request' });
      expect((await post<Versions>('versions/', { id: 1 })).origin).toBe('builtin');
      const negative = { ...price, cost_output_tokens_rub: '-1' };
      expect((await refusal('price/', { id: 150, price: negative }))?.details).toMatchObject([
        { path: 'price.cost_output_tokens_rub' },
      ]);
      const tooFine = { ...price, cost_input_tokens_rub: '0.0000001' };
      expect((await refusal('price/', { id: 150, price: tooFine }))?.details).toMatchObject([
        { path: 'price.cost_input_tokens_rub' },
      ]);
      const mistyped = { cost_inputs_rub: 1 };
      expect(await refusal('price/', { id: 150, price: mistyped })).toMatchObject({
        code: 'invalid_request',
      });
      const { revision } = await post<Changed>('price/', { id: 150, price, dry_run: true });
      await post('price/', { id: 151, price });
      for (const [name, body] of [
        ['price/', { id: 150, price }],
        ['apply/', { yaml: 'models: []' }],
        [
          'import/',
          { list: { x: { litellm_provider: 'openai', mode: 'chat' } }, usd_rate: 1, apply: true },
        ],
      ] as const) {
        expect((await refusal(name, { ...body, revision }))?.message).toContain(
          'the catalogue has changed in the meantime',
        );
      }
      expect(world.gateway.core.catalogue.get(150)?.price?.inputTokens).toBe(1_000_000);
    });
  });

  describe(`${dialect}: the catalogue file in effect`, () => {
    test('has no secrets, and applied again changes nothing', async () => {
      await using gateway = await openGateway(dialect, { catalogue: file, env: { KEY_A: 'a' } });
      const admin = await gateway.addUser({ isAdmin: true });
      const { yaml } = await gateway.data<{ yaml: string }>('/admin/catalogue/yaml/', {}, admin);
      expect(yaml).not.toContain('secret');
      expect(yaml).toContain('${KEY_A}');
      const apply = (text: string) =>
        gateway.data<Changed>('/admin/catalogue/apply/', { yaml: text }, admin);
      expect((await apply(yaml)).changes).toEqual([]);
      const [change] = (await apply(yaml.replace('timeout_seconds: 7', 'timeout_seconds: 8')))
        .changes;
      expect(change?.text).toBe('changed provider many: timeout_seconds 7 -> 8');
      const { catalogue } = gateway.core;
      expect(catalogue.providerSetup('up')).toMatchObject({
        apiKey: SECRET,
        headers: { 'x-own': 'own-secret' },
      });
      expect(catalogue.providerSetup('many')?.routing?.keys).toEqual([
        { key: 'a', weight: 3 },
        { key: `${SECRET}2`, weight: 1 },
      ]);
    });

    test('comes with an example that can be applied, with a variable or with the key itself', async () => {
      await using gateway = await openGateway(dialect, { env: { OPENAI_API_KEY: 'k' } });
      const admin = await gateway.addUser({ isAdmin: true });
      const post = <T>(name: string, body: object) =>
        gateway.data<T>(`/admin/catalogue/${name}`, body, admin);
      const { example } = await post<{ example: string }>('yaml/', {});
      expect(example).toContain('api_key: ${OPENAI_API_KEY}');
      for (const yaml of [example, example.replace('${OPENAI_API_KEY}', SECRET)]) {
        const dry = await post<Changed & { warnings: string[] }>('apply/', { yaml, dry_run: true });
        expect(dry.warnings).toEqual([]);
        expect(dry.changes.map(({ text }) => text.split(':')[0])).toContain(
          'added model 101 openai/gpt-5-mini',
        );
      }
    });

    test('does not send a stored key to another address', async () => {
      await using gateway = await openGateway(dialect, { catalogue: file, env: { KEY_A: 'a' } });
      const admin = await gateway.addUser({ isAdmin: true });
      const { yaml } = await gateway.data<{ yaml: string }>('/admin/catalogue/yaml/', {}, admin);
      const moved = yaml.replace('http://127.0.0.1:9/v1', 'http://stranger.example/v1');
      const renamed = yaml.replace('  up:', '  down:').replace('provider: up', 'provider: down');
      for (const text of [moved, renamed]) {
        for (const dry_run of [true, false]) {
          const { body } = await gateway.post(
            '/admin/catalogue/apply/',
            { yaml: text, dry_run },
            admin,
          );
          expect(body.error?.code).toBe('invalid_request');
          expect(body.error?.details?.[0]?.path).toMatch(/^providers\.(up|down)\.api_key$/);
        }
      }
      expect(gateway.core.catalogue.providerSetup('up')?.baseUrl).toBe('http://127.0.0.1:9/v1');
    });
  });
}
