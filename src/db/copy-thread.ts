import { workerFile } from '../lib/compiled.ts';
import { whenAborted } from '../lib/stop-signal.ts';

export type CopyRequest =
  { kind: 'copy'; source: string; part: string } | { kind: 'check'; path: string };

/** The result of a check of a database file. */
export interface Checked {
  /** `ok`, or the first problem of its pages. */
  problem: string;
  /** The number of its last migration; undefined for a database that is not Zastava's. */
  schema: number | undefined;
}

export interface CopyAnswer {
  checked?: Checked;
  failure?: string;
}

/**
 * Copies or checks a SQLite database on a separate thread, since SQLite can't be interrupted. When the signal aborts,
 * the thread is terminated, and the caller can remove what it was writing.
 * @throws SQLite's error, or the signal's reason
 */
export async function inCopyThread(
  request: CopyRequest,
  signal?: AbortSignal,
): Promise<Checked | undefined> {
  const worker = new Worker(workerFile('db/copy-worker'));
  const { promise, resolve, reject } = Promise.withResolvers<CopyAnswer>();
  const stopListening = signal && whenAborted(signal, () => reject(signal.reason));
  worker.addEventListener('message', ({ data }: MessageEvent<CopyAnswer>) => resolve(data));
  worker.addEventListener('error', ({ message }) => reject(new Error(message)));
  try {
    worker.postMessage(request, []);
    const { checked, failure } = await promise;
    if (failure !== undefined) throw new Error(failure);
    return checked;
  } finally {
    stopListening?.();
    worker.terminate();
  }
}
