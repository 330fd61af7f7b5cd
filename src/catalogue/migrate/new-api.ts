/**
 * Channels of new-api (QuantumNous/new-api, model/channel.go and constant/channel.go) and of one-api
 * (songquanpeng/one-api, model/channel.go and relay/channeltype/define.go): a JSON list of rows of their table
 * `channels`, or the answer of their `/api/channel/`, which leaves the keys out.
 */
import { DomainError } from '../../lib/errors.ts';
import { asFields, asText, parsedJson, type Fields } from '../import/fields.ts';
import type { Draft, ProviderDraft } from './draft.ts';

interface ChannelType {
  code: string;
  kind: string;
  /** The address of a channel without one. */
  url: string;
  /** The path that both gateways append to the address. */
  path: string;
}

const type = (code: string, kind: string, url: string, path: string): ChannelType => {
  return { code, kind, url, path };
};
const like = (code: string, host: string, path = '/v1') =>
  type(code, 'openai', host && `https://${host}`, path);

/** Channel types that both gateways have. */
const common: Readonly<Record<number, ChannelType>> = {
  1: like('openai', 'api.openai.com'),
  3: like('azure', '', ''),
  14: type('anthropic', 'anthropic', 'https://api.anthropic.com', '/v1'),
  17: like('ali', 'dashscope.aliyuncs.com', '/compatible-mode/v1'),
  20: like('openrouter', 'openrouter.ai/api'),
  24: type('gemini', 'gemini', 'https://generativelanguage.googleapis.com', '/v1beta'),
  25: like('moonshot', 'api.moonshot.cn'),
  31: like('lingyiwanwu', 'api.lingyiwanwu.com'),
};
const ollama = type('ollama', 'openai', 'http://127.0.0.1:11434', '/v1');
const newApi: Readonly<Record<number, ChannelType>> = {
  ...common,
  4: ollama,
  26: like('zhipu', 'open.bigmodel.cn', '/api/paas/v4'),
  27: like('perplexity', 'api.perplexity.ai', ''),
  40: like('siliconflow', 'api.siliconflow.cn'),
  42: like('mistral', 'api.mistral.ai'),
  43: like('deepseek', 'api.deepseek.com'),
  45: like('volcengine', 'ark.cn-beijing.volces.com', '/api/v3'),
  47: like('xinference', ''),
  48: like('xai', 'api.x.ai'),
};
const oneApi: Readonly<Record<number, ChannelType>> = {
  ...common,
  28: like('mistral', 'api.mistral.ai'),
  29: like('groq', 'api.groq.com/openai'),
  30: ollama,
  32: like('stepfun', 'api.stepfun.com'),
  36: like('deepseek', 'api.deepseek.com'),
  39: like('together', 'api.together.xyz'),
  40: like('volcengine', 'ark.cn-beijing.volces.com', '/api/v3'),
  44: like('siliconflow', 'api.siliconflow.cn'),
  45: like('xai', 'api.x.ai'),
  // Its address is already complete.
  50: like('compatible', '', ''),
};

const ENABLED = 1;
/** Fields that change a channel's calls and have no equivalent here, unless they are empty. */
const leftOut = [
  'priority',
  'weight',
  'status_code_mapping',
  'setting',
  'system_prompt',
  'group',
] as const;
const usual: ReadonlySet<unknown> = new Set([undefined, null, '', 0, '{}', 'default']);

/** @throws `invalid_request` if it is not a list of channels */
export function readChannels(text: string): Draft[] {
  const rows = rowsOf(parsedJson(text)).map((row) => asFields(row) ?? {});
  if (rows.length === 0 || rows.some((row) => typeof row['type'] !== 'number')) {
    const why = 'the file is not a list of channels of new-api or one-api';
    throw new DomainError('invalid_request', why);
  }
  // Only new-api has these columns; one-api has `config`.
  const isNew = rows.some((row) => 'channel_info' in row || 'auto_ban' in row);
  return rows.flatMap((row) => readChannel(row, isNew ? newApi : oneApi));
}

function rowsOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  const fields = asFields(value);
  const inner = fields?.['data'] ?? fields?.['items'] ?? fields?.['channels'];
  return inner === undefined || inner === value ? [] : rowsOf(inner);
}

function readChannel(row: Fields, types: Readonly<Record<number, ChannelType>>): Draft[] {
  const id = Number(row['id'] ?? 0);
  const label = `channel ${id} ${asText(row['name']) ?? ''}`.trim();
  const refused = (reason: string): Draft[] => [{ name: label, reason }];
  const number = Number(row['type']);
  const channel = types[number];
  if (!channel) return refused(`its type ${number} is not served here`);
  if (Number(row['status'] ?? ENABLED) !== ENABLED) return refused('it is disabled');
  const url = asText(row['base_url']) ?? channel.url;
  if (url === '') return refused('it has no base_url');
  const mapping = parsedFields(row['model_mapping']);
  const override = parsedFields(row['param_override']);
  const headers = parsedFields(row['header_override']);
  if (!mapping || !override || !headers) {
    return refused('its model_mapping, param_override or header_override is not a JSON object');
  }
  if ('operations' in override) return refused('its param_override has operations');
  const keys = keysOf(row, id);
  if (!keys) return refused('its key is not a text, or is JSON');
  const provider = providerOf(row, channel, { url, keys, headers, override });
  const names = (asText(row['models']) ?? '').split(',').map((name) => name.trim());
  const models = names.filter((name) => name !== '');
  if (models.length === 0) return refused('it has no models');
  const left = leftOut.filter((field) => !usual.has(row[field]));
  return models.map((alias): Draft => {
    const model = asText(mapping[alias]) ?? alias;
    const name = `${label}: ${alias}`;
    const modality = /embed|bge-/i.test(model) ? 'embedding' : undefined;
    if (/dall-e|gpt-image|tts|whisper|midjourney|rerank|moderation/i.test(model)) {
      return { name, reason: 'it does not write texts: add it by hand' };
    }
    return { name, alias, code: channel.code, provider, model, modality, facts: {}, left };
  });
}

interface Given {
  url: string;
  keys: readonly string[];
  headers: Fields;
  override: Fields;
}

function providerOf(
  row: Fields,
  channel: ChannelType,
  { url, keys, headers, override }: Given,
): ProviderDraft {
  const version = asText(row['other']) ?? asText(parsedFields(row['config'])?.['api_version']);
  return {
    kind: channel.kind,
    base_url: url.replace(/\/+$/, '') + channel.path,
    ...(keys.length === 1 ? { api_key: keys[0] } : {}),
    ...(keys.length > 1 ? { api_keys: keys.map((key) => ({ key })) } : {}),
    ...(channel === ollama && { options: { server: 'ollama' } }),
    ...(channel.code === 'azure' && version !== undefined && { options: { api_version: version } }),
    ...headersOf(row, headers),
    ...(Object.keys(override).length > 0 && { extra_body: override }),
  };
}

function headersOf(row: Fields, override: Fields): { headers?: Record<string, string> } {
  const organization = asText(row['openai_organization']);
  const headers = Object.fromEntries([
    ...(organization === undefined ? [] : [['OpenAI-Organization', organization]]),
    ...Object.entries(override).map(([name, value]) => [name, String(value)]),
  ]) as Record<string, string>;
  return Object.keys(headers).length > 0 ? { headers } : {};
}

/** The key to write. Exports over HTTP leave keys out; then a variable replaces the key. Ollama needs no key. */
function keysOf(row: Fields, id: number): string[] | undefined {
  const key = row['key'] ?? '';
  if (typeof key !== 'string' || /^\s*[[{]/.test(key)) return undefined;
  const keys = key.split('\n').map((line) => line.trim());
  const filled = [...new Set(keys.filter((line) => line !== ''))];
  return filled.length > 0 ? filled : [`\${CHANNEL_${id}_KEY}`];
}

/** The object in a column of JSON, which may already be parsed; undefined if it is not an object. */
function parsedFields(value: unknown): Fields | undefined {
  if (value === undefined || value === null || value === '') return {};
  return asFields(typeof value === 'string' ? parsedJson(value) : value);
}
