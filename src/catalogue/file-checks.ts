import { didYouMean } from '../lib/nearest.ts';
import type { FileModel } from './file-schema.ts';
import { usualModality } from './modality.ts';
import type { Path } from './problems.ts';
import type { ProviderOption } from './provider-facts.ts';
import { namesIn } from './references.ts';

type Refuse = (model: FileModel, field: Path, message: string) => void;

export interface FallbackTarget {
  /** The value as written in the file, of whatever type. */
  type: unknown;
  modality: unknown;
  priced: boolean;
}

/**
 * An id identifies one model; without an id, provider, model and type do. An alias may be used only once: of two models
 * with the same alias, clients could reach only the first.
 */
export function checkUnique(models: readonly FileModel[], refuse: Refuse): void {
  const lines = new Map<string, number>();
  for (const model of models) {
    const { id, line } = model;
    const { provider, model: name, type, alias } = model.facts;
    const once = (field: string, key: unknown, same: string) => {
      const text = JSON.stringify([field, key]);
      const before = lines.get(text);
      if (before === undefined) lines.set(text, line);
      else refuse(model, [field], `the model in line ${before} has the same ${same}`);
    };
    if (id !== undefined) once('id', id, 'id');
    // The placeholders of wrong fields do not count as names.
    else if (provider !== '' && name !== '')
      once('model', [provider, name, type], 'provider, model and type: give each an id');
    if (alias !== null) once('model_alias', alias, 'model_alias');
  }
}

/** Refuses fallbacks that do not exist, have another type, or would make an answer free. */
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
  if (id === model.id) return 'a model cannot be its own fallback';
  if (!target) return `no model of this file has the id ${id}`;
  if (target.type !== model.facts.type) return `model ${id} is of another type`;
  const { modality = usualModality(model.facts.type) } = target;
  if (modality !== model.facts.modality) return `model ${id} is of another modality`;
  if (model.fallbacks.indexOf(id) < index) return `model ${id} is listed twice`;
  // The charge is the lower of the two prices: without a price, the answer would be free.
  if (model.facts.price && !target.priced)
    return `model ${id} has no price, but this model has one: give it a price`;
  return undefined;
}

export function optionProblems(
  kind: string,
  options: Readonly<Record<string, string>>,
  known: readonly ProviderOption[],
): { name: string; message: string }[] {
  const names = known.map(({ name }) => name);
  const unknown = Object.keys(options).filter((name) => !names.includes(name));
  return [
    ...unknown.map((name) => ({ name, message: unknownOption(kind, name, names) })),
    ...known.flatMap((option) => {
      const message = valueProblem(kind, option, options[option.name]);
      return message === undefined ? [] : [{ name: option.name, message }];
    }),
  ];
}

function unknownOption(kind: string, name: string, names: readonly string[]): string {
  if (names.length === 0) return `unknown option: the kind ${kind} has none`;
  return `unknown option${didYouMean(name, names)}: the kind ${kind} has ${names.join(', ')}`;
}

function valueProblem(
  kind: string,
  { required = false, values }: ProviderOption,
  value: string | undefined,
): string | undefined {
  if (value === undefined) return required ? `is missing: the kind ${kind} needs it` : undefined;
  // Only the server knows the values of variables.
  if (!values || namesIn(value).length > 0 || values.includes(value)) return undefined;
  return `must be one of ${values.join(', ')}`;
}
