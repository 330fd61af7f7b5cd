import { nameOf, type Catalogue, type CatalogueModel } from '../../catalogue/index.ts';
import { DomainError } from '../../lib/errors.ts';
import type { Quota } from '../../lib/quota.ts';

/** Finds the name of a version of a model, e.g. of the one that answered. */
export type VersionNames = (versionId: number) => Promise<string>;

/** The names of versions at their time, so that a stored answer looks the same whenever it is repeated. */
export function versionNames(catalogue: Pick<Catalogue, 'versionView'>): VersionNames {
  return async (versionId) => nameOf({ view: await catalogue.versionView(versionId) });
}

/**
 * Finds a model by its alias, its id, `provider/name`, or its bare name where only one model has it.
 * @param models those that the caller may use
 * @param wanted of a text and an image model of one name, which is meant
 * @throws `model_not_found`
 */
export function modelNamed(
  models: readonly CatalogueModel[],
  name: string,
  wanted?: CatalogueModel['type'],
): CatalogueModel {
  const ofType = models.filter(({ type }) => type === wanted);
  const found = onlyOneNamed(ofType, name) ?? onlyOneNamed(models, name);
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

/** The same error whether there is no such model or the caller may not use it. */
export function noModelNamed(name: string, quotas: readonly Quota[] = []): DomainError {
  return notFound(`there is no model ${name} that you may use: see /v1/models`, quotas);
}

function notFound(message: string, quotas: readonly Quota[] = []): DomainError {
  const details = [{ path: 'model', message: 'must be a name of /v1/models' }];
  return new DomainError('model_not_found', message, { details, quotas });
}
