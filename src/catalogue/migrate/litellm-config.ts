/**
 * The `model_list` of LiteLLM's proxy: https://docs.litellm.ai/docs/proxy/configs. Only explicit values of a row are
 * read; rows for which LiteLLM guesses something from a name are refused.
 */
import { DomainError } from '../../lib/errors.ts';
import { asFields, asText, type Fields } from '../import/fields.ts';
import type { Modality } from '../modality.ts';
import { Problems } from '../problems.ts';
import { readYaml } from '../yaml-tree.ts';
import type { Draft, ProviderDraft } from './draft.ts';
import { readRouting } from './litellm-routing.ts';

interface Service {
  kind: string;
  /** Absent: the standard address of the kind. */
  url?: string;
  /** The variable that LiteLLM reads if there is no `api_key`. */
  key?: string;
  /** Whether a row must have an address. */
  needsUrl?: true;
}

const open = (url: string, key: string): Service => ({ kind: 'openai', url, key });
const own: Service = { kind: 'openai', needsUrl: true };

/** By LiteLLM's names of providers: https://docs.litellm.ai/docs/providers. */
const services: Readonly<Record<string, Service>> = {
  openai: { kind: 'openai', key: 'OPENAI_API_KEY' },
  azure: { kind: 'openai', key: 'AZURE_API_KEY', needsUrl: true },
  anthropic: { kind: 'anthropic', key: 'ANTHROPIC_API_KEY' },
  gemini: { kind: 'gemini', key: 'GEMINI_API_KEY' },
  deepseek: open('https://api.deepseek.com/v1', 'DEEPSEEK_API_KEY'),
  openrouter: open('https://openrouter.ai/api/v1', 'OPENROUTER_API_KEY'),
  mistral: open('https://api.mistral.ai/v1', 'MISTRAL_API_KEY'),
  xai: open('https://api.x.ai/v1', 'XAI_API_KEY'),
  groq: open('https://api.groq.com/openai/v1', 'GROQ_API_KEY'),
  together_ai: open('https://api.together.xyz/v1', 'TOGETHERAI_API_KEY'),
  fireworks_ai: open('https://api.fireworks.ai/inference/v1', 'FIREWORKS_AI_API_KEY'),
  deepinfra: open('https://api.deepinfra.com/v1/openai', 'DEEPINFRA_API_KEY'),
  cerebras: open('https://api.cerebras.ai/v1', 'CEREBRAS_API_KEY'),
  perplexity: open('https://api.perplexity.ai', 'PERPLEXITYAI_API_KEY'),
  moonshot: open('https://api.moonshot.ai/v1', 'MOONSHOT_API_KEY'),
  ollama: { kind: 'openai', url: 'http://127.0.0.1:11434' },
  ollama_chat: { kind: 'openai', url: 'http://127.0.0.1:11434' },
  hosted_vllm: own,
  openai_like: own,
  lm_studio: own,
  litellm_proxy: own,
};
const packages = 'its provider needs a package of the AI SDK: see docs/providers.md, kind ai-sdk';
const byHand: Readonly<Record<string, string>> = {
  bedrock: packages,
  vertex_ai: packages,
  cohere: packages,
  cohere_chat: packages,
};

const modes: Readonly<Record<string, Modality>> = {
  chat: 'text',
  responses: 'text',
  completion: 'completion',
  embedding: 'embedding',
  image_generation: 'image',
};

/** Fields of `litellm_params` that are converted; the report names the others. */
const taken: ReadonlySet<string> = new Set(
  'model custom_llm_provider api_key api_base base_url api_version organization extra_headers extra_body timeout max_tokens'.split(
    ' ',
  ),
);
const isFact = (name: string) =>
  /_cost_per_|_token_cost|^max_(?:input_|output_)?tokens$/.test(name);

/** @throws `invalid_request` if it is not YAML with a `model_list` */
export function readLiteLlmConfig(text: string): Draft[] {
  const problems = new Problems();
  const { value } = readYaml(text, problems);
  problems.refuse();
  const config = asFields(value) ?? {};
  const rows = config['model_list'];
  if (Array.isArray(rows)) {
    return [...rows.map((row, at) => readRow(asFields(row) ?? {}, at)), ...readRouting(config)];
  }
  throw new DomainError(
    'invalid_request',
    'the file has no model_list: is it a config of LiteLLM?',
  );
}

function readRow(row: Fields, at: number): Draft {
  const alias = asText(row['model_name']) ?? '';
  const params = asFields(row['litellm_params']) ?? {};
  const info = asFields(row['model_info']) ?? {};
  const whole = asText(params['model']) ?? '';
  const name = `model_list[${at}] ${alias || whole}`;
  const refused = (reason: string): Draft => ({ name, reason });
  if (alias === '' || whole === '')
    return refused('it has no model_name, or no litellm_params.model');
  if (`${alias}${whole}`.includes('*')) return refused('a wildcard names no model');
  const slash = whole.indexOf('/');
  const given = asText(params['custom_llm_provider']);
  const source = given ?? (slash > 0 ? whole.slice(0, slash) : '');
  const service = Object.hasOwn(services, source) ? services[source] : undefined;
  if (!service) return refused(whyUnknown(source));
  const mode = asText(info['mode']);
  if (mode !== undefined && !Object.hasOwn(modes, mode)) {
    return refused(`its mode ${mode} is not served here`);
  }
  const url = referenced(asText(params['api_base']) ?? asText(params['base_url']));
  if (service.needsUrl && url === undefined) return refused('it has no api_base');
  const names = Object.keys(params);
  return {
    name,
    alias,
    code: source.replaceAll('_', '-'),
    provider: providerOf(source, service, url, params, mode),
    model: whole.startsWith(`${source}/`) ? whole.slice(source.length + 1) : whole,
    modality: mode === undefined ? undefined : modes[mode],
    listed: asText(info['base_model']),
    facts: factsIn(params, info),
    left: names.filter((field) => !taken.has(field) && !isFact(field)).toSorted(),
  };
}

function whyUnknown(source: string): string {
  if (source === '') return 'its model has no provider: write e.g. openai/NAME';
  return Object.hasOwn(byHand, source)
    ? (byHand[source] ?? '')
    : `the provider ${source} is not known here`;
}

function factsIn(params: Fields, info: Fields): Fields {
  const all = [...Object.entries(params), ...Object.entries(info)];
  return Object.fromEntries(all.filter(([field]) => isFact(field)));
}

function providerOf(
  source: string,
  service: Service,
  given: string | undefined,
  params: Fields,
  mode: string | undefined,
): ProviderDraft {
  const isOllama = source.startsWith('ollama');
  const url = given ?? service.url;
  const key = referenced(asText(params['api_key'])) ?? (service.key && `\${${service.key}}`);
  const version = referenced(asText(params['api_version']));
  const options = {
    ...(isOllama && { server: 'ollama' }),
    ...(source === 'azure' && version !== undefined && { api_version: version }),
    ...(mode === 'responses' && service.kind === 'openai' && { api: 'responses' }),
  };
  const organization = referenced(asText(params['organization']));
  const headers = {
    ...(organization !== undefined && { 'OpenAI-Organization': organization }),
    ...Object.fromEntries(
      Object.entries(asFields(params['extra_headers']) ?? {}).map(([name, value]) => {
        return [name, referenced(String(value)) ?? ''];
      }),
    ),
  };
  const timeout = Number(params['timeout'] ?? Number.NaN);
  const extra = asFields(params['extra_body']);
  return {
    kind: service.kind,
    ...(url !== undefined && { base_url: isOllama ? url.replace(/\/+$/, '') + '/v1' : url }),
    ...(key !== undefined && { api_key: key }),
    ...(timeout > 0 && { timeout_seconds: Math.min(3_600, Math.ceil(timeout)) }),
    ...(Object.keys(options).length > 0 && { options }),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(extra && { extra_body: extra }),
  };
}

/** LiteLLM refers to a variable as `os.environ/NAME`. */
function referenced(text: string | undefined): string | undefined {
  return text?.replace(/^os\.environ\/(\w+)$/, '${$1}');
}
