/** Prices of a public list, imported by an admin over HTTP. */
import { describe, expect, test } from 'bun:test';
import { listedFile, listedModel, listText } from '../catalogue/price-lists.ts';
import { dialects } from '../support/databases.ts';
import { openGateway, type Gateway } from '../support/gateway.ts';

interface Imported {
  revision: number;
  format: string;
  applied: boolean;
  rows: { outcome: string; model_id: number | null; fields: object[]; text: string }[];
  skipped: number;
  not_listed: { model_id: number; reason: string }[];
}

const path = '/admin/catalogue/import/';
const name = 'plain';
const row = {
  litellm_provider: 'openai',
  mode: 'chat',
  input_cost_per_token: 0.000001,
  output_cost_per_token: 0.000001,
  max_input_tokens: 1000,
  max_output_tokens: 100,
};

async function withModels(gateway: Gateway): Promise<void> {
  await gateway.core.catalogue.apply(
    listedFile([
      listedModel(101, 'openai', name, ', cost_input_tokens_rub: 2, cost_output_tokens_rub: 3'),
      listedModel(102, 'shop', 'of the house'),
    ]),
  );
}

const priceOf = ({ core }: Gateway) => core.catalogue.get(101)?.view.cost_input_tokens_rub;

for (const dialect of dialects) {
  describe(`${dialect}: an import over HTTP`, () => {
    test('shows what would change, and applies it on request', async () => {
      await using gateway = await openGateway(dialect);
      await withModels(gateway);
      const admin = await gateway.addUser({ isAdmin: true });
      const list = JSON.parse(await listText('litellm')) as object;
      const request = { list, usd_rate: '92.5', markup: 20 };
      const shown = await gateway.data<Imported>(path, request, admin);
      expect(shown).toMatchObject({ format: 'LiteLLM', applied: false });
      expect(shown.rows).toMatchObject([{ outcome: 'changed', model_id: 101 }]);
      expect(shown.rows[0]?.text).toStartWith(`changed model 101 openai/${name}: `);
      expect(shown.skipped).toBeGreaterThan(3);
      expect(shown.not_listed).toMatchObject([{ model_id: 102 }]);
      expect(priceOf(gateway)).toBe(2);

      const headers = { 'accept-language': 'ru' };
      const inRussian = await gateway.data<Imported>(path, request, { ...admin, headers });
      expect(inRussian.not_listed[0]?.reason).toStartWith('в списке нет цен поставщика shop');

      const done = await gateway.data<Imported>(path, { ...request, apply: true }, admin);
      expect(done).toEqual({ ...shown, applied: true, revision: shown.revision + 1 });
      expect(priceOf(gateway)).toBe(16.65);
      const again = await gateway.data<Imported>(path, { ...request, apply: true }, admin);
      expect(again.rows).toMatchObject([{ outcome: 'unchanged', fields: [] }]);
    });

    test('maps a provider, limits itself to the named ones, and adds requested models', async () => {
      await using gateway = await openGateway(dialect);
      await withModels(gateway);
      const admin = await gateway.addUser({ isAdmin: true });
      const list = JSON.parse(await listText('models-dev')) as object;
      const wish = { providers: ['shop'], map: { shop: 'openai' }, add: [name], apply: true };
      const { rows } = await gateway.data<Imported>(path, { list, usd_rate: 92.5, ...wish }, admin);
      expect(rows.map(({ outcome }) => outcome)).toEqual(['added']);
      expect(gateway.core.catalogue.get(rows[0]?.model_id ?? 0)).toMatchObject({
        provider: 'shop',
        model: name,
      });
      expect(priceOf(gateway)).toBe(2);
    });

    test('adds at most 2,000 models', async () => {
      await using gateway = await openGateway(dialect);
      await withModels(gateway);
      const admin = await gateway.addUser({ isAdmin: true });
      const rows = Array.from({ length: 2_001 }, (_, at) => [`m${at}`, row] as const);
      const request = {
        list: Object.fromEntries(rows),
        usd_rate: '92.5',
        add: ['m*'],
        apply: true,
      };
      const { body } = await gateway.post(path, request, admin);
      expect(body.error?.details).toMatchObject([{ path: 'add' }]);
    });

    test('names the wrong field, and is for admins only', async () => {
      await using gateway = await openGateway(dialect);
      await withModels(gateway);
      const admin = await gateway.addUser({ isAdmin: true });
      const good = { list: JSON.parse(await listText('litellm')) as object, usd_rate: '92.5' };
      for (const [field, wrong] of [
        ['usd_rate', { usd_rate: '0' }],
        ['usd_rate', { usd_rate: '92,5' }],
        ['usd_rate', { usd_rate: 100_001 }],
        ['usd_rate', { usd_rate: undefined }],
        ['markup', { markup: 10_001 }],
        ['markup', { markup: -1 }],
        ['list', { list: 'https://models.dev/api.json' }],
        ['provider', { providers: ['nobody'] }],
        ['map', { map: { nobody: 'openai' } }],
        ['long_context', { long_context: 'cheap' }],
      ] as const) {
        const { status, body } = await gateway.post(path, { ...good, ...wrong }, admin);
        expect([field, status, body.error?.code]).toEqual([field, 422, 'invalid_request']);
        expect(body.error?.details?.[0]?.path).toBe(field);
      }
      const { body } = await gateway.post(path, { ...good, list: {} }, admin);
      expect(body.error?.message).toContain("the price list can't be read");
      const user = await gateway.addUser({ credit: 10 });
      expect(await gateway.code(path, good, user)).toBe('forbidden');
      expect(await gateway.code(path, good)).toBe('unauthenticated');
      expect(priceOf(gateway)).toBe(2);
    });

    test('accepts a list as large as the public ones', async () => {
      await using gateway = await openGateway(dialect);
      await withModels(gateway);
      const admin = await gateway.addUser({ isAdmin: true });
      const rows = JSON.parse(await listText('litellm')) as Record<string, object>;
      const list = { ...rows, 'made-up': { litellm_provider: 'x', about: 'y'.repeat(6_000_000) } };
      const shown = await gateway.data<Imported>(path, { list, usd_rate: '92.5' }, admin);
      expect(shown.rows).toMatchObject([{ outcome: 'changed' }]);
    });
  });
}
