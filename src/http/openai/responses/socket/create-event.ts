import { DomainError, invalidField } from '../../../../lib/errors.ts';
import { parseJsonObject } from '../../../body/json.ts';
import { scanJson } from '../../../body/scan.ts';

export type Fields = Record<string, unknown>;

/** UTF-16 units of a message that is parsed here. A longer one is passed on, and parsed on the thread for large bodies. */
export const PARSED_UNITS_MAX = 1024 * 1024;

/**
 * A `response.create`.
 * `body`: the fields of a POST to `/v1/responses`. `text`: the same as JSON, of a message too long to be parsed here.
 */
export type CreateEvent = { body: Fields; generate: boolean } | { text: string };

const encoder = new TextEncoder();

/** @throws `invalid_json`, `invalid_request`, `payload_too_large` */
export function readCreateEvent(message: string): CreateEvent {
  if (message.length > PARSED_UNITS_MAX) return { text: asStream(message) };
  const bytes = encoder.encode(message);
  scanJson(bytes);
  const { type, stream, background, stream_id, generate, ...body } = parseJsonObject(bytes);
  if (type !== 'response.create') {
    throw invalidField('type', 'must be response.create: other events are not supported');
  }
  if (stream === false) throw invalidField('stream', 'must be left out: responses are streamed');
  if (background === true) throw invalidField('background', 'works over HTTP only');
  if (stream_id != null) {
    throw invalidField('stream_id', 'is not supported: open a connection for each conversation');
  }
  return { body, generate: generate !== false };
}

/** Adds `stream: true` to the JSON of an object. */
function asStream(message: string): string {
  const text = message.trimStart();
  if (text.startsWith('{')) return `{"stream":true,${text.slice(1)}`;
  throw new DomainError('invalid_json', 'a message must be a JSON object');
}
