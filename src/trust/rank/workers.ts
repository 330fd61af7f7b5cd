import { workerFile } from '../../lib/compiled.ts';
import type { Rows } from '../graph/rows.ts';
import { oneThread, sharesOf, type Executor, type Solved, type Task } from './solve.ts';

/**
 * Starts threads that solve over shared memory until they are disposed of. Each sweeps its own rows and reads the newest
 * values of the others without waiting. This converges like Gauss-Seidel (chaotic relaxation, Chazan and Miranker 1969),
 * but in a different order each time: results agree within the tolerance, not bit by bit. Rows outside shared memory are
 * solved on the calling thread.
 */
export function startWorkers(threads: number): Executor & Disposable {
  const workers = Array.from(
    { length: threads > 1 ? threads : 0 },
    () => new Worker(workerFile('trust/rank/worker')),
  );
  return {
    solve: (task) =>
      workers.length > 1 && isShared(task.rows) ? solveOn(workers, task) : oneThread.solve(task),
    [Symbol.dispose]() {
      for (const worker of workers) worker.terminate();
    },
  };
}

async function solveOn(workers: readonly Worker[], task: Task): Promise<Solved> {
  const shares = sharesOf(task, workers.length);
  const answers = workers.map((worker, thread) => {
    const { promise, resolve, reject } = Promise.withResolvers<Solved>();
    const once = { once: true };
    worker.addEventListener('message', (event: MessageEvent<Solved>) => resolve(event.data), once);
    worker.addEventListener(
      'error',
      ({ message }) => reject(new Error(`a ranking thread failed: ${message}`)),
      once,
    );
    worker.postMessage(shares[thread], []);
    return promise;
  });
  const [solved] = await Promise.all(answers);
  return solved!;
}

function isShared({ offsets, shards }: Rows): boolean {
  return [offsets, ...shards].every(({ buffer }) => buffer instanceof SharedArrayBuffer);
}
