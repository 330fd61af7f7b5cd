import type { Catalogue, CatalogueModel, ModelView } from '../../catalogue/index.ts';
import { DomainError } from '../../lib/errors.ts';
import type { Quota } from '../../lib/quota.ts';

/** The name that a compatible interface shows a model by: its alias, or else provider and name. */
export function nameOf({ view }: { view: ModelView }): string {
  return view.model_alias ?? `${view.code}/${view.model}`;
}

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
  const exact =
    exactlyNamed(
      models.filter(({ type }) => type === wanted),
      name,
    ) ?? exactlyNamed(models, name);
  if (exact) return exact;
  const namesakes = models.filter(({ model }) => model === name);
  const ofType = namesakes.filter(({ type }) => type === wanted);
  const [bare, ...others] = ofType.length > 0 ? ofType : namesakes;
  if (bare && others.length === 0) return bare;
  if (!bare) throw noModelNamed(name);
  throw notFound(`several models are called ${name}: say provider/name, see /v1/models`);
}

function exactlyNamed(models: readonly CatalogueModel[], name: string): CatalogueModel | undefined {
  return (
    models.find(({ view }) => view.model_alias === name) ??
    models.find(({ view }) => `${view.code}/${view.model}` === name) ??
    models.find(({ id }) => String(id) === name)
  );
}

/** Whether it is not there or not for this caller is not told apart. */
export function noModelNamed(name: string, quotas: readonly Quota[] = []): DomainError {
  return notFound(`there is no model ${name} that you may use: see /v1/models`, quotas);
}

function notFound(message: string, quotas: readonly Quota[] = []): DomainError {
  const details = [{ path: 'model', message: 'must be a name of /v1/models' }];
  return new DomainError('model_not_found', message, { details, quotas });
}
