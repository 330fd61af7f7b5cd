/** Finds how long audio is before it is sent, on a thread, since counting the frames of a file can take a second. */
import { workerFile } from '../../lib/compiled.ts';
import { DomainError, invalidField } from '../../lib/errors.ts';
import { Semaphore } from '../../lib/semaphore.ts';

/** How long reading one file may take, in milliseconds. */
const READING_MAX_MS = 20_000;
/** Files of one user that may wait, within the memory budget of bodies; one file is read at a time. */
const WAITING_MAX = 1_000;
const RETRY_AFTER_S = 5;
/** The thread ends after this time without a file, and frees its memory. */
const IDLE_MS = 10_000;

/** The thread's answer: null if it can't find the length, or the message of an error. */
export type DurationAnswer = { seconds: number | null } | { failure: string };

const turns = new Semaphore(1, WAITING_MAX);
let thread: Worker | undefined;
let idle: Timer | undefined;
/** The file that is being read. */
let running: PromiseWithResolvers<number | null> | undefined;

/**
 * The length of an audio file in whole seconds, at least 1, according to its container and its frames.
 * @param userId users take turns
 * @throws `invalid_request` that names `file` if the length can't be found; `overloaded` when too many files wait
 */
export async function secondsOfAudio(bytes: Uint8Array, userId: number): Promise<number> {
  const seconds = await turns.run(() => read(bytes), tooMany, String(userId));
  if (seconds !== null) return Math.max(1, Math.ceil(seconds));
  const why =
    'must be audio whose length can be read: wav, mp3, flac, ogg, webm, m4a, mp4 or aac, and not empty';
  throw invalidField('file', why);
}

async function read(bytes: Uint8Array): Promise<number | null> {
  clearTimeout(idle);
  const found = Promise.withResolvers<number | null>();
  running = found;
  thread ??= start();
  const timer = setTimeout(() => {
    end();
    found.resolve(null);
  }, READING_MAX_MS);
  // The bytes themselves are sent later. A copy by `slice` would share the memory of a buffer.
  const copy = new Uint8Array(bytes);
  thread.postMessage(copy, [copy.buffer]);
  return found.promise.finally(() => {
    clearTimeout(timer);
    idle = setTimeout(end, IDLE_MS);
    idle.unref();
  });
}

function start(): Worker {
  const worker = new Worker(workerFile('chat/audio/duration-worker'));
  worker.unref();
  worker.addEventListener('message', ({ data }: MessageEvent<DurationAnswer>) => {
    if ('seconds' in data) running?.resolve(data.seconds);
    else running?.reject(new Error(data.failure));
  });
  worker.addEventListener('error', ({ message }) => {
    end();
    running?.reject(new Error(`the thread of audio failed: ${message}`));
  });
  return worker;
}

function end(): void {
  thread?.terminate();
  thread = undefined;
}

function tooMany(): DomainError {
  return new DomainError('overloaded', 'too many of your audio files wait to be read: try again', {
    retryAfterSeconds: RETRY_AFTER_S,
  });
}
