import type { Catalogue, CatalogueModel } from '../../catalogue/index.ts';
import type { Limits } from '../../ledger/index.ts';
import { DomainError, invalidField } from '../../lib/errors.ts';

interface ModelAccess {
  catalogue: Catalogue;
  /** Asks the database at each use; rights are never read from a token. */
  isAdmin: (userId: number) => Promise<boolean>;
}

/**
 * The model of that id, if this user may use it: a model without a price is for admins only.
 * @throws `model_not_found`
 */
export function modelForUser(
  access: ModelAccess,
  userId: number,
  id: number,
): CatalogueModel | Promise<CatalogueModel> {
  const model = access.catalogue.get(id);
  if (!model) throw noSuchModel(id);
  return model.price === null ? forAdmin(access, userId, model) : model;
}

async function forAdmin(
  access: ModelAccess,
  userId: number,
  model: CatalogueModel,
): Promise<CatalogueModel> {
  if (await access.isAdmin(userId)) return model;
  throw noSuchModel(model.id);
}

/** The same error whether there is no such model or the caller may not use it. */
export function noSuchModel(id: number): DomainError {
  return new DomainError(
    'model_not_found',
    `there is no model ${id} that you may use: /ai/settings/ and /v1/models list them`,
  );
}

/** The models that are for this user, by id, whatever list of allowed ones there is. */
export async function modelsForUser(
  access: ModelAccess,
  userId: number,
): Promise<CatalogueModel[]> {
  const models = access.catalogue.list();
  if (models.every((model) => model.price !== null)) return models;
  const isAdmin = await access.isAdmin(userId);
  return models.filter((model) => isAdmin || model.price !== null);
}

/** The models that this user may use, by id: of those that are for the user, the allowed ones. */
export async function modelsWithinLimits(
  access: ModelAccess & { limits: Limits },
  userId: number,
): Promise<CatalogueModel[]> {
  const models = await modelsForUser(access, userId);
  const { models: allowed } = await access.limits.get(userId);
  return allowed ? models.filter(({ id }) => allowed.includes(id)) : models;
}

/** @throws `invalid_request` naming `models` when one of them is not in the catalogue */
export function checkModelIds(catalogue: Catalogue, ids: readonly number[]): void {
  const unknown = ids.filter((id) => !catalogue.get(id));
  if (unknown.length === 0) return;
  throw invalidField('models', `there is no model ${unknown.join(', ')} in the catalogue`);
}
