import { nameOf, type CatalogueModel } from '../../catalogue/index.ts';
import type { IdempotencyKey } from '../../chat/index.ts';
import { DomainError, invalidField } from '../../lib/errors.ts';
import { modelNamed } from './model-names.ts';

/** No model has this id. A send to it is refused, unless an answer is stored for its idempotency key. */
const NO_MODEL = 0;

/** The model of a send, as far as an endpoint needs it. */
export interface AskedModel {
  id: number;
  name: string;
}

/** What kind of model an endpoint takes, and its word for one of the other kind. */
export interface Wanted {
  type: CatalogueModel['type'];
  otherwise: string;
}

/**
 * The model that a request names. An answer that was kept for an idempotency key outlives its model, so with
 * a key a name that is unknown by now is left to the send.
 * @param models those that are for the caller
 * @throws `model_not_found`, `invalid_request`
 */
export function askedModel(
  models: readonly CatalogueModel[],
  name: string,
  { type, otherwise }: Wanted,
  key: IdempotencyKey | undefined,
): AskedModel {
  let model: CatalogueModel;
  try {
    model = modelNamed(models, name, type);
  } catch (error) {
    const mayBeKept = key && error instanceof DomainError && error.code === 'model_not_found';
    if (mayBeKept) return { id: NO_MODEL, name };
    throw error;
  }
  if (model.type !== type) throw invalidField('model', otherwise);
  return { id: model.id, name: nameOf(model) };
}
