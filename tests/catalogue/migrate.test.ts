/** Catalogue files from the configurations of other gateways. */
import { describe, expect, test } from 'bun:test';
import { parse } from 'yaml';
import { sandboxModels } from '../../src/catalogue/index.ts';
import { parseCatalogue } from '../../src/catalogue/file.ts';
import { readPriceList } from '../../src/catalogue/import/read-list.ts';
import {
  migrate,
  migrateText,
  migrationSources,
  type MigrationSource,
} from '../../src/catalogue/migrate/migrate.ts';
import { providerKinds, providerOptions } from '../../src/providers/index.ts';
import { refusalOf } from './fixtures.ts';

const known = { kinds: providerKinds, options: providerOptions, builtin: [sandboxModels] };
const read = (name: string) => Bun.file(`${import.meta.dir}/../fixtures/migrate/${name}`).text();

/** A price list in LiteLLM's format that has one model at several providers. */
const facts = {
  mode: 'chat',
  max_input_tokens: 100_000,
  max_output_tokens: 4_000,
  input_cost_per_token: 1e-6,
  output_cost_per_token: 2e-6,
};
const today = '2026-11-23';
const listed = Object.fromEntries(
  ['openai', 'deepseek', 'groq'].map((name) => [
    `${name}/plain`,
    { ...facts, litellm_provider: name },
  ]),
);
const list = readPriceList(JSON.stringify(listed), today);

async function migrated(source: MigrationSource, file: string, usdRate?: string) {
  const drafts = migrationSources[source](await read(file));
  const { text, rows } = migrate(drafts, known, { usdRate, markup: '0', list, today });
  const catalogue = parse(text) as {
    providers: Record<string, Record<string, unknown>>;
    models: Record<string, unknown>[];
  };
  // The resulting file can be applied.
  expect(parseCatalogue(text, known).models).toHaveLength(catalogue.models.length);
  const refused = Object.fromEntries(
    rows.flatMap(({ name, reason }) => (reason === undefined ? [] : [[name, reason]])),
  );
  return { ...catalogue, rows, refused };
}

describe("LiteLLM's model_list", () => {
  test('becomes providers and models, with the prices of the rows and of the list', async () => {
    const { providers, models, rows } = await migrated(
      'litellm-config',
      'litellm-config.yaml',
      '100',
    );
    expect(providers).toEqual({
      azure: {
        kind: 'openai',
        base_url: 'https://eu.openai.azure.com/',
        api_key: '${AZURE_EU_KEY}',
        options: { api_version: '2024-10-21' },
      },
      'azure-2': {
        kind: 'openai',
        base_url: 'https://ca.openai.azure.com/',
        api_key: '${AZURE_CA_KEY}',
        options: { api_version: '2024-10-21' },
      },
      openai: {
        kind: 'openai',
        api_key: '${OPENAI_API_KEY}',
        headers: { 'OpenAI-Organization': '${ORG}' },
      },
      'hosted-vllm': {
        kind: 'openai',
        base_url: 'http://10.0.0.7:8000/v1',
        api_key: 'sk-in-clear',
        timeout_seconds: 90,
        headers: { 'X-Team': '${TEAM}' },
        extra_body: { chat_template_kwargs: { enable_thinking: false } },
      },
      ollama: {
        kind: 'openai',
        base_url: 'http://gpu:11434/v1',
        options: { server: 'ollama' },
      },
    });
    const limits = { max_input_tokens: 128_000, max_output_tokens: 16_384 };
    expect(models).toMatchObject([
      {
        id: 100,
        provider: 'azure',
        model: 'gpt-4o-eu',
        model_alias: 'gpt-4o',
        ...limits,
        fallbacks: [101],
      },
      { id: 101, provider: 'azure-2', model: 'gpt-4o-ca', ...limits },
      {
        model_alias: 'plain',
        max_input_tokens: 100_000,
        max_output_tokens: 4_000,
        cost_input_tokens_rub: 100,
        cost_output_tokens_rub: 200,
      },
      { model_alias: 'house', cost_input_tokens_rub: 10, cost_output_tokens_rub: 40 },
      { model_alias: 'vectors', modality: 'embedding', max_input_tokens: 2_048 },
    ]);
    expect(models[1]).not.toHaveProperty('model_alias');
    expect(rows[0]).toMatchObject({
      outcome: 'taken',
      note: 'not taken: rpm; it has no price, so it is for admins only',
    });
  });

  const yamlOf = (text: string) => {
    const prices = {
      'azure/plain': { ...facts, litellm_provider: 'azure' },
      vectors: { ...facts, mode: 'embedding', litellm_provider: 'openai' },
      plain: { ...facts, litellm_provider: 'openai' },
    };
    const options = { usdRate: '100', markup: '0', today, list: JSON.stringify(prices) };
    const made = migrateText('litellm-config', text, known, options);
    expect(parseCatalogue(made.text, known).models.length).toBeGreaterThan(0);
    return { ...made, models: (parse(made.text) as { models: object[] }).models };
  };

  test("takes limits and prices from the list's row that it names", () => {
    const { models } = yamlOf(`
model_list:
  - model_name: ours
    litellm_params: { model: azure/eu-7, api_base: https://eu.openai.azure.com, api_key: k }
    model_info: { base_model: azure/plain }`);
    expect(models).toMatchObject([{ max_input_tokens: 100_000, cost_input_tokens_rub: 100 }]);
  });

  test('takes the purpose of a model without a mode from the list', () => {
    const { models } = yamlOf(
      'model_list: [{ model_name: v, litellm_params: { model: openai/vectors } }]',
    );
    expect(models).toMatchObject([{ model: 'vectors', modality: 'embedding' }]);
    expect(models[0]).not.toHaveProperty('max_output_tokens');
  });

  test('gets its fallbacks, and a report of other routing rules', () => {
    const { models, rows } = yamlOf(`
model_list:
  - { model_name: a, litellm_params: { model: openai/plain } }
  - { model_name: b, litellm_params: { model: openai/plain, api_base: https://b.example/v1 },
      model_info: { max_input_tokens: 9, max_output_tokens: 9, input_cost_per_token: 1e-6,
        output_cost_per_token: 1e-6 } }
  - { model_name: v, litellm_params: { model: openai/vectors } }
litellm_settings: { fallbacks: [{ a: [b, v] }, { b: [nobody] }], default_fallbacks: [a] }
router_settings: { model_group_alias: { c: a } }`);
    expect(models).toMatchObject([{ fallbacks: [101] }, { id: 101 }, {}]);
    // Only a fallback needs an id.
    expect(models[2]).not.toHaveProperty('id');
    expect(rows.slice(3)).toEqual([
      {
        name: 'litellm_settings.fallbacks a',
        outcome: 'taken',
        note: expect.stringMatching(/^not taken: v: .*of another modality/),
      },
      {
        name: 'litellm_settings.fallbacks b',
        outcome: 'refused',
        reason: 'nobody: no model of that name was taken',
      },
      {
        name: 'litellm_settings.default_fallbacks',
        outcome: 'refused',
        reason: 'it has no counterpart here',
      },
      {
        name: 'router_settings.model_group_alias',
        outcome: 'refused',
        reason: 'it has no counterpart here',
      },
    ]);
  });

  test('has its other rows refused by name', async () => {
    const { refused } = await migrated('litellm-config', 'litellm-config.yaml');
    expect(refused).toEqual({
      'model_list[5] sonnet': expect.stringContaining('kind ai-sdk'),
      'model_list[6] *': 'a wildcard names no model',
      'model_list[7] bare': expect.stringContaining('its model has no provider'),
      'model_list[8] speech': 'its mode audio_speech is not served here',
      'model_list[9] unknown': expect.stringContaining('its limits are unknown'),
      'model_list[10] many': expect.stringContaining('extra_body.n'),
    });
  });

  test('is not found in another file', () => {
    const readConfig = migrationSources['litellm-config'];
    expect(refusalOf(() => readConfig('models: []')).message).toContain('no model_list');
    const none = () =>
      migrate(readConfig('model_list: [{}]'), known, {
        usdRate: undefined,
        markup: '0',
        list,
        today,
      });
    expect(refusalOf(none).message).toBe('no row can be taken');
  });
});

describe('the channels', () => {
  test('of new-api become providers; unsuitable ones are refused by name', async () => {
    const { providers, models, refused } = await migrated('new-api', 'new-api.json', '100');
    expect(providers).toEqual({
      openai: {
        kind: 'openai',
        base_url: 'https://api.openai.com/v1',
        api_keys: [{ key: 'sk-a' }, { key: 'sk-b' }],
        headers: { 'OpenAI-Organization': 'org-1', 'X-Team': 'a' },
        extra_body: { service_tier: 'flex' },
      },
      deepseek: {
        kind: 'openai',
        base_url: 'https://api.deepseek.com/v1',
        api_key: '${CHANNEL_3_KEY}',
      },
    });
    expect(models).toMatchObject([
      {
        id: 100,
        provider: 'openai',
        model_alias: 'plain',
        cost_input_tokens_rub: 100,
        fallbacks: [101],
      },
      { id: 101, provider: 'deepseek', model: 'plain' },
    ]);
    expect(refused).toEqual({
      'channel 1 main: gpt-image-2': expect.stringContaining('does not write texts'),
      'channel 2 azure: asked': expect.stringContaining('its limits are unknown'),
      'channel 4 aws': 'its type 33 is not served here',
      'channel 5 off': 'it is disabled',
      'channel 6 operations': 'its param_override has operations',
    });
  });

  test('of one-api have their own type numbers', async () => {
    const drafts = migrationSources['new-api'](await read('one-api.json'));
    expect(drafts).toMatchObject([
      { code: 'groq', provider: { base_url: 'https://api.groq.com/openai/v1', api_key: 'gsk-1' } },
      { provider: { base_url: 'http://10.0.0.7:8000/v1' }, left: ['system_prompt'] },
    ]);
  });

  test('are not found in another file', () => {
    for (const text of ['', '{}', '[]', '[{"id": 1}]', 'model_list: []']) {
      expect(refusalOf(() => migrationSources['new-api'](text)).message).toContain(
        'list of channels',
      );
    }
  });
});
