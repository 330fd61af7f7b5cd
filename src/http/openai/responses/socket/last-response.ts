import type { Fields } from './create-event.ts';

/** UTF-16 units, as JSON, of a conversation that a connection keeps. */
const KEPT_UNITS_MAX = 2 * 1024 * 1024;

interface Kept {
  id: string;
  /** The input items that say all of the conversation since `storedId`. */
  items: readonly unknown[];
  /** A stored response before the items. */
  storedId: string | undefined;
}

/**
 * The conversation up to the last response of a connection, if that response is not stored: the next request on the
 * same connection may continue it by `previous_response_id`. Its next use removes it, so that a failed request can't be
 * continued.
 */
export class LastResponse {
  #kept: Kept | undefined;

  /** @returns the request with the whole conversation as input; the same request if it continues something else */
  continued(body: Fields): { body: Fields; isOurs: boolean } {
    const { previous_response_id: previous } = body;
    const kept = this.#kept;
    this.#kept = undefined;
    if (kept === undefined || previous !== kept.id) return { body, isOurs: false };
    const input = [...kept.items, ...itemsIn(body['input'])];
    return { body: { ...body, previous_response_id: kept.storedId, input }, isOurs: true };
  }

  /**
   * Keeps a response.
   * @param body from `continued`
   * @param units about the length of request and response as JSON
   */
  keep(id: string, body: Fields, output: readonly unknown[], units: number): void {
    if (units > KEPT_UNITS_MAX) return;
    const { previous_response_id: stored } = body;
    this.#kept = {
      id,
      items: [...itemsIn(body['input']), ...output],
      storedId: typeof stored === 'string' ? stored : undefined,
    };
  }
}

function itemsIn(input: unknown): readonly unknown[] {
  if (typeof input === 'string') return [{ type: 'message', role: 'user', content: input }];
  return Array.isArray(input) ? input : [];
}
