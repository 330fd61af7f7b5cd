import { type CatalogueModel, nameOf } from '../../catalogue/index.ts';
import { invalidField } from '../../lib/errors.ts';
import { keyIdOf } from '../../users/index.ts';
import type { OperationParts } from '../operation-parts.ts';
import type { HttpContext } from '../request-facts.ts';
import { authenticate, isAnthropicClient } from './call.ts';
import { requestIdHeader } from './errors.ts';
import { modelNamed } from './models.ts';

/** The list of models, or one model, in the shape that the client expects. */
export async function answerModels(c: HttpContext, parts: OperationParts): Promise<Response> {
  const caller = await authenticate(parts.authenticator, c.req.raw);
  c.env.userId = caller.userId;
  const usable = await parts.modelsWithinLimits(caller.userId, keyIdOf(caller));
  const name = nameIn(c.req.path);
  if (isAnthropicClient(c.req.raw)) {
    const view =
      name === '' ? anthropicPage(usable, c.req.query()) : anthropicModel(modelNamed(usable, name));
    return Response.json(view, { headers: requestIdHeader(c.env.requestId) });
  }
  return Response.json(name === '' ? openAiList(usable) : openAiModel(modelNamed(usable, name)));
}

/** The model that a path under `/v1/models` names, including slashes; empty for the list itself. */
function nameIn(path: string): string {
  const rest = path.slice('/v1/models'.length).replaceAll(/^\/+|\/+$/g, '');
  try {
    return decodeURIComponent(rest);
  } catch {
    return rest;
  }
}

/** A model in OpenAI's shape, with the native Model in an extra field. */
function openAiModel(model: CatalogueModel): Record<string, unknown> {
  return {
    id: nameOf(model),
    object: 'model',
    created: 0,
    owned_by: model.view.code,
    zastava: model.view,
  };
}

function openAiList(models: readonly CatalogueModel[]): Record<string, unknown> {
  return { object: 'list', data: models.map(openAiModel) };
}

/** The date of a model is not known, but Anthropic's clients need one. */
const UNKNOWN_DATE = '1970-01-01T00:00:00Z';

/** A model in Anthropic's shape, with the native Model in an extra field. */
function anthropicModel(model: CatalogueModel): Record<string, unknown> {
  const { view } = model;
  return {
    type: 'model',
    id: nameOf(model),
    display_name: view.description === '' ? nameOf(model) : view.description,
    created_at: UNKNOWN_DATE,
    zastava: view,
  };
}

/** The same limit as Anthropic's. */
const PAGE_MAX_MODELS = 1000;

/**
 * A page of the list: `limit` models after `after_id` or before `before_id`. Without a limit, all models; Anthropic
 * returns 20. `has_more` refers to the direction of the pages.
 * @param query of the request
 * @throws `invalid_request` for a limit out of range or an unknown id
 */
function anthropicPage(
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
  const data = page.map(anthropicModel);
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
