import { nameOf, type CatalogueModel } from '../../catalogue/index.ts';

/** A model in OpenAI's shape, with the native Model in an extra field. */
export function modelView(model: CatalogueModel): Record<string, unknown> {
  return {
    id: nameOf(model),
    object: 'model',
    created: 0,
    owned_by: model.view.code,
    zastava: model.view,
  };
}

/** The list of models in OpenAI's shape. It has no pages. */
export function modelList(models: readonly CatalogueModel[]): Record<string, unknown> {
  return { object: 'list', data: models.map(modelView) };
}
