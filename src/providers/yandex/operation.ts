import { acceptedFailure } from '../shared/error-facts.ts';
import { malformedAnswer } from '../shared/failures.ts';
import { decodeImage } from '../shared/images.ts';
import { readWire } from '../shared/wire.ts';
import { noUsage } from '../spec.ts';
import { isRefusal } from './errors.ts';
import { wireOperation } from './wire.ts';

/** The state of an asynchronous operation. */
export type Progress = { done: false; id: string } | { done: true; image: Uint8Array };

/** The HTTP status for each gRPC code that says more than that something failed. */
const statuses: ReadonlyMap<number, number> = new Map([
  [3, 400],
  [4, 504],
  [5, 404],
  [7, 403],
  [8, 429],
  [14, 503],
  [16, 401],
]);

/** @throws ProviderError `content_refused`, or the failure that the operation's error stands for */
export function readOperation(body: unknown, secret: string | undefined): Progress {
  const { id, done, error, response } = readWire(wireOperation, body);
  if (id === null) throw malformedAnswer('it is not an operation');
  if (error) {
    const facts = { reported: error, contentRefused: isRefusal(error.message) };
    throw acceptedFailure(facts, statuses.get(Number(error.code)) ?? 500, secret, undefined);
  }
  if (done !== true) return { done: false, id };
  if (response?.image === undefined) throw malformedAnswer('it has no image');
  return { done: true, image: decodeImage(response.image, noUsage) };
}
