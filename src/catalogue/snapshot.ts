import type { ProviderSetup } from '../lib/provider-setup.ts';
import { mapped, type Steps } from '../lib/steps.ts';
import { showKeys } from './changes.ts';
import { bytesOf } from './extra-body.ts';
import { showHeaders } from './headers.ts';
import { MODELS_STEP } from './limits.ts';
import { nameOf, toView, type CatalogueModel } from './model.ts';
import { costView, rubleCost } from './operator-cost.ts';
import { inUse, type StoredCatalogue, type StoredModel, type StoredProvider } from './plan.ts';
import type { ProviderFacts } from './provider-facts.ts';
import {
  sentInHeaders,
  substitute,
  unsetNames,
  unusableNames,
  type Environment,
} from './references.ts';

/** One revision of the catalogue, ready for use. Immutable. */
export interface Snapshot {
  revision: number;
  stored: StoredCatalogue;
  /** By id. */
  models: ReadonlyMap<number, CatalogueModel>;
  setups: ReadonlyMap<string, ProviderSetup>;
  /** Why a provider can't be used, by its code; for the log. */
  unusableProviders: ReadonlyMap<string, string>;
  problems: CatalogueProblems;
}

/** What an operator should correct. */
export interface CatalogueProblems {
  /** Names of environment variables that providers refer to and that are not set. */
  unresolved: readonly string[];
  /** Names of environment variables that keys refer to and whose values can't be sent as keys. */
  unusable: readonly string[];
  /** Codes of providers whose stored key this server's secret does not decrypt: apply the file again. */
  unreadable: readonly string[];
  /** Names that several models of one type share: the compatible interfaces reach only one of them. */
  sharedNames: readonly string[];
}

/** Makes one revision of the catalogue ready for use, with the environment variables substituted. */
export function* buildSnapshot(
  revision: number,
  stored: StoredCatalogue,
  environment: Environment,
): Steps<Snapshot> {
  const { providers, models } = inUse(stored);
  const isSandboxForAdmins =
    stored.sandbox !== 'on' &&
    models.some(({ origin, facts }) => origin !== 'builtin' && facts.price !== null);
  const extraBytes = new Map(providers.map(({ facts }) => [facts.code, bytesOf(facts.extraBody)]));
  const providerOf = new Map(models.map(({ id, facts }) => [id, facts.provider]));
  const extraOf = ({ id, fallbacks }: StoredModel) => {
    const bytes = [id, ...fallbacks].map((each) => extraBytes.get(providerOf.get(each) ?? '') ?? 0);
    return Math.max(...bytes);
  };
  const inUseModels = yield* mapped(models, MODELS_STEP, (model) =>
    toCatalogueModel(model, isSandboxForAdmins, extraOf(model)),
  );
  const setups = new Map<string, ProviderSetup>();
  const unusableProviders = new Map<string, string>();
  for (const provider of providers) {
    const { code } = provider.facts;
    const problem = whyUnusable(provider, environment);
    if (problem === undefined) setups.set(code, toSetup(provider.facts, environment));
    else unusableProviders.set(code, problem);
  }
  const facts = providers.map((provider) => provider.facts);
  return {
    revision,
    stored,
    models: new Map(inUseModels.map((model) => [model.id, model])),
    setups,
    unusableProviders,
    problems: {
      unresolved: unsetNames(facts, environment),
      unusable: unusableNames(facts.flatMap(sentInHeaders), environment),
      unreadable: providers
        .filter(({ unreadable }) => unreadable)
        .map((provider) => provider.facts.code),
      sharedNames: sharedNames(inUseModels),
    },
  };
}

function sharedNames(models: readonly CatalogueModel[]): string[] {
  const named = Map.groupBy(models, (model) => `${model.type} ${nameOf(model)}`);
  const shared = [...named.values()].filter(({ length }) => length > 1);
  return [...new Set(shared.flat().map(nameOf))];
}

/**
 * Why a provider can't be used now, or undefined. It contains names of variables, never their values: this text goes
 * into the log. While a variable is not set, a provider without an explicit address would be called at the standard
 * address of its kind, and a stranger would get the operator's key.
 */
function whyUnusable(
  { facts, unreadable }: StoredProvider,
  environment: Environment,
): string | undefined {
  if (unreadable) return 'its key cannot be decrypted: apply the catalogue again';
  const unusable = unusableNames(sentInHeaders(facts), environment);
  if (unusable.length > 0) return `not usable as keys in the environment: ${unusable.join(', ')}`;
  const unset = unsetNames([facts], environment);
  return unset.length > 0 ? `not set in the environment: ${unset.join(', ')}` : undefined;
}

function toCatalogueModel(
  { id, origin, versionId, facts, fallbacks }: StoredModel,
  isSandboxForAdmins: boolean,
  extraInputBytes: number,
): CatalogueModel {
  const adminsOnly = facts.price === null || (origin === 'builtin' && isSandboxForAdmins);
  const view = toView(id, facts);
  const operatorPrice = facts.cost ? rubleCost(facts.cost) : null;
  return { ...facts, id, versionId, view, adminsOnly, fallbacks, extraInputBytes, operatorPrice };
}

function toSetup(facts: ProviderFacts, environment: Environment): ProviderSetup {
  const { code, kind, baseUrl, timeoutSeconds, maxConcurrent, maxRequestsPerMinute } = facts;
  const keys = facts.keys.map(({ key, weight }) => ({ key: substitute(key, environment), weight }));
  const options = Object.entries(facts.options).map(([name, text]) => [
    name,
    substitute(text, environment),
  ]);
  const headers = Object.entries(facts.headers ?? {}).map(([name, text]) => [
    name.toLowerCase(),
    substitute(text, environment),
  ]);
  return {
    code,
    kind,
    baseUrl: baseUrl === null ? undefined : substitute(baseUrl, environment),
    apiKey: keys[0]?.key,
    timeoutSeconds,
    options: Object.fromEntries(options),
    ...(facts.headers && { headers: Object.fromEntries(headers) }),
    ...(facts.extraBody && { extraBody: facts.extraBody }),
    routing: { keys, maxConcurrent, maxRequestsPerMinute },
  };
}

export type CatalogueListing = ReturnType<typeof listCatalogue>;

/** The providers and models in use as JSON shows them to admins, without secrets. */
export function listCatalogue({ revision, stored, models }: Snapshot) {
  return {
    revision,
    providers: inUse(stored).providers.map(({ origin, facts }) => ({
      code: facts.code,
      origin,
      kind: facts.kind,
      base_url: facts.baseUrl,
      ...showKeys(facts.keys),
      /** Null: no limit. */
      max_concurrent: facts.maxConcurrent ?? null,
      max_requests_per_minute: facts.maxRequestsPerMinute ?? null,
      timeout_seconds: facts.timeoutSeconds,
      /** As written, with `${NAME}` not substituted. */
      options: facts.options,
      /** Each as its reference, or `(set)`; null: none. */
      headers: showHeaders(facts),
      extra_body: facts.extraBody ?? null,
    })),
    models: stored.models.flatMap(({ id, origin }) => {
      const model = models.get(id);
      if (!model) return [];
      const { view, cost, fallbacks } = model;
      return [{ ...view, origin, fallbacks, cost: cost ? costView(cost) : null }];
    }),
  };
}
