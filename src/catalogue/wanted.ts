import type { ModelFacts } from './model.ts';
import {
  inUse,
  type Origin,
  type SandboxMode,
  type StoredCatalogue,
  type WantedCatalogue,
  type WantedModel,
} from './plan.ts';
import type { Preset, ProviderFacts, ProviderSet } from './provider-facts.ts';
import { valueOf, type Environment } from './references.ts';

export interface Supply {
  builtin: readonly ProviderSet[];
  /** Undefined: not known, since this process does not have the server's environment; stored presets stay. */
  presets: readonly Preset[] | undefined;
  /** Codes of providers that a server finds running: their stored models stay. */
  found?: readonly string[];
  env: Environment;
}

/** The content of the operator's file, with the ids of its models. */
interface FilePart {
  providers: readonly ProviderFacts[];
  models: readonly WantedModel[];
}

type Part = Omit<WantedCatalogue, 'sandbox'>;

/**
 * Combines everything that should be in use: the file, the built-in sandbox unless it is switched off, and the presets
 * whose variables are set, unless the file defines a provider with the same code. A preset's model keeps its imported
 * price.
 * @param file undefined: the providers and models of earlier files stay
 */
export function wantedCatalogue(
  stored: StoredCatalogue,
  supply: Supply,
  sandbox: SandboxMode,
  file: FilePart | undefined,
): WantedCatalogue {
  const live = inUse(stored);
  const earlier = {
    providers: live.providers.filter(({ origin }) => origin === 'file'),
    models: live.models.filter(({ origin }) => origin === 'file'),
  };
  const wanted: Part = file
    ? { providers: file.providers.map((facts) => ({ origin: 'file', facts })), models: file.models }
    : earlier;
  const ofFile = new Set(wanted.providers.map(({ facts }) => facts.code));
  const { presets, found = [] } = supply;
  const stays = (code: string) => !ofFile.has(code) && (!presets || found.includes(code));
  const isSet = ({ variables, provider }: Preset) =>
    !ofFile.has(provider.code) &&
    variables.every((name) => valueOf(supply.env, name) !== undefined);
  const setsOf = (origin: Origin, sets: readonly ProviderSet[]) => ({
    providers: sets
      .filter(({ provider }) => !ofFile.has(provider.code))
      .map(({ provider }) => ({ origin, facts: provider })),
    models: sets
      .flatMap(({ models }) => models)
      .map(({ id, facts }) => {
        const prices = facts.price ? {} : importedPrices(stored, id, facts);
        return { id, origin, facts: { ...facts, ...prices }, fallbacks: [] };
      }),
  });
  const parts: Part[] = [
    wanted,
    setsOf('builtin', sandbox === 'off' ? [] : supply.builtin),
    {
      providers: live.providers.filter(
        ({ origin, facts }) => origin === 'preset' && stays(facts.code),
      ),
      models: live.models.filter(
        ({ origin, facts }) => origin === 'preset' && stays(facts.provider),
      ),
    },
    setsOf('preset', (presets ?? []).filter(isSet)),
  ];
  const providers = parts.flatMap((part) => part.providers);
  const codes = new Set(providers.map(({ facts }) => facts.code));
  // An import may have added models to a preset's provider: they are retired with it.
  const models = parts
    .flatMap((part) => part.models)
    .filter(({ facts }) => codes.has(facts.provider));
  return { sandbox, providers, models };
}

/** The price and the cost that were imported for a model; presets themselves have neither. */
export function importedPrices(
  { models }: StoredCatalogue,
  id: number,
  { provider, model, type }: ModelFacts,
): Pick<ModelFacts, 'price' | 'cost'> {
  const known = models.find((stored) => stored.id === id && stored.origin === 'preset')?.facts;
  const isSame = known?.provider === provider && known.model === model && known.type === type;
  if (!isSame) return { price: null };
  return { price: known.price, ...(known.cost && { cost: known.cost }) };
}
