import { unusableNames } from './key-values.ts';
import { nameOf, toView, type CatalogueModel } from './model.ts';
import type { StoredCatalogue, StoredModel, StoredProvider } from './plan.ts';
import type { ProviderFacts } from './provider-set.ts';
import { namesIn, resolve, valueOf, type Environment } from './references.ts';
import { resolveRouting, textsOfRouting, type ResolvedRouting } from './routing.ts';

/** How to reach a provider. It holds secrets: never log or print it. */
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

/** One revision of the catalogue, ready for use. Immutable. */
export interface Snapshot {
  revision: number;
  stored: StoredCatalogue;
  /** By id. */
  models: ReadonlyMap<number, CatalogueModel>;
  setups: ReadonlyMap<string, ProviderSetup>;
  /** Why a provider can't be used, by its code; for the log. */
  unusableProviders: ReadonlyMap<string, string>;
  /** Names of environment variables that the catalogue refers to and that are not set. */
  unresolved: readonly string[];
  /** Names of environment variables whose values can't be sent as keys. */
  unusable: readonly string[];
  /** Codes of providers whose key was encrypted with another server secret. */
  unreadable: readonly string[];
  /** Names that several models of one type share in the compatible interfaces. */
  sharedNames: readonly string[];
}

/** Makes one revision of the catalogue ready for use, with the environment variables substituted. */
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
    unusableProviders: new Map(
      providers.flatMap((provider, index) =>
        setups[index] ? [] : [[provider.facts.code, whyUnusable(provider, environment)]],
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

/** Names of variables, never their values: this text goes into the log. */
function whyUnusable({ facts, unreadable }: StoredProvider, environment: Environment): string {
  if (unreadable) return 'its key cannot be decrypted: apply the catalogue again';
  const unusable = unusableNames([facts], environment);
  if (unusable.length > 0) return `not usable as keys in the environment: ${unusable.join(', ')}`;
  return `not set in the environment: ${unsetNames([facts], environment).join(', ')}`;
}

/** Names of environment variables that providers refer to and that are not set, without repetition. */
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
  return { ...facts, id, versionId, view: toView(id, facts), fallbacks };
}

/**
 * Undefined while one of its variables is not set. Otherwise a provider without its own address would be called at the
 * standard address of its kind, and a stranger would get the operator's key.
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
