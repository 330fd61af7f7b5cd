import { invalidField } from '../../lib/errors.ts';
import { didYouMean } from '../../lib/nearest.ts';
import type { ProviderFacts } from '../provider-facts.ts';
import { namesIn } from '../references.ts';
import type { ListFormat, PriceList } from './price-list.ts';

interface Service {
  hosts: readonly string[];
  /** Its package of the Vercel AI SDK. */
  package?: string;
  names: Readonly<Record<ListFormat, string>>;
}

const service = (
  name: string,
  hosts: readonly string[],
  pack?: string,
  liteLlm = name,
): Service => ({
  hosts,
  names: { 'models.dev': name, LiteLLM: liteLlm },
  ...(pack !== undefined && { package: `@ai-sdk/${pack}` }),
});

const services: readonly Service[] = [
  service('openai', ['api.openai.com'], 'openai'),
  service('anthropic', ['api.anthropic.com'], 'anthropic'),
  service('google', ['generativelanguage.googleapis.com'], 'google', 'gemini'),
  service('deepseek', ['api.deepseek.com'], 'deepseek'),
  service('openrouter', ['openrouter.ai']),
  service('mistral', ['api.mistral.ai'], 'mistral'),
  service('xai', ['api.x.ai'], 'xai'),
  service('groq', ['api.groq.com'], 'groq'),
  service('cohere', ['api.cohere.com', 'api.cohere.ai'], 'cohere', 'cohere_chat'),
  service('cerebras', ['api.cerebras.ai'], 'cerebras'),
  service('perplexity', ['api.perplexity.ai'], 'perplexity'),
  service('deepinfra', ['api.deepinfra.com'], 'deepinfra'),
  service('togetherai', ['api.together.xyz', 'api.together.ai'], 'togetherai', 'together_ai'),
  service('fireworks-ai', ['api.fireworks.ai'], 'fireworks', 'fireworks_ai'),
  service('moonshotai', ['api.moonshot.ai'], 'moonshotai', 'moonshot'),
];

/** The standard host of a kind, for providers without an address. */
export const standardHosts: Readonly<Record<string, string>> = {
  openai: 'api.openai.com',
  anthropic: 'api.anthropic.com',
  gemini: 'generativelanguage.googleapis.com',
};

/**
 * The name of a provider in the list. It is found by the provider's address, not by its code: a reseller of the same
 * models at another address has different prices.
 * @returns undefined if the list does not have the provider
 */
export function sourceOf(provider: ProviderFacts, list: PriceList): string | undefined {
  const host = hostOf(provider);
  const known = services.find(({ hosts, package: name }) =>
    host === undefined
      ? name !== undefined && provider.options['package'] === name
      : hosts.includes(host),
  );
  const names = new Set(list.sources.map(({ name }) => name));
  if (known && names.has(known.names[list.format])) return known.names[list.format];
  if (known || host === undefined) return undefined;
  const same = list.sources.filter(({ api }) => api !== undefined && URL.parse(api)?.host === host);
  return same.length === 1 ? same[0]?.name : undefined;
}

/**
 * Reads which provider of the catalogue has which name in the list.
 * @param pairs each in the form `CODE=NAME`
 * @throws `invalid_request` for an unknown code or name
 */
export function readMap(
  pairs: readonly string[],
  codes: readonly string[],
  list: PriceList,
): Map<string, string> {
  const names = list.sources.map(({ name }) => name);
  return new Map(
    pairs.map((pair) => {
      const [, code = '', name = ''] = /^([^=]+)=(.+)$/.exec(pair) ?? [];
      if (name === '') throw invalidField('map', `${pair}: write CODE=NAME, e.g. house=openai`);
      requireKnown('map', code, codes, 'provider of the catalogue');
      requireKnown('map', name, names, `provider of the ${list.format} list`);
      return [code, name];
    }),
  );
}

/** @throws `invalid_request` naming the nearest known word */
export function requireKnown(
  field: string,
  word: string,
  known: readonly string[],
  what: string,
): void {
  if (known.includes(word)) return;
  throw invalidField(field, `${word} is not a ${what}${didYouMean(word, known)}`);
}

/** Undefined if the address is unknown: only the server substitutes `${NAME}`. */
function hostOf({ kind, baseUrl, options }: ProviderFacts): string | undefined {
  if (baseUrl === null) return standardHosts[kind];
  return namesIn(baseUrl).length > 0 || options['package'] !== undefined
    ? undefined
    : URL.parse(baseUrl)?.host;
}
