import type { FileModel } from './file-model.ts';
import type { Path } from './problems.ts';

type Refuse = (model: FileModel, field: Path, message: string) => void;

/** Something that a fallback may point to. */
export interface FallbackTarget {
  /** As it stands in the file, so it may be anything. */
  type: unknown;
  priced: boolean;
}

/** An id names one model; so do provider, model and type together where the file gives no id. */
export function checkIds(models: readonly FileModel[], refuse: Refuse): void {
  const lines = new Map<string, number>();
  for (const model of models) {
    const { provider, model: name, type } = model.facts;
    const key = model.id === undefined ? JSON.stringify([provider, name, type]) : `${model.id}`;
    const line = lines.get(key);
    if (line === undefined) lines.set(key, model.line);
    else if (model.id !== undefined) {
      refuse(model, ['id'], `the model of line ${line} has the same id`);
    } else {
      const message = `the model of line ${line} has the same provider, model and type: give each an id`;
      refuse(model, ['model'], message);
    }
  }
}

/** Each alias may be used once: of two models with one alias, clients could reach only the first by it. */
export function checkAliases(models: readonly FileModel[], refuse: Refuse): void {
  const lines = new Map<string, number>();
  for (const model of models) {
    const { alias } = model.facts;
    if (alias === null) continue;
    const line = lines.get(alias);
    if (line === undefined) lines.set(alias, model.line);
    else refuse(model, ['model_alias'], `the model of line ${line} has the same model_alias`);
  }
}

/** Refuses fallbacks that do not exist, are of another type, or would give an answer away. */
export function checkFallbacks(
  models: readonly FileModel[],
  targets: ReadonlyMap<number, FallbackTarget>,
  refuse: Refuse,
): void {
  for (const model of models) {
    model.fallbacks.forEach((id, index) => {
      const problem = fallbackProblem(model, id, index, targets.get(id));
      if (problem !== undefined) refuse(model, ['fallbacks', index], problem);
    });
  }
}

function fallbackProblem(
  model: FileModel,
  id: number,
  index: number,
  target: FallbackTarget | undefined,
): string | undefined {
  if (id === model.id) return 'a model can not be its own fallback';
  if (!target) return `no model of this file has the id ${id}`;
  if (target.type !== model.facts.type) return `model ${id} is of another type`;
  if (model.fallbacks.indexOf(id) < index) return `model ${id} stands here twice`;
  // The charge is the lower of the two prices: without one, the answer would be given away.
  if (model.facts.price && !target.priced) return `model ${id} has no price, and this one has`;
  return undefined;
}
