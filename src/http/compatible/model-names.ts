import { nameOf, type Catalogue, type CatalogueModel } from '../../catalogue/index.ts';
import { DomainError } from '../../lib/errors.ts';
import type { Quota } from '../../lib/quota.ts';

/** Tells the name of a version of a model, e.g. of the one that answered. */
export type VersionNames = (versionId: number) => Promise<string>;

/** The names of versions as they were then, so that a kept answer is told alike whenever it is told. */
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

/** Whether it is not there or not for this caller is not told apart. */
export function noModelNamed(name: string, quotas: readonly Quota[] = []): DomainError {
  return notFound(`there is no model ${name} that you may use: see /v1/models`, quotas);
}

function notFound(message: string, quotas: readonly Quota[] = []): DomainError {
  const details = [{ path: 'model', message: 'must be a name of /v1/models' }];
  return new DomainError('model_not_found', message, { details, quotas });
}
