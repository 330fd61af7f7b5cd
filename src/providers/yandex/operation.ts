import type { Secrets } from '../shared/reported-failure.ts';
import { z } from 'zod';
import { acceptedFailure, malformedAnswer, type ErrorFacts } from '../shared/failures.ts';
import { decodeImage } from '../shared/images.ts';
import { anything, label, readWire, section, text } from '../shared/wire.ts';
import { noUsage } from '../spec.ts';

/** `{"id", "done", "response": {"image"}}`, or `{"id", "done", "error": {"code", "message"}}`. */
const wireOperation = z.object({
  id: label,
  done: anything,
  error: section({ code: anything, message: anything }),
  response: section({ image: text }),
});

/** `{"error": {"grpcCode", "httpCode", "message"}}` or `{"error": "…", "code", "message"}` */
const wireError = section({
  error: section({ grpcCode: anything, message: anything }),
  code: anything,
  message: anything,
});

type Progress = { done: false; id: string } | { done: true; image: Uint8Array };

/** The HTTP status for each gRPC code that says more than just "failed". */
const statuses: ReadonlyMap<number, number> = new Map([
  [3, 400],
  [4, 504],
  [5, 404],
  [7, 403],
  [8, 429],
  [14, 503],
  [16, 401],
]);

/** How the safety system of YandexART refuses; it has no error code. */
const refusal = /may violate the terms of use/i;

export function explainError(body: unknown): ErrorFacts {
  const answer = wireError.parse(body);
  const message = answer?.error?.message ?? answer?.message;
  const code = answer?.error?.grpcCode ?? answer?.code;
  return { reported: { code, message }, contentRefused: refusal.test(String(message)) };
}

/** @throws ProviderError `content_refused`, or the failure that the operation's error stands for */
export function readOperation(body: unknown, secret: Secrets): Progress {
  const { id, done, error, response } = readWire(wireOperation, body);
  if (id === null) throw malformedAnswer('it is not an operation');
  if (error) {
    const status = statuses.get(Number(error.code)) ?? 500;
    throw acceptedFailure({ ...explainError(error), status }, secret);
  }
  if (done !== true) return { done: false, id };
  if (response?.image === undefined) throw malformedAnswer('it has no image');
  return { done: true, image: decodeImage(response.image, noUsage) };
}
