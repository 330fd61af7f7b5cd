import type { Steps } from '../../lib/steps.ts';
import { assignIds } from '../file-ids.ts';
import { inUse, planInSteps, type StoredCatalogue } from '../plan.ts';
import type { Planned as PlannedChange } from '../store.ts';
import type { ImportReport } from './outcome.ts';
import { planImport, subjectOf, type Planned } from './plan-import.ts';
import type { PriceList } from './price-list.ts';
import type { ImportOptions } from './terms.ts';

/** Plans an import into the stored catalogue. Pure. @param lastId the largest id assigned so far */
export function* planStoredImport(
  list: PriceList,
  stored: StoredCatalogue,
  lastId: number,
  options: ImportOptions,
): Steps<PlannedChange & { report: ImportReport }> {
  const live = inUse(stored);
  // The built-in models keep their prices.
  const models = live.models.filter(({ origin }) => origin !== 'builtin');
  const providers = live.providers.filter(({ origin }) => origin !== 'builtin');
  const targets = { providers: providers.map(({ facts }) => facts), models };
  const { report, changed, added } = yield* planImport(list, targets, options);
  const assigned = addedModels(added, stored, lastId);
  const repriced = new Map([...changed].map(([model, { facts }]) => [model.id, facts]));
  const wanted = {
    sandbox: stored.sandbox,
    providers: live.providers,
    models: [
      ...live.models.map((model) => {
        const facts = repriced.get(model.id);
        return facts ? { ...model, facts } : model;
      }),
      ...assigned.models,
    ],
  };
  return { report, plan: yield* planInSteps(stored, wanted), lastId: assigned.lastId };
}

/** Assigns ids to the new models: the id of a retired model of the same name, or a new one. */
function addedModels(
  added: readonly Planned[],
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
