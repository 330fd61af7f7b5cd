import { TIMEOUT_SECONDS_DEFAULT } from './limits.ts';
import type { ModelFacts, ModelType } from './model.ts';
import type { Preset } from './provider-set.ts';

/** id, name at the provider, display name, type, input tokens, output tokens, lowest and highest temperature */
type ModelRow = readonly [number, string, string, ModelType, number, number, number, number];

interface PresetRow {
  code: string;
  kind: string;
  /** The variable that holds the key and, with those of `options`, switches the preset on. */
  variable: string;
  /** Option names and the variables that hold their values. */
  options?: Readonly<Record<string, string>>;
  /** Absent: the standard address of the kind. */
  baseUrl?: string;
  models: readonly ModelRow[];
}

/**
 * The usual models of well-known providers, as their own pages state them. They carry no price, since
 * what an operator charges is the operator's to say: until then only admins may use them.
 * An id once given stays with its model; a provider has ten (openai 10-19, deepseek 20-29, …).
 * Where input and output share a context window, the input is the window less the output.
 */
const rows: readonly PresetRow[] = [
  {
    code: 'openai',
    kind: 'openai',
    variable: 'OPENAI_API_KEY',
    models: [
      // The GPT-5 family takes no temperature but 1.
      [10, 'gpt-5.5', 'GPT-5.5', 'TEXT', 922_000, 128_000, 1, 1],
      [11, 'gpt-5.4-mini', 'GPT-5.4 mini', 'TEXT', 272_000, 128_000, 1, 1],
      [12, 'gpt-5.4-nano', 'GPT-5.4 nano', 'TEXT', 272_000, 128_000, 1, 1],
      [13, 'gpt-4.1-mini', 'GPT-4.1 mini', 'TEXT', 1_014_808, 32_768, 0, 2],
      [14, 'gpt-image-2', 'GPT Image 2', 'IMAGE', 32_000, 16_384, 0, 2],
      [15, 'gpt-image-1-mini', 'GPT Image 1 mini', 'IMAGE', 32_000, 8_192, 0, 2],
    ],
  },
  {
    code: 'deepseek',
    kind: 'openai',
    variable: 'DEEPSEEK_API_KEY',
    baseUrl: 'https://api.deepseek.com/v1',
    models: [
      [20, 'deepseek-v4-flash', 'DeepSeek V4 Flash', 'TEXT', 744_000, 256_000, 0, 2],
      [21, 'deepseek-v4-pro', 'DeepSeek V4 Pro', 'TEXT', 744_000, 256_000, 0, 2],
    ],
  },
  {
    code: 'openrouter',
    kind: 'openai',
    variable: 'OPENROUTER_API_KEY',
    baseUrl: 'https://openrouter.ai/api/v1',
    models: [
      [30, 'openai/gpt-5.4-mini', 'GPT-5.4 mini', 'TEXT', 272_000, 128_000, 1, 1],
      [31, 'anthropic/claude-sonnet-4.5', 'Claude Sonnet 4.5', 'TEXT', 136_000, 64_000, 0, 1],
      [32, 'google/gemini-2.5-flash', 'Gemini 2.5 Flash', 'TEXT', 983_040, 65_535, 0, 2],
      [33, 'deepseek/deepseek-v4-flash', 'DeepSeek V4 Flash', 'TEXT', 744_000, 256_000, 0, 2],
    ],
  },
];

export const presets: readonly Preset[] = rows.map((row) => ({
  variables: [row.variable, ...Object.values(row.options ?? {})],
  provider: {
    code: row.code,
    kind: row.kind,
    baseUrl: row.baseUrl ?? null,
    apiKey: `\${${row.variable}}`,
    timeoutSeconds: TIMEOUT_SECONDS_DEFAULT,
    options: Object.fromEntries(
      Object.entries(row.options ?? {}).map(([name, variable]) => [name, `\${${variable}}`]),
    ),
  },
  models: row.models.map((model) => ({ id: model[0], facts: toFacts(row.code, model) })),
}));

function toFacts(provider: string, row: ModelRow): ModelFacts {
  const [, model, description, type, maxInputTokens, maxOutputTokens, ...temperatures] = row;
  return {
    provider,
    model,
    description,
    descriptionFull: '',
    alias: null,
    type,
    maxInputTokens,
    maxOutputTokens,
    minTemperature: temperatures[0],
    maxTemperature: temperatures[1],
    chatAllowed: type === 'TEXT',
    price: null,
  };
}
