import type { CreateEvent } from './create-event.ts';

/** The most UTF-16 units, as JSON, of a conversation that a connection keeps. */
const KEPT_UNITS_MAX = 2 * 1024 * 1024;

/** A request of a connection. All texts are JSON. */
export interface RequestedResponse extends Pick<CreateEvent, 'fields' | 'input' | 'previousId'> {
  /** The client's id of the response that is continued, if this connection keeps it; otherwise undefined. */
  shownId: string | undefined;
}

interface Kept {
  id: string;
  /** A list of the input items that make up the conversation since `storedId`. */
  items: string;
  /** The stored response that comes before the items. */
  storedId: string | undefined;
}

/**
 * The conversation up to the last response of a connection, if that response is not stored: the next request on the
 * same connection may continue it by `previous_response_id`. Its next use removes it, so that a failed request can't be
 * continued.
 */
export class LastResponse {
  #kept: Kept | undefined;

  /** @returns the request with the whole conversation as input; the unchanged request if it continues something else */
  continued({ fields, input, previousId }: CreateEvent): RequestedResponse {
    const kept = this.#kept;
    this.#kept = undefined;
    if (kept === undefined || previousId !== JSON.stringify(kept.id)) {
      return { fields, input, previousId, shownId: undefined };
    }
    const items = joined(kept.items, itemsIn(input));
    return { fields, input: items, previousId: kept.storedId, shownId: kept.id };
  }

  /** Keeps a response. @param output a list of items */
  keep(id: string, { fields, input, previousId }: RequestedResponse, output: string): void {
    const items = joined(itemsIn(input), output);
    if (fields.length + items.length > KEPT_UNITS_MAX) return;
    this.#kept = { id, items, storedId: previousId?.startsWith('"') ? previousId : undefined };
  }
}

/** The body of a POST to `/v1/responses`. */
export function bodyOf({ fields, input, previousId }: RequestedResponse): string {
  let body = fields.slice(0, -1);
  if (previousId !== undefined) body += `,"previous_response_id":${previousId}`;
  if (input !== undefined) body += `,"input":${input}`;
  return `${body}}`;
}

/** @param input as JSON @returns a list, as JSON */
function itemsIn(input = ''): string {
  if (input.startsWith('"')) return `[{"type":"message","role":"user","content":${input}}]`;
  return input.startsWith('[') ? input : '[]';
}

function joined(first: string, second: string): string {
  if (first === '[]') return second;
  return second === '[]' ? first : `${first.slice(0, -1)},${second.slice(1)}`;
}
