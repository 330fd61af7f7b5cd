import type { CatalogueModel } from '../../catalogue/index.ts';
import { nameOf } from '../compatible/model-names.ts';

/** When a model was made is not known; Anthropic's clients ask for a date all the same. */
const UNKNOWN_DATE = '1970-01-01T00:00:00Z';

/** A model as Anthropic's `GET /v1/models` lists it, with the native Model beside. */
export function modelView(model: CatalogueModel): Record<string, unknown> {
  const { view } = model;
  return {
    type: 'model',
    id: nameOf(model),
    display_name: view.description === '' ? nameOf(model) : view.description,
    created_at: UNKNOWN_DATE,
    zastava: view,
  };
}

/** All of them on one page. */
export function modelPage(models: readonly CatalogueModel[]): Record<string, unknown> {
  const data = models.map(modelView);
  return {
    data,
    has_more: false,
    first_id: data[0]?.['id'] ?? null,
    last_id: data.at(-1)?.['id'] ?? null,
  };
}
