import { resultOf, type Steps } from '../lib/steps.ts';
import { fallbackChanges, modelChanges, providerChanges, type CatalogueChange } from './changes.ts';
import { MODELS_STEP } from './limits.ts';
import type { ModelFacts } from './model.ts';
import type { ProviderFacts } from './provider-facts.ts';

/** What defined a provider or model: the program itself, an environment variable, or the operator's file. */
export type Origin = 'builtin' | 'preset' | 'file';

/**
 * Whether there are built-in models. `on`: for everybody. Null, the default: for everybody until a model has a price,
 * and then only for admins, so that nobody pays for an answer that no model gave.
 */
export type SandboxMode = 'on' | 'off' | null;

export interface WantedProvider {
  origin: Origin;
  facts: ProviderFacts;
}

export interface WantedModel {
  id: number;
  origin: Origin;
  facts: ModelFacts;
  fallbacks: readonly number[];
}

export interface StoredProvider extends WantedProvider {
  retired: boolean;
  /** A stored key was encrypted with a different server secret, so it is not known. */
  unreadable: boolean;
}

export interface StoredModel extends WantedModel {
  versionId: number;
  retired: boolean;
}

/** The content of the database, including retired rows. */
export interface StoredCatalogue {
  sandbox: SandboxMode;
  providers: readonly StoredProvider[];
  models: readonly StoredModel[];
}

export function inUse({ providers, models }: StoredCatalogue) {
  return {
    providers: providers.filter(({ retired }) => !retired),
    models: models.filter(({ retired }) => !retired),
  };
}

/**
 * Everything that should be in use, of all origins; unchanged parts are the stored objects, and everything else is
 * retired.
 */
export interface WantedCatalogue {
  sandbox: SandboxMode;
  providers: readonly WantedProvider[];
  models: readonly WantedModel[];
}

/** What to write, and the changes in words. */
export interface Plan {
  /** Undefined: stays as it is. */
  sandbox?: SandboxMode;
  providers: (WantedProvider & { retired: boolean })[];
  /** `versionId` undefined: the facts are new and need a new version. */
  models: (WantedModel & { versionId: number | undefined; retired: boolean })[];
  changes: CatalogueChange[];
}

/** Compares what is stored with what is wanted. Pure. An empty plan means that nothing changes. */
export function planChanges(stored: StoredCatalogue, wanted: WantedCatalogue): Plan {
  return resultOf(planInSteps(stored, wanted));
}

/** The same in steps, for catalogues with many models. */
export function* planInSteps(stored: StoredCatalogue, wanted: WantedCatalogue): Steps<Plan> {
  const plan: Plan = { providers: [], models: [], changes: [] };
  const { sandbox } = wanted;
  if (sandbox !== stored.sandbox) {
    plan.sandbox = sandbox;
    const field = { field: 'sandbox', from: stored.sandbox, to: sandbox };
    plan.changes.push({ kind: 'changed', subject: 'catalogue', fields: [field] });
  }
  planProviders(plan, stored.providers, wanted);
  yield* planModels(plan, stored.models, wanted);
  return plan;
}

function planProviders(
  plan: Plan,
  stored: readonly StoredProvider[],
  wanted: WantedCatalogue,
): void {
  const known = new Map(stored.map((provider) => [provider.facts.code, provider]));
  const codes = new Set(wanted.providers.map(({ facts }) => facts.code));
  for (const provider of wanted.providers) {
    const { code } = provider.facts;
    const before = known.get(code);
    // It stays; its key may be unreadable.
    if (provider === before) continue;
    const fields = before ? providerChanges(before.facts, provider.facts, before.unreadable) : [];
    const kind = changeKind(before, fields.length > 0);
    // A change of origin alone is written but not reported.
    if (kind === undefined && before?.origin === provider.origin) continue;
    plan.providers.push({ ...provider, retired: false });
    if (kind !== undefined)
      plan.changes.push({
        kind,
        subject: `provider ${code}`,
        ...(fields.length > 0 && { fields }),
      });
  }
  for (const provider of stored) {
    if (provider.retired || codes.has(provider.facts.code)) continue;
    plan.providers.push({ origin: provider.origin, facts: provider.facts, retired: true });
    plan.changes.push({ kind: 'retired', subject: `provider ${provider.facts.code}` });
  }
}

function* planModels(
  plan: Plan,
  stored: readonly StoredModel[],
  wanted: WantedCatalogue,
): Steps<void> {
  const known = new Map(stored.map((model) => [model.id, model]));
  const ids = new Set(wanted.models.map(({ id }) => id));
  for (const [index, model] of wanted.models.entries()) {
    if (index % MODELS_STEP === 0) yield;
    const before = known.get(model.id);
    if (model === before) continue;
    const facts = before ? modelChanges(before.facts, model.facts) : [];
    const fallbacks = before ? fallbackChanges(before.fallbacks, model.fallbacks) : [];
    const fields = [...facts, ...fallbacks];
    const kind = changeKind(before, fields.length > 0);
    if (kind === undefined) continue;
    const versionId = facts.length > 0 ? undefined : before?.versionId;
    plan.models.push({ ...model, versionId, retired: false });
    plan.changes.push({ kind, subject: subjectOf(model), ...(fields.length > 0 && { fields }) });
  }
  for (const model of stored) {
    if (model.retired || ids.has(model.id)) continue;
    plan.models.push({ ...model, retired: true });
    plan.changes.push({ kind: 'retired', subject: subjectOf(model) });
  }
}

function changeKind(
  before: { retired: boolean } | undefined,
  differs: boolean,
): CatalogueChange['kind'] | undefined {
  if (!before) return 'added';
  if (before.retired) return 'returned';
  return differs ? 'changed' : undefined;
}

function subjectOf({ id, facts }: { id: number; facts: ModelFacts }): string {
  return `model ${id} ${facts.provider}/${facts.model}`;
}
