import { showKey, shownOf } from './changes.ts';
import type { ModelView } from './model.ts';
import type { Origin } from './plan.ts';
import { showKeys } from './routing.ts';
import type { Snapshot } from './snapshot.ts';

export interface ListedProvider {
  code: string;
  origin: Origin;
  kind: string;
  base_url: string | null;
  /** `${NAME}`, `(set)`, or null for none. */
  api_key: string | null;
  /** Several keys in place of one, with their weights; null for none. */
  api_keys: string | null;
  /** Null: not limited. */
  max_concurrent: number | null;
  max_requests_per_minute: number | null;
  timeout_seconds: number;
  /** As they were written, `${NAME}` and all. */
  options: Readonly<Record<string, string>>;
}

export type ListedModel = ModelView & { origin: Origin; fallbacks: readonly number[] };

/** The catalogue in use, without secrets. */
export interface CatalogueListing {
  revision: number;
  providers: ListedProvider[];
  models: ListedModel[];
}

/** The providers and models in use, as JSON shows them to admins. */
export function listCatalogue({ revision, stored, models }: Snapshot): CatalogueListing {
  return {
    revision,
    providers: stored.providers
      .filter(({ retired }) => !retired)
      .map(({ origin, facts, unreadable }) => ({
        code: facts.code,
        origin,
        kind: facts.kind,
        base_url: facts.baseUrl,
        api_key: unreadable ? '(set)' : showKey(facts.apiKey),
        api_keys: showKeys(facts.routing, shownOf),
        max_concurrent: facts.routing?.maxConcurrent ?? null,
        max_requests_per_minute: facts.routing?.maxRequestsPerMinute ?? null,
        timeout_seconds: facts.timeoutSeconds,
        options: facts.options,
      })),
    models: stored.models.flatMap(({ id, origin }) => {
      const model = models.get(id);
      return model ? [{ ...model.view, origin, fallbacks: model.fallbacks }] : [];
    }),
  };
}
