import {
  type Catalogue,
  type CatalogueModel,
  type Modality,
  nameOf,
  uses,
} from '../../catalogue/index.ts';
import type { IdempotencyKey } from '../../chat/index.ts';
import { DomainError, invalidField } from '../../lib/errors.ts';
import type { Quota } from '../../lib/quota.ts';

/** Finds the name of a model's version, such as the version that answered. */
export type VersionNames = (versionId: number) => string | Promise<string>;

/** The names that versions had at their time, so that a stored answer stays the same. */
export function versionNames(catalogue: Pick<Catalogue, 'versionView'>): VersionNames {
  return (versionId) => {
    const view = catalogue.versionView(versionId);
    return view instanceof Promise ? view.then((one) => nameOf({ view: one })) : nameOf({ view });
  };
}

/** Whether a model can be called by this name: its alias, its id, `provider/name`, or its bare name. */
export function isNamed({ id, model, view }: CatalogueModel, name: string): boolean {
  if (model === name || view.model_alias === name || String(id) === name) return true;
  return name.endsWith(view.model) && name === `${view.code}/${view.model}`;
}

/**
 * Finds a model by its alias, its id, `provider/name`, or its bare name if only one model has it.
 * @param models those that the caller may use
 * @param wanted decides between models of the same name: the one of these modalities is meant
 * @throws `model_not_found`
 */
export function modelNamed(
  models: readonly CatalogueModel[],
  name: string,
  wanted: readonly Modality[] = [],
): CatalogueModel {
  const fitting = models.filter(({ modality }) => wanted.includes(modality));
  const found = onlyOneNamed(fitting, name) ?? onlyOneNamed(models, name);
  if (found) return found;
  if (!models.some(({ model }) => model === name)) throw noModelNamed(name);
  throw notFound(`several models are called ${name}: say provider/name, see /v1/models`);
}

function onlyOneNamed(models: readonly CatalogueModel[], name: string): CatalogueModel | undefined {
  const exact =
    models.find(({ view }) => view.model_alias === name) ??
    models.find(({ view }) => `${view.code}/${view.model}` === name) ??
    models.find(({ id }) => String(id) === name);
  if (exact) return exact;
  const [bare, ...others] = models.filter(({ model }) => model === name);
  return others.length === 0 ? bare : undefined;
}

/** The error is the same for a model that does not exist and one that the caller may not use. */
export function noModelNamed(name: string, quotas: readonly Quota[] = []): DomainError {
  return notFound(`there is no model ${name} that you may use: see /v1/models`, quotas);
}

function notFound(message: string, quotas: readonly Quota[] = []): DomainError {
  const details = [{ path: 'model', message: 'must be a name of /v1/models' }];
  return new DomainError('model_not_found', message, { details, quotas });
}

/** No model has this id. A send to it is refused, unless an answer is stored for its idempotency key. */
const NO_MODEL = 0;

interface RequestedModel {
  id: number;
  name: string;
  modality: Modality;
}

/**
 * The model that a request names. A stored answer outlives its model, so with an idempotency key an unknown name is
 * left to the send.
 * @param models those that the caller may use
 * @param wanted the modalities that the endpoint accepts
 * @throws `model_not_found`, `invalid_request`
 */
export function requestedModel(
  models: readonly CatalogueModel[],
  name: string,
  wanted: readonly Modality[],
  key?: IdempotencyKey,
): RequestedModel {
  try {
    const model = modelFor(models, name, wanted);
    return { id: model.id, name: nameOf(model), modality: model.modality };
  } catch (error) {
    const mayBeStored = key && error instanceof DomainError && error.code === 'model_not_found';
    // The stored answer is found by its key, whatever the modality.
    if (mayBeStored) return { id: NO_MODEL, name, modality: wanted[0] ?? 'text' };
    throw error;
  }
}

/** @throws `model_not_found`, `invalid_request` */
export function modelFor(
  models: readonly CatalogueModel[],
  name: string,
  wanted: readonly Modality[],
): CatalogueModel {
  const model = modelNamed(models, name, wanted);
  if (!wanted.includes(model.modality)) throw invalidField('model', uses[model.modality]);
  return model;
}
