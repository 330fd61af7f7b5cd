import type { Catalogue, CatalogueModel } from '../../catalogue/index.ts';
import type { ModelAccess } from './send-input.ts';
import type { Limits } from '../../ledger/index.ts';
import { invalidField } from '../../lib/errors.ts';

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
