import { nameOf, type CatalogueModel } from '../../catalogue/index.ts';
import { invalidField } from '../../lib/errors.ts';

/** The date of a model is not known, but Anthropic's clients need one. */
const UNKNOWN_DATE = '1970-01-01T00:00:00Z';

/** A model in Anthropic's shape, with the native Model in an extra field. */
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

/** As at Anthropic. */
const PAGE_MAX_MODELS = 1000;

/**
 * A page of the list: `limit` models after `after_id` or before `before_id`. Without a limit, all models; Anthropic
 * gives 20. `has_more` refers to the direction of the pages.
 * @param query of the request
 * @throws `invalid_request` for a limit out of range or an unknown id
 */
export function modelPage(
  models: readonly CatalogueModel[],
  query: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const { after_id: after, before_id: before } = query;
  const limit = limitOf(query['limit']);
  const start = after === undefined ? 0 : placeOf(models, 'after_id', after) + 1;
  const end = before === undefined ? models.length : placeOf(models, 'before_id', before);
  const range = models.slice(start, end);
  const backwards = before !== undefined && after === undefined;
  const page = backwards ? range.slice(-limit) : range.slice(0, limit);
  const data = page.map(modelView);
  return {
    data,
    has_more: data.length < range.length,
    first_id: data[0]?.['id'] ?? null,
    last_id: data.at(-1)?.['id'] ?? null,
  };
}

function limitOf(text: string | undefined): number {
  if (text === undefined) return Number.POSITIVE_INFINITY;
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= PAGE_MAX_MODELS) return limit;
  throw invalidField('limit', `must be a whole number from 1 to ${PAGE_MAX_MODELS}`);
}

function placeOf(models: readonly CatalogueModel[], field: string, id: string): number {
  const place = models.findIndex((model) => nameOf(model) === id);
  if (place < 0) throw invalidField(field, 'must be the id of a model of this list');
  return place;
}
