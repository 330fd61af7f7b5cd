import { nameOf, type CatalogueModel } from '../../catalogue/index.ts';
import type { IdempotencyKey } from '../../chat/index.ts';
import { DomainError, invalidField } from '../../lib/errors.ts';
import { modelNamed } from './model-names.ts';

/** No model has this id. A send to it is refused, unless an answer is stored for its idempotency key. */
const NO_MODEL = 0;

interface RequestedModel {
  id: number;
  name: string;
}

/** The type of model that an endpoint takes, and what its error says about other types. */
export interface ModelRule {
  type: CatalogueModel['type'];
  otherwise: string;
}

/**
 * The model that a request names. A stored answer outlives its model, so if there is an idempotency key, an unknown
 * name is left to the send.
 * @param models those that the caller may use
 * @throws `model_not_found`, `invalid_request`
 */
export function requestedModel(
  models: readonly CatalogueModel[],
  name: string,
  rule: ModelRule,
  key?: IdempotencyKey,
): RequestedModel {
  try {
    const model = modelOfType(models, name, rule);
    return { id: model.id, name: nameOf(model) };
  } catch (error) {
    const mayBeStored = key && error instanceof DomainError && error.code === 'model_not_found';
    if (mayBeStored) return { id: NO_MODEL, name };
    throw error;
  }
}

/** @throws `model_not_found`, `invalid_request` */
export function modelOfType(
  models: readonly CatalogueModel[],
  name: string,
  { type, otherwise }: ModelRule,
): CatalogueModel {
  const model = modelNamed(models, name, type);
  if (model.type !== type) throw invalidField('model', otherwise);
  return model;
}
