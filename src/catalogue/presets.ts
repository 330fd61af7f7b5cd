import { MICRO_PER_RUBLE } from '../lib/money.ts';
import { freePrice, type Price } from '../lib/units.ts';
import { typeOf, type Modality } from './modality.ts';
import type { ModelFacts, ModelType } from './model.ts';
import type { Preset, ProviderSet } from './provider-facts.ts';

/**
 * The columns: id, name at the provider, display name, modality, input tokens, output tokens, lowest and highest
 * temperature.
 */
type ModelRow = readonly [number, string, string, Modality, number, number, number, number];

interface PresetRow {
  /** Also the kind, if there is no `baseUrl`. */
  code: string;
  /** The variable with the key. The preset is on while it and the variables of `options` are set. */
  variable: string;
  /** The variable with the value of each option. */
  options?: Readonly<Record<string, string>>;
  /** The address of an OpenAI-compatible server. */
  baseUrl?: string;
  timeoutSeconds?: number;
  models: readonly ModelRow[];
}

/**
 * Common models of well-known providers, with the limits that the providers publish. They have no prices, since the
 * operator sets those; until then only admins may use these models. An id is never reused, even after the provider
 * shuts the model down and its row is deleted. A provider has ten ids (openai 10-19, deepseek 20-29, …); each of the
 * last four has five. Where input and output share a context window, the input limit is the window less the output
 * limit.
 */
const rows: readonly PresetRow[] = [
  {
    code: 'openai',
    variable: 'OPENAI_API_KEY',
    models: [
      // The GPT-5 family only accepts temperature 1.
      [10, 'gpt-5.5', 'GPT-5.5', 'text', 922_000, 128_000, 1, 1],
      [11, 'gpt-5.4-mini', 'GPT-5.4 mini', 'text', 272_000, 128_000, 1, 1],
      [12, 'gpt-5.4-nano', 'GPT-5.4 nano', 'text', 272_000, 128_000, 1, 1],
      // OpenAI shuts it down on 14 January 2027.
      [13, 'gpt-4.1-mini', 'GPT-4.1 mini', 'text', 1_014_808, 32_768, 0, 2],
      [14, 'gpt-image-2', 'GPT Image 2', 'image', 32_000, 16_384, 0, 2],
      [16, 'gpt-6.1-sol', 'GPT-6.1 Sol', 'text', 922_000, 128_000, 1, 1],
      [17, 'gpt-6-astra', 'GPT-6 Astra', 'text', 922_000, 128_000, 1, 1],
      [18, 'gpt-6-luna', 'GPT-6 Luna', 'text', 922_000, 128_000, 1, 1],
      [19, 'text-embedding-3-small', 'Embedding 3 small', 'embedding', 8_192, 1, 0, 2],
    ],
  },
  {
    code: 'deepseek',
    variable: 'DEEPSEEK_API_KEY',
    baseUrl: 'https://api.deepseek.com/v1',
    models: [
      // Since 14 September 2026, the names of both V4 Flash models are served and billed as this one.
      [22, 'deepseek-flash', 'DeepSeek V4.1 Flash', 'text', 744_000, 256_000, 0, 2],
      [23, 'deepseek-v4-pro', 'DeepSeek V4 Pro', 'text', 744_000, 256_000, 0, 2],
    ],
  },
  {
    code: 'openrouter',
    variable: 'OPENROUTER_API_KEY',
    baseUrl: 'https://openrouter.ai/api/v1',
    models: [
      [30, 'openai/gpt-5.4-mini', 'GPT-5.4 mini', 'text', 272_000, 128_000, 1, 1],
      [33, 'deepseek/deepseek-v4-flash', 'DeepSeek V4 Flash', 'text', 744_000, 256_000, 0, 2],
      [34, 'anthropic/claude-sonnet-5.5', 'Claude Sonnet 5.5', 'text', 872_000, 128_000, 1, 1],
      [35, 'google/gemini-3.8-flash', 'Gemini 3.8 Flash', 'text', 983_040, 65_535, 0, 2],
    ],
  },
  {
    code: 'anthropic',
    variable: 'ANTHROPIC_API_KEY',
    models: [
      // Since Claude Opus 4.7 only temperature 1 is accepted.
      [40, 'claude-opus-5-5', 'Claude Opus 5.5', 'text', 872_000, 128_000, 1, 1],
      [41, 'claude-sonnet-5-5', 'Claude Sonnet 5.5', 'text', 872_000, 128_000, 1, 1],
      [42, 'claude-haiku-4-5', 'Claude Haiku 4.5', 'text', 136_000, 64_000, 0, 1],
      [43, 'claude-haiku-5-5', 'Claude Haiku 5.5', 'text', 872_000, 128_000, 1, 1],
    ],
  },
  {
    code: 'gemini',
    variable: 'GEMINI_API_KEY',
    models: [
      [50, 'gemini-3.8-flash', 'Gemini 3.8 Flash', 'text', 1_048_576, 65_536, 0, 2],
      [51, 'gemini-3.1-pro-preview', 'Gemini 3.1 Pro', 'text', 1_048_576, 65_536, 0, 2],
      [52, 'gemini-3.1-flash-image', 'Gemini 3.1 Flash Image', 'image', 32_768, 32_768, 0, 2],
      [53, 'gemini-embedding-001', 'Gemini Embedding', 'embedding', 2_048, 1, 0, 2],
    ],
  },
  {
    code: 'gigachat',
    variable: 'GIGACHAT_CREDENTIALS',
    models: [
      [60, 'GigaChat-2', 'GigaChat 2 Lite', 'text', 122_880, 8_192, 0, 2],
      [61, 'GigaChat-2-Pro', 'GigaChat 2 Pro', 'text', 122_880, 8_192, 0, 2],
      [62, 'GigaChat-2-Max', 'GigaChat 2 Max', 'text', 122_880, 8_192, 0, 2],
      [63, 'GigaChat-2-Max', 'GigaChat 2 Max, pictures', 'image', 32_768, 8_192, 0, 2],
      [64, 'GigaChat-3-Ultra', 'GigaChat 3 Ultra', 'text', 122_880, 8_192, 0, 2],
    ],
  },
  {
    code: 'yandex',
    variable: 'YANDEX_API_KEY',
    options: { folder: 'YANDEX_FOLDER_ID' },
    models: [
      [70, 'yandexgpt-lite/latest', 'YandexGPT Lite', 'text', 24_000, 8_000, 0, 1],
      [71, 'yandexgpt/latest', 'YandexGPT Pro', 'text', 24_000, 8_000, 0, 1],
      [72, 'gpt-oss-120b/latest', 'GPT-OSS 120B', 'text', 112_000, 16_000, 0, 1],
      [73, 'yandex-art/latest', 'YandexART', 'image', 2_000, 1, 0, 2],
      [74, 'aliceai-llm/latest', 'Alice AI LLM', 'text', 24_000, 8_000, 0, 1],
    ],
  },
  {
    code: 'mistral',
    variable: 'MISTRAL_API_KEY',
    baseUrl: 'https://api.mistral.ai/v1',
    models: [
      [80, 'mistral-medium-latest', 'Mistral Medium', 'text', 196_608, 65_536, 0, 1.5],
      [81, 'mistral-large-latest', 'Mistral Large', 'text', 196_608, 65_536, 0, 1.5],
      [82, 'mistral-large-4', 'Mistral Large 4', 'text', 262_144, 262_144, 0, 1.5],
      [83, 'mistral-embed', 'Mistral Embed', 'embedding', 8_192, 1, 0, 2],
    ],
  },
  {
    code: 'xai',
    variable: 'XAI_API_KEY',
    baseUrl: 'https://api.x.ai/v1',
    // xAI's own examples wait this long for a model that reasons.
    timeoutSeconds: 3600,
    models: [
      [85, 'grok-4.6', 'Grok 4.6', 'text', 372_000, 128_000, 0, 2],
      [86, 'grok-4.7', 'Grok 4.7', 'text', 372_000, 128_000, 0, 2],
    ],
  },
  {
    code: 'groq',
    variable: 'GROQ_API_KEY',
    baseUrl: 'https://api.groq.com/openai/v1',
    models: [
      [90, 'openai/gpt-oss-120b', 'GPT-OSS 120B', 'text', 65_536, 65_536, 0, 2],
      [91, 'openai/gpt-oss-20b', 'GPT-OSS 20B', 'text', 65_536, 65_536, 0, 2],
    ],
  },
  {
    code: 'polza',
    variable: 'POLZA_API_KEY',
    baseUrl: 'https://polza.ai/api/v1',
    models: [
      [95, 'openai/gpt-4o', 'GPT-4o', 'text', 111_616, 16_384, 0, 2],
      [96, 'sber/gigachat-2-max', 'GigaChat 2 Max', 'text', 122_880, 8_192, 0, 2],
    ],
  },
];

/**
 * As long as the providers' own libraries wait for a complete answer. Reasoning takes minutes, and the provider bills the
 * operator for an answer that is cut off.
 */
const TIMEOUT_SECONDS = 600;

export const presets: readonly Preset[] = rows.map((row) => ({
  variables: [row.variable, ...Object.values(row.options ?? {})],
  provider: {
    code: row.code,
    kind: row.baseUrl === undefined ? row.code : 'openai',
    baseUrl: row.baseUrl ?? null,
    keys: [{ key: `\${${row.variable}}`, weight: 1 }],
    timeoutSeconds: row.timeoutSeconds ?? TIMEOUT_SECONDS,
    options: Object.fromEntries(
      Object.entries(row.options ?? {}).map(([name, variable]) => [name, `\${${variable}}`]),
    ),
  },
  models: row.models.map((model) => toModel(row.code, model)),
}));

const sandboxExplanation =
  'A sandbox that calls no real model: it answers by fixed rules inside the gateway, for trying the ' +
  'interface and the billing without a key. Its charges are real entries in the books.';

const sandboxRows: readonly ModelRow[] = [
  [1, 'sandbox-text', 'Sandbox text (no real model)', 'text', 32_768, 4_096, 0, 2],
  [2, 'sandbox-image', 'Sandbox image (no real model)', 'image', 4_096, 1_024, 0, 2],
];

const sandboxPrices: Readonly<Record<ModelType, Price>> = {
  TEXT: { ...freePrice, inputTokens: 100 * MICRO_PER_RUBLE, outputTokens: 200 * MICRO_PER_RUBLE },
  IMAGE: { ...freePrice, outputFix: MICRO_PER_RUBLE },
};

/** The models that work without any key; they have the ids 1 to 9. */
export const sandboxModels: ProviderSet = {
  provider: {
    code: 'sandbox',
    kind: 'sandbox',
    baseUrl: null,
    keys: [],
    timeoutSeconds: 120,
    options: {},
  },
  models: sandboxRows.map((row) => {
    const { id, facts } = toModel('sandbox', row);
    const price = sandboxPrices[facts.type];
    return { id, facts: { ...facts, descriptionFull: sandboxExplanation, price } };
  }),
};

function toModel(provider: string, row: ModelRow): { id: number; facts: ModelFacts } {
  const [id, model, description, modality, maxInputTokens, maxOutputTokens, ...temperatures] = row;
  return {
    id,
    facts: {
      provider,
      model,
      description,
      descriptionFull: '',
      alias: null,
      type: typeOf(modality),
      modality,
      maxInputTokens,
      maxOutputTokens,
      minTemperature: temperatures[0],
      maxTemperature: temperatures[1],
      chatAllowed: modality === 'text',
      price: null,
    },
  };
}
