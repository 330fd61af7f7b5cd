import { workerFile } from '../lib/compiled.ts';
import { whenAborted } from '../lib/stop-signal.ts';

export type CopyOrder =
  { kind: 'copy'; source: string; part: string } | { kind: 'check'; path: string };

/** What a database is: `ok` or what is wrong with its pages, and the number of its schema. */
export interface Checked {
  problem: string;
  schema: number | undefined;
}

export interface CopyAnswer {
  checked?: Checked;
  failure?: string;
}

/**
 * Lets SQLite copy or check a database on a thread of its own: it can't be interrupted, but this thread hears the
 * signal, and can take away what is being written.
 * @throws what SQLite says, or the signal's reason
 */
export async function inCopyThread(
  order: CopyOrder,
  signal?: AbortSignal,
): Promise<Checked | undefined> {
  const worker = new Worker(workerFile('db/copy-worker'));
  const { promise, resolve, reject } = Promise.withResolvers<CopyAnswer>();
  const leave = signal && whenAborted(signal, () => reject(signal.reason));
  worker.addEventListener('message', ({ data }: MessageEvent<CopyAnswer>) => resolve(data));
  worker.addEventListener('error', ({ message }) => reject(new Error(message)));
  try {
    worker.postMessage(order, []);
    const { checked, failure } = await promise;
    if (failure !== undefined) throw new Error(failure);
    return checked;
  } finally {
    leave?.();
    worker.terminate();
  }
}
