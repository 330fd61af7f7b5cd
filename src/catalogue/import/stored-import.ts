import { assignIds } from '../file-ids.ts';
import { inUse, planChanges, type Plan, type StoredCatalogue, type WantedModel } from '../plan.ts';
import type { ImportReport } from './outcome.ts';
import { planImport, subjectOf, type ImportPlan, type ImportTarget } from './plan-import.ts';
import type { PriceList } from './price-list.ts';
import type { ImportAsk } from './terms.ts';

/**
 * Plans an import into the catalogue in use. Pure.
 * @param lastId the largest fresh id given so far
 */
export function planStoredImport(
  list: PriceList,
  stored: StoredCatalogue,
  lastId: number,
  ask: ImportAsk,
): { report: ImportReport; plan: Plan; lastId: number } {
  const live = inUse(stored);
  // What comes with the product has the product's prices.
  const models = live.models.filter(({ origin }) => origin !== 'builtin');
  const providers = live.providers.filter(({ origin }) => origin !== 'builtin');
  const targets = new Map<ImportTarget, (typeof models)[number]>(
    models.map((model) => [model, model]),
  );
  const found = planImport(
    list,
    { providers: providers.map(({ facts }) => facts), models: [...targets.keys()] },
    ask,
  );
  const changed = [...found.changed].flatMap(([target, { facts }]): WantedModel[] => {
    const model = targets.get(target);
    return model ? [{ ...model, facts }] : [];
  });
  const added = addedModels(found, stored, lastId);
  const kept = {
    providers: live.providers.map(({ facts }) => facts.code),
    models: live.models.map(({ id }) => id),
  };
  const wanted = { providers: [], models: [...changed, ...added.models], kept };
  const { format, outcomes, notListed } = found;
  return {
    report: { format, outcomes, notListed },
    plan: planChanges(stored, wanted),
    lastId: added.lastId,
  };
}

/** Gives the new models their ids: the one that a retired model of the same name had, or a fresh one. */
function addedModels(
  { added }: ImportPlan,
  stored: StoredCatalogue,
  lastId: number,
): ReturnType<typeof assignIds> {
  const models = added.map(({ facts }, index) => ({
    id: undefined,
    facts,
    fallbacks: [],
    index,
    line: 0,
  }));
  const assigned = assignIds(models, stored.models, lastId);
  for (const [index, { facts, outcome }] of added.entries()) {
    outcome.modelId = assigned.models[index]?.id;
    outcome.subject = subjectOf(outcome.modelId, facts.provider, facts.model);
  }
  return assigned;
}
