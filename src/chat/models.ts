import type { Catalogue, CatalogueModel } from '../catalogue/index.ts';
import { DomainError } from '../lib/errors.ts';

interface ModelAccess {
  catalogue: Catalogue;
  /** Asked of the database at each use, never read from a token. */
  isAdmin: (userId: number) => Promise<boolean>;
}

/**
 * The model of that id, if this user may use it: a model without a price is for admins only.
 * @throws `model_not_found`
 */
export async function usableModel(
  access: ModelAccess,
  userId: number,
  id: number,
): Promise<CatalogueModel> {
  const model = access.catalogue.get(id);
  if (!model || (model.price === null && !(await access.isAdmin(userId)))) {
    throw new DomainError(
      'model_not_found',
      `there is no model ${id} that you may use: /ai/settings/ lists them`,
    );
  }
  return model;
}

/** The models that this user may use, by id. */
export async function usableModels(access: ModelAccess, userId: number): Promise<CatalogueModel[]> {
  const models = access.catalogue.list();
  if (models.every((model) => model.price !== null)) return models;
  const isAdmin = await access.isAdmin(userId);
  return models.filter((model) => isAdmin || model.price !== null);
}
