/** Reads catalogues that come over HTTP on a thread: some small ones keep the parser busy for seconds. */
import { workerFile } from '../lib/compiled.ts';
import { DomainError, type ErrorCode, type ErrorDetail } from '../lib/errors.ts';
import { Semaphore } from '../lib/semaphore.ts';
import type { KnownToFiles } from './file-reading.ts';
import type { CatalogueFile } from './file-schema.ts';

/** How long reading one catalogue may take; 10,000 models take 3 s on a busy machine. */
export const READING_MAX_MS = 10_000;
/** How many catalogues may wait; one is read at a time. */
const WAITING_MAX = 4;
const RETRY_AFTER_S = 5;

export interface ReadRequest {
  text: string;
  known: KnownToFiles;
}

/** The thread's answer: the file, or the parts of a `DomainError`, or the message of another error. */
export type ReadAnswer =
  | { file: CatalogueFile }
  | { code: ErrorCode; message: string; details: ErrorDetail[] }
  | { failure: string };

const turns = new Semaphore(1, WAITING_MAX);

/**
 * Runs `parseCatalogue` on a separate thread, which ends afterwards.
 * @throws like `parseCatalogue`; `invalid_request` after `maxMs`; `overloaded` when too many wait
 */
export function readOnThread(
  text: string,
  known: KnownToFiles,
  maxMs = READING_MAX_MS,
): Promise<CatalogueFile> {
  return turns.run(() => readNow({ text, known }, maxMs), tooMany);
}

function readNow(request: ReadRequest, maxMs: number): Promise<CatalogueFile> {
  const { promise, resolve, reject } = Promise.withResolvers<CatalogueFile>();
  const worker = new Worker(workerFile('catalogue/file-worker'));
  worker.unref();
  const timer = setTimeout(() => reject(tooSlow(maxMs)), maxMs);
  worker.addEventListener('message', ({ data }: MessageEvent<ReadAnswer>) => {
    if ('file' in data) resolve(data.file);
    else reject(errorOf(data));
  });
  worker.addEventListener('error', ({ message }) => reject(errorOf({ failure: message })));
  worker.postMessage(request, []);
  return promise.finally(() => {
    clearTimeout(timer);
    worker.terminate();
  });
}

function errorOf(answer: Exclude<ReadAnswer, { file: CatalogueFile }>): Error {
  if ('failure' in answer) return new Error(`the thread of catalogues failed: ${answer.failure}`);
  return new DomainError(answer.code, answer.message, { details: answer.details });
}

function tooSlow(maxMs: number): DomainError {
  return new DomainError(
    'invalid_request',
    `reading the catalogue took more than ${maxMs / 1000} s: send a smaller one, or use "zastava catalogue apply", which has no such limit`,
  );
}

function tooMany(): DomainError {
  return new DomainError('overloaded', 'other catalogues are being read: try again', {
    retryAfterSeconds: RETRY_AFTER_S,
  });
}
