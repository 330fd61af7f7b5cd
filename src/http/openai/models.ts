import { nameOf, type CatalogueModel } from '../../catalogue/index.ts';

/** A model as `GET /v1/models` lists it, with the native Model beside. */
export function modelView(model: CatalogueModel): Record<string, unknown> {
  return {
    id: nameOf(model),
    object: 'model',
    created: 0,
    owned_by: model.view.code,
    zastava: model.view,
  };
}
