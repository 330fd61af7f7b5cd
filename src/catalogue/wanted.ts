import type { Price } from '../lib/units.ts';
import type { ModelFacts } from './model.ts';
import {
  inUse,
  type StoredCatalogue,
  type WantedCatalogue,
  type WantedModel,
  type WantedProvider,
} from './plan.ts';
import type { Preset, ProviderFacts, ProviderSet } from './provider-facts.ts';
import { valueOf, type Environment } from './references.ts';

/** The sources of a catalogue besides the operator's file. */
export interface Supply {
  builtin: readonly ProviderSet[];
  /** Undefined: unknown, since this process does not have the server's environment; stored presets stay. */
  presets: readonly Preset[] | undefined;
  /** Codes of providers that a server finds running: what was found stays. */
  found?: readonly string[];
  env: Environment;
}

/** The content of the operator's file, with the ids of its models. */
export interface FilePart {
  providers: readonly ProviderFacts[];
  models: readonly WantedModel[];
}

/**
 * Combines everything that shall be in use: the file, the built-in sandbox unless it is switched off, and the presets
 * whose variables are set, unless the file defines a provider with the same code. A preset's model keeps its imported
 * price.
 * @param file undefined: the providers and models of earlier files stay
 */
export function wantedCatalogue(
  stored: StoredCatalogue,
  supply: Supply,
  sandbox: boolean,
  file: FilePart | undefined,
): WantedCatalogue {
  const live = inUse(stored);
  const ofFile = new Set(
    file
      ? file.providers.map(({ code }) => code)
      : live.providers.filter(({ origin }) => origin === 'file').map(({ facts }) => facts.code),
  );
  const providers: WantedProvider[] = [];
  const models: WantedModel[] = [];
  const kept = { providers: [] as string[], models: [] as number[] };
  const keep = (origin: 'file' | 'preset', stays: (provider: { code: string }) => boolean) => {
    for (const { origin: from, facts } of live.providers) {
      if (from === origin && stays(facts)) kept.providers.push(facts.code);
    }
    for (const { id, origin: from, facts } of live.models) {
      if (from === origin && stays({ code: facts.provider })) kept.models.push(id);
    }
  };
  const add = (origin: 'builtin' | 'preset', set: ProviderSet) => {
    if (!ofFile.has(set.provider.code)) providers.push({ origin, facts: set.provider });
    models.push(
      ...set.models.map(({ id, facts }) => {
        const price = facts.price ?? importedPrice(stored, id, facts);
        return { id, origin, facts: { ...facts, price }, fallbacks: [] };
      }),
    );
  };

  if (file) {
    providers.push(...file.providers.map((facts) => ({ origin: 'file' as const, facts })));
    models.push(...file.models);
  } else keep('file', () => true);
  if (sandbox) for (const set of supply.builtin) add('builtin', set);
  const { presets, found = [] } = supply;
  keep('preset', ({ code }) => !ofFile.has(code) && (!presets || found.includes(code)));
  for (const preset of presets ?? []) {
    const isSet = preset.variables.every((name) => valueOf(supply.env, name) !== undefined);
    if (isSet && !ofFile.has(preset.provider.code)) add('preset', preset);
  }
  const codes = new Set([...providers.map(({ facts }) => facts.code), ...kept.providers]);
  // An import may have added models to a preset's provider: they are retired with it.
  const orphans = new Set(
    live.models.filter(({ facts }) => !codes.has(facts.provider)).map(({ id }) => id),
  );
  kept.models = kept.models.filter((id) => !orphans.has(id));
  return { providers, models, kept };
}

/** The price that was imported for a model; presets have no prices of their own. */
export function importedPrice(
  { models }: StoredCatalogue,
  id: number,
  { provider, model, type }: ModelFacts,
): Price | null {
  const known = models.find((stored) => stored.id === id && stored.origin === 'preset')?.facts;
  const isSame = known?.provider === provider && known.model === model && known.type === type;
  return isSame ? known.price : null;
}
