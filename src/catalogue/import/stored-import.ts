import { assignIds } from '../file-ids.ts';
import { inUse, planChanges, type Plan, type StoredCatalogue, type WantedModel } from '../plan.ts';
import type { ImportReport } from './outcome.ts';
import { planImport, subjectOf, type ImportPlan, type ImportTarget } from './plan-import.ts';
import type { PriceList } from './price-list.ts';
import type { ImportOptions } from './terms.ts';

/**
 * Plans an import into the stored catalogue. Pure.
 * @param lastId the largest assigned id so far
 */
export function planStoredImport(
  list: PriceList,
  stored: StoredCatalogue,
  lastId: number,
  ask: ImportOptions,
): { report: ImportReport; plan: Plan; lastId: number } {
  const live = inUse(stored);
  // The built-in models keep their prices.
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

/** Assigns ids to the new models: that of a retired model of the same name, or a new one. */
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
