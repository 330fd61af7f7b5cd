import { freePrice } from '../lib/units.ts';
import type { ModelFacts } from './model.ts';
import { FreshIds } from './file-ids.ts';
import { NAME_MAX, TOKENS_MAX } from './limits.ts';
import {
  inUse,
  planChanges,
  type Plan,
  type StoredCatalogue,
  type WantedModel,
  type WantedProvider,
} from './plan.ts';
import type { ProviderFacts } from './provider-facts.ts';
import { importedPrices } from './wanted.ts';

/** The code of the provider for a local Ollama, which a server finds automatically. */
export const OLLAMA = 'ollama';

export interface FoundProvider {
  kind: string;
  baseUrl: string;
  timeoutSeconds: number;
  options: Readonly<Record<string, string>>;
  models: readonly FoundModel[];
  /** True: its models are free. False: without an imported price only admins may use them. */
  free: boolean;
}

export type FoundModel = Pick<
  ModelFacts,
  | 'model'
  | 'descriptionFull'
  | 'modality'
  | 'maxInputTokens'
  | 'maxOutputTokens'
  | 'chatAllowed'
  | 'imagesAllowed'
>;

/**
 * Plans to replace the models of a provider with those that were found; everything else stays. A model keeps its
 * earlier id. Pure.
 * @param found undefined: the provider was not found, so its models are retired
 * @param lastId the largest id assigned so far
 * @returns undefined if the operator's file defines a provider with this code, which takes precedence
 */
export function planFound(
  stored: StoredCatalogue,
  code: string,
  found: FoundProvider | undefined,
  lastId: number,
): { plan: Plan; lastId: number } | undefined {
  const live = inUse(stored);
  if (live.providers.some(({ origin, facts }) => facts.code === code && origin === 'file')) {
    return undefined;
  }
  const others = live.models.filter(
    // Models that an import added to this provider stay as long as the provider does.
    ({ origin, facts }) => facts.provider !== code || (found !== undefined && origin === 'file'),
  );
  const ids = stored.models.map(({ id }) => id);
  const fresh = new FreshIds(lastId, ids);
  const named = (found?.models ?? []).filter(({ model }) => model.length <= NAME_MAX);
  const models = named.map((model): WantedModel => {
    const facts = toFacts(code, model);
    const known = idOf(stored, facts);
    const prices = found?.free ? { price: freePrice } : paidPrices(stored, known, facts);
    return {
      id: known ?? fresh.next(),
      origin: 'preset',
      facts: { ...facts, ...prices },
      fallbacks: [],
    };
  });
  const providers: WantedProvider[] = live.providers.filter(({ facts }) => facts.code !== code);
  if (found) providers.push({ origin: 'preset', facts: toProvider(code, found) });
  const plan = planChanges(stored, {
    sandbox: stored.sandbox,
    providers,
    models: [...others, ...models],
  });
  return { plan, lastId: fresh.last };
}

function idOf({ models }: StoredCatalogue, { provider, model }: ModelFacts): number | undefined {
  return models.find(
    ({ origin, facts }) =>
      origin === 'preset' && facts.provider === provider && facts.model === model,
  )?.id;
}

/** The imported prices. A price of zero dates from when the found models were free, and is not kept. */
function paidPrices(stored: StoredCatalogue, id: number | undefined, facts: ModelFacts) {
  const prices = id === undefined ? { price: null } : importedPrices(stored, id, facts);
  const isPaid = prices.price && Object.values(prices.price).some((amount) => amount > 0);
  return isPaid ? prices : { price: null };
}

function toProvider(code: string, found: FoundProvider): ProviderFacts {
  const { kind, baseUrl, timeoutSeconds, options } = found;
  return { code, kind, baseUrl, timeoutSeconds, keys: [], options };
}

function toFacts(provider: string, found: FoundModel): ModelFacts {
  return {
    provider,
    ...found,
    maxInputTokens: Math.min(found.maxInputTokens, TOKENS_MAX),
    maxOutputTokens: Math.min(found.maxOutputTokens, TOKENS_MAX),
    description: found.model,
    alias: null,
    type: 'TEXT',
    minTemperature: 0,
    maxTemperature: 2,
    price: null,
  };
}
