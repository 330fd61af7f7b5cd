import type { FileModel } from './file-schema.ts';
import { FILE_ID_MAX, FRESH_ID_MIN } from './limits.ts';
import type { ModelFacts } from './model.ts';
import type { StoredModel, WantedModel } from './plan.ts';
import { Problems } from './problems.ts';

/**
 * Assigns an id to every model of a file: the id in the file; or else the id of the stored model, possibly retired,
 * with the same provider, model and type; or else a new id that no model has ever had.
 * @param lastId the largest id assigned so far, 0 at first
 * @throws `invalid_request` if a model takes an id of another type, or one that an earlier file gave to another model
 * of this file: the two would silently be swapped
 */
export function assignIds(
  models: readonly FileModel[],
  stored: readonly StoredModel[],
  lastId: number,
): { models: WantedModel[]; lastId: number } {
  const problems = new Problems();
  refuseOtherType(models, stored, problems);
  const claimed = new Set(models.flatMap(({ id }) => (id === undefined ? [] : [id])));
  const remembered = modelsByKey(stored);
  const taken = [...claimed, ...stored.map(({ id }) => id)];
  const fresh = new FreshIds(Math.max(lastId, ...claimed), taken);
  const wanted = models.map(({ id, facts, fallbacks, index, line }): WantedModel => {
    if (id !== undefined) return { id, origin: 'file', facts, fallbacks };
    const candidates = remembered.get(keyOf(facts)) ?? [];
    const free = candidates.find((candidate) => !claimed.has(candidate.id));
    if (!free && candidates[0]) {
      const message = swapProblem(models, candidates[0].id, facts);
      if (message !== undefined) problems.add(line, ['models', index], message);
    }
    return { id: free?.id ?? fresh.next(), origin: 'file', facts, fallbacks };
  });
  problems.refuse();
  return { models: wanted, lastId: fresh.last };
}

/**
 * An operator may give an id to a newer model, which is reported as a change. But the type must stay the same: a client
 * that requests text must not get an image.
 */
function refuseOtherType(
  models: readonly FileModel[],
  stored: readonly StoredModel[],
  problems: Problems,
): void {
  const known = new Map(stored.map((model) => [model.id, model.facts]));
  for (const { id, facts, index, line } of models) {
    const owner = id === undefined ? undefined : known.get(id);
    if (!owner || owner.type === facts.type) continue;
    const message = `the id ${id} belongs to a model of type ${owner.type}, which cannot change: give this model a new id, or none`;
    problems.add(line, ['models', index, 'id'], message);
  }
}

/** The models from files, models in use first. */
function modelsByKey(stored: readonly StoredModel[]): Map<string, StoredModel[]> {
  const ofFiles = stored.filter(({ origin }) => origin === 'file');
  const sorted = ofFiles.toSorted(
    (first, second) => Number(first.retired) - Number(second.retired) || first.id - second.id,
  );
  return Map.groupBy(sorted, ({ facts }) => keyOf(facts));
}

function swapProblem(
  models: readonly FileModel[],
  id: number,
  facts: ModelFacts,
): string | undefined {
  const claimant = models.find((model) => model.id === id);
  // Two entries for one model, one of them with the id: the other one is a separate model.
  if (!claimant || keyOf(claimant.facts) === keyOf(facts)) return undefined;
  return `this model had the id ${id}, which line ${claimant.line} now gives to another model: write "id: ${id}" here, or choose another id there`;
}

function keyOf({ provider, model, type }: ModelFacts): string {
  return JSON.stringify([provider, model, type]);
}

/**
 * Ids for models without one: the next after all assigned ids; or, if a file uses the last possible id, the smallest
 * that no model has ever had. An operator may write any of them into a file, to pin it.
 */
export class FreshIds {
  readonly #taken: Set<number>;
  #last: number;
  #smallest = FRESH_ID_MIN;

  /**
   * @param lastId the largest id assigned so far, 0 at first
   * @param taken the ids of all models, including retired ones, and the ids in a file
   */
  constructor(lastId: number, taken: Iterable<number>) {
    this.#taken = new Set(taken);
    this.#last = Math.max(lastId, FRESH_ID_MIN - 1);
  }

  /** The largest assigned id so far. */
  get last(): number {
    return this.#last;
  }

  next(): number {
    if (this.#last < FILE_ID_MAX) return ++this.#last;
    while (this.#taken.has(this.#smallest)) this.#smallest++;
    return this.#smallest++;
  }
}
