/** The catalogue, shown and applied by admins. */
import { describe, expect, test } from 'bun:test';
import { dialects } from '../support/databases.ts';
import { openGateway } from '../support/gateway.ts';

const fileOf = (price: number, key = 'sk-very-secret') => `
providers:
  up: { kind: openai, base_url: 'http://127.0.0.1:9/v1', api_key: '${key}' }
models:
  - { id: 150, provider: up, model: big, type: TEXT, max_input_tokens: 1000,
      max_output_tokens: 500, cost_input_tokens_rub: ${price}, cost_output_tokens_rub: 2 }
`;

interface Applied {
  dry_run: boolean;
  revision: number;
  changes: { kind: string; subject: string; fields: object[]; text: string }[];
  warnings: string[];
}

interface Shown {
  revision: number;
  providers: { code: string; api_key: string | null }[];
  models: { id: number; cost_input_tokens_rub: number }[];
}

for (const dialect of dialects) {
  describe(`${dialect}: admin catalogue`, () => {
    test('is applied, shown without secrets, and used at once', async () => {
      await using gateway = await openGateway(dialect);
      const admin = await gateway.addUser({ isAdmin: true });
      const apply = (yaml: string, more: object = {}) =>
        gateway.data<Applied>('/admin/catalogue/apply/', { yaml, ...more }, admin);
      const showCatalogue = () => gateway.data<Shown>('/admin/catalogue/', {}, admin);

      const dry = await apply(fileOf(1), { dry_run: true });
      expect(dry).toMatchObject({ dry_run: true, warnings: [] });
      expect((await showCatalogue()).models.map(({ id }) => id)).toEqual([1, 2]);
      const applied = await apply(fileOf(1));
      expect(applied).toEqual({ ...dry, dry_run: false, revision: dry.revision + 1 });
      expect(applied.changes.map(({ kind, subject }) => `${kind} ${subject}`)).toEqual([
        'added provider up',
        'added model 150 up/big',
      ]);
      expect((await apply(fileOf(1))).changes).toEqual([]);
      const repriced = await apply(fileOf(1.5));
      expect(repriced.changes).toEqual([
        {
          kind: 'changed',
          subject: 'model 150 up/big',
          fields: [{ field: 'cost_input_tokens_rub', from: 1, to: 1.5 }],
          text: 'changed model 150 up/big: cost_input_tokens_rub 1 -> 1.5',
        },
      ]);
      const shown = await showCatalogue();
      expect(shown.models.find(({ id }) => id === 150)).toMatchObject({
        cost_input_tokens_rub: 1.5,
        origin: 'file',
        fallbacks: [],
      });
      expect(shown.providers.find(({ code }) => code === 'up')?.api_key).toBe('(set)');
      expect(JSON.stringify([shown, applied])).not.toContain('sk-very-secret');
      const { token } = await gateway.addUser();
      const { ai } = await gateway.data<{ ai: { id: number }[] }>('/ai/settings/', {}, { token });
      expect(ai.map(({ id }) => id)).toEqual([150]);
    });

    test('refuses an invalid file as a whole, with the line of each problem', async () => {
      await using gateway = await openGateway(dialect);
      const admin = await gateway.addUser({ isAdmin: true });
      const before = await gateway.data<Shown>('/admin/catalogue/', {}, admin);
      for (const yaml of [fileOf(-1), 'models: [', fileOf(1, '${ZASTAVA_SECRET}')]) {
        const { status, body } = await gateway.post('/admin/catalogue/apply/', { yaml }, admin);
        expect([status, body.error?.code]).toEqual([422, 'invalid_request']);
        expect(body.error?.details?.[0]?.message).toMatch(/^line \d+: /);
      }
      expect(await gateway.code('/admin/catalogue/apply/', {}, admin)).toBe('invalid_request');
      expect(await gateway.data<Shown>('/admin/catalogue/', {}, admin)).toEqual(before);
    });

    test('has problems, warnings and changes in Russian for callers who prefer it', async () => {
      await using gateway = await openGateway(dialect);
      const { token } = await gateway.addUser({ isAdmin: true });
      const headers = { 'accept-language': 'ru-RU,ru;q=0.9,en;q=0.8' };
      const apply = (body: object) =>
        gateway.post('/admin/catalogue/apply/', body, { token, headers });
      const { body } = await apply({ yaml: fileOf(-1) });
      expect(body.error?.message).toStartWith('каталог отклонён: строка ');
      expect(body.error?.details).toEqual([
        {
          path: 'models[0].cost_input_tokens_rub',
          message: 'строка 6: не должно быть отрицательным',
        },
      ]);
      await gateway.core.catalogue.apply(fileOf(1, '${NOT_HERE}'));
      const { body: dry } = await apply({ yaml: fileOf(2, '${NOT_HERE}'), dry_run: true });
      const { changes, warnings } = dry.data as Applied;
      expect(changes.map(({ subject }) => subject)).toEqual(['модель 150 up/big']);
      expect(warnings).toEqual([expect.stringContaining('NOT_HERE не задана')]);
    });

    test('warns of a variable that is not set on this server', async () => {
      await using gateway = await openGateway(dialect, { env: { HERE: 'sk-here' } });
      const admin = await gateway.addUser({ isAdmin: true });
      const apply = (key: string, more: object = {}) =>
        gateway.data<Applied>('/admin/catalogue/apply/', { yaml: fileOf(1, key), ...more }, admin);
      await gateway.core.catalogue.apply(fileOf(1, '${HERE}${NOT_HERE}'));
      expect((await apply('${HERE}')).warnings).toEqual([]);
      const dry = await apply('${NOT_HERE}', { dry_run: true });
      expect(dry.warnings).toEqual([expect.stringContaining('NOT_HERE is not set')]);
      expect((await apply('${HERE}', { dry_run: true })).warnings).toEqual([]);
      expect((await apply('${NOT_HERE}')).warnings).toEqual(dry.warnings);
      const { providers } = await gateway.data<Shown>('/admin/catalogue/', {}, admin);
      expect(providers.find(({ code }) => code === 'up')?.api_key).toBe('${NOT_HERE}');
    });
  });
}
