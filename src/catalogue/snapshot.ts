import { unusableNames } from './key-values.ts';
import { nameOf, toView, type CatalogueModel } from './model.ts';
import type { StoredCatalogue, StoredModel, StoredProvider } from './plan.ts';
import type { ProviderFacts } from './provider-set.ts';
import { namesIn, resolve, valueOf, type Environment } from './references.ts';
import { resolveRouting, textsOfRouting, type ResolvedRouting } from './routing.ts';

/** How to reach a provider, with its secrets: never log or print one. */
export interface ProviderSetup {
  code: string;
  kind: string;
  /** Undefined: the standard address of the kind. */
  baseUrl: string | undefined;
  apiKey: string | undefined;
  timeoutSeconds: number;
  options: Readonly<Record<string, string>>;
  /** Undefined: one key, no limits. */
  routing?: ResolvedRouting | undefined;
}

/** The catalogue of one revision, as it is used. Immutable. */
export interface Snapshot {
  revision: number;
  stored: StoredCatalogue;
  /** By id. */
  models: ReadonlyMap<number, CatalogueModel>;
  setups: ReadonlyMap<string, ProviderSetup>;
  /**
   * What providers that can't be used are missing, by their codes: variables that are not set, or a key that can be
   * read.
   */
  lacking: ReadonlyMap<string, string>;
  /** Names of variables that are referred to and not set. */
  unresolved: readonly string[];
  /** Names of variables whose values can't be sent as keys. */
  unusable: readonly string[];
  /** Codes of providers whose key was sealed with another secret of the server. */
  unreadable: readonly string[];
  /** Names that more than one model of a type has in the compatible interfaces. */
  sharedNames: readonly string[];
}

/** Makes the catalogue of one revision ready for use, with the variables of the environment put in. */
export function buildSnapshot(
  revision: number,
  stored: StoredCatalogue,
  environment: Environment,
): Snapshot {
  const providers = stored.providers.filter(({ retired }) => !retired);
  const models = stored.models.filter(({ retired }) => !retired).map(toCatalogueModel);
  const setups = providers.map((provider) => toSetup(provider, environment));
  return {
    revision,
    stored,
    models: new Map(models.map((model) => [model.id, model])),
    setups: new Map(
      setups.filter((setup) => setup !== undefined).map((setup) => [setup.code, setup]),
    ),
    lacking: new Map(
      providers.flatMap((provider, index) =>
        setups[index] ? [] : [[provider.facts.code, lackOf(provider, environment)]],
      ),
    ),
    unresolved: unsetNames(
      providers.map(({ facts }) => facts),
      environment,
    ),
    unusable: unusableNames(
      providers.map(({ facts }) => facts),
      environment,
    ),
    unreadable: providers.filter(({ unreadable }) => unreadable).map(({ facts }) => facts.code),
    sharedNames: sharedNames(models),
  };
}

function sharedNames(models: readonly CatalogueModel[]): string[] {
  const shared = new Set<string>();
  const seen = new Set<string>();
  for (const model of models) {
    const name = nameOf(model);
    const named = `${model.type} ${name}`;
    if (seen.has(named)) shared.add(name);
    seen.add(named);
  }
  return [...shared];
}

/** Names only, never values: this text goes into the log. */
function lackOf({ facts, unreadable }: StoredProvider, environment: Environment): string {
  if (unreadable) return 'its key can not be read: apply the catalogue again';
  const unusable = unusableNames([facts], environment);
  if (unusable.length > 0) return `no keys in the environment: ${unusable.join(', ')}`;
  return `not set in the environment: ${unsetNames([facts], environment).join(', ')}`;
}

/** Names of environment variables that providers refer to and that are not set, each once. */
export function unsetNames(
  providers: readonly ProviderFacts[],
  environment: Environment,
): readonly string[] {
  const names = providers.flatMap(({ baseUrl, apiKey, options, routing }) =>
    [baseUrl ?? '', apiKey ?? '', ...Object.values(options), ...textsOfRouting(routing)].flatMap(
      namesIn,
    ),
  );
  const unset = names.filter((name) => valueOf(environment, name) === undefined);
  return [...new Set(unset)].toSorted();
}

function toCatalogueModel({ id, versionId, facts, fallbacks }: StoredModel): CatalogueModel {
  return {
    id,
    versionId,
    provider: facts.provider,
    model: facts.model,
    type: facts.type,
    view: toView(id, facts),
    price: facts.price,
    maxInputTokens: facts.maxInputTokens,
    maxOutputTokens: facts.maxOutputTokens,
    minTemperature: facts.minTemperature,
    maxTemperature: facts.maxTemperature,
    chatAllowed: facts.chatAllowed,
    fallbacks,
  };
}

/**
 * Undefined while any variable of it is unknown: without its own address, a provider would be called at the standard
 * one, and a stranger would get the operator's key.
 */
function toSetup(
  { facts, unreadable }: StoredProvider,
  environment: Environment,
): ProviderSetup | undefined {
  const baseUrl = facts.baseUrl === null ? null : resolve(facts.baseUrl, environment);
  const apiKey = facts.apiKey === null ? null : resolve(facts.apiKey, environment);
  const options = resolveAll(facts.options, environment);
  const routing = facts.routing && resolveRouting(facts.routing, environment);
  if (unreadable || baseUrl === undefined || apiKey === undefined || !options) return undefined;
  if (facts.routing && !routing) return undefined;
  if (unusableNames([facts], environment).length > 0) return undefined;
  return {
    code: facts.code,
    kind: facts.kind,
    baseUrl: baseUrl ?? undefined,
    apiKey: apiKey ?? undefined,
    timeoutSeconds: facts.timeoutSeconds,
    options,
    routing,
  };
}

function resolveAll(
  options: Readonly<Record<string, string>>,
  environment: Environment,
): Record<string, string> | undefined {
  const resolved: Record<string, string> = {};
  for (const [name, text] of Object.entries(options)) {
    const value = resolve(text, environment);
    if (value === undefined) return undefined;
    resolved[name] = value;
  }
  return resolved;
}
