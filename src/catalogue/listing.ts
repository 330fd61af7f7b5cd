import { showKey, shownOf } from './changes.ts';
import { showKeys } from './routing.ts';
import type { Snapshot } from './snapshot.ts';

export type CatalogueListing = ReturnType<typeof listCatalogue>;

/** The providers and models in use as JSON shows them to admins, without secrets. */
export function listCatalogue({ revision, stored, models }: Snapshot) {
  return {
    revision,
    providers: stored.providers
      .filter(({ retired }) => !retired)
      .map(({ origin, facts, unreadable }) => ({
        code: facts.code,
        origin,
        kind: facts.kind,
        base_url: facts.baseUrl,
        /** `${NAME}`, `(set)`, or null for none. */
        api_key: unreadable ? '(set)' : showKey(facts.apiKey),
        /** Several keys with their weights in place of one; null: none. */
        api_keys: showKeys(facts.routing, shownOf),
        /** Null: no limit. */
        max_concurrent: facts.routing?.maxConcurrent ?? null,
        max_requests_per_minute: facts.routing?.maxRequestsPerMinute ?? null,
        timeout_seconds: facts.timeoutSeconds,
        /** As written, with `${NAME}` not substituted. */
        options: facts.options,
      })),
    models: stored.models.flatMap(({ id, origin }) => {
      const model = models.get(id);
      return model ? [{ ...model.view, origin, fallbacks: model.fallbacks }] : [];
    }),
  };
}
