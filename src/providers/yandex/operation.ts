import { contentRefused, incomprehensible } from '../shared/failures.ts';
import { decodeImage } from '../shared/image-answer.ts';
import { statusFailure } from '../shared/http.ts';
import { asLabel, asRecord, type JsonRecord } from '../shared/json.ts';
import { reportedFailure } from '../shared/reported-failure.ts';
import { noUsage, type ProviderError } from '../spec.ts';

/** How far an asynchronous operation has come. */
export type Progress = { done: false; id: string } | { done: true; image: Uint8Array };

/** The HTTP status that goes with each code of gRPC which tells more than that something failed. */
const statuses: ReadonlyMap<number, number> = new Map([
  [3, 400],
  [4, 504],
  [5, 404],
  [7, 403],
  [8, 429],
  [14, 503],
  [16, 401],
]);

/** Words by which the safety system of YandexART says no; it has no code of its own. */
const refusal = /may violate the terms of use/i;

/**
 * `{"id", "done", "response": {"image"}}`, or `{"id", "done", "error": {"code", "message"}}`.
 * @throws ProviderError `content_refused`, or what the operation's error means
 */
export function readOperation(body: unknown, secret: string | undefined): Progress {
  const operation = asRecord(body);
  const id = asLabel(operation?.['id']);
  if (!operation || id === null) throw incomprehensible('it is no operation');
  const error = asRecord(operation['error']);
  if (error) throw operationFailure(error, secret);
  if (operation['done'] !== true) return { done: false, id };
  const image = asRecord(operation['response'])?.['image'];
  if (typeof image !== 'string') throw incomprehensible('it has no image');
  return { done: true, image: decodeImage(image, noUsage) };
}

function operationFailure(error: JsonRecord, secret: string | undefined): ProviderError {
  const { code, message } = error;
  const options = { accepted: true, reported: reportedFailure({ code, message }, secret) };
  if (isRefusal(message)) return contentRefused(options);
  return statusFailure(statuses.get(Number(code)) ?? 500, options);
}

export function isRefusal(message: unknown): boolean {
  return typeof message === 'string' && refusal.test(message);
}
