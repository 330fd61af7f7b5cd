import { invalidField } from '../../../../lib/errors.ts';
import { parseJsonObject } from '../../../body/json.ts';
import { emptyResponse, type EmptyResponse } from './empty-response.ts';

/**
 * A `response.create` with its values as JSON: a large message is read on another thread, which hands texts over at
 * little cost.
 */
export interface CreateEvent {
  /** An object with the fields of a POST to `/v1/responses`, without the two below. */
  fields: string;
  input: string | undefined;
  previousId: string | undefined;
  /** For `generate: false`: the complete answer. */
  empty: EmptyResponse | undefined;
}

/** Reads a message, after `scanJson`. @throws `invalid_json`, `invalid_request` */
export function readCreateEvent(bytes: Uint8Array, now: number): CreateEvent {
  const { type, stream, background, stream_id, generate, ...body } = parseJsonObject(bytes);
  if (type !== 'response.create') {
    throw invalidField('type', 'must be response.create: other events are not supported');
  }
  if (stream === false) throw invalidField('stream', 'must be left out: responses are streamed');
  if (background === true) throw invalidField('background', 'works over HTTP only');
  if (stream_id != null) {
    throw invalidField('stream_id', 'is not supported: open a connection for each conversation');
  }
  const { input, previous_response_id: previousId, ...fields } = body;
  return {
    fields: JSON.stringify({ ...fields, stream: true }),
    input: input === undefined ? undefined : JSON.stringify(input),
    previousId: previousId === undefined ? undefined : JSON.stringify(previousId),
    empty: generate === false ? emptyResponse(body, now) : undefined,
  };
}
