import { workerFile } from '../../lib/compiled.ts';
import type { Rows } from '../graph/rows.ts';
import { balancedRanges, oneThread, type Executor, type Solved, type Task } from './solve.ts';

/** The message to a worker: the task, its rows, and the memory shared by all workers. */
export interface WorkerOrder {
  task: Task;
  thread: number;
  threads: number;
  first: number;
  last: number;
  /** Two 32-bit words of the barrier: how many wait, and how often it has opened. */
  barrier: Int32Array;
  /** Change and mass of each thread, twice, for odd and even sweeps. */
  board: Float64Array;
}

export interface Workers extends Executor, Disposable {}

/**
 * Starts threads that solve over shared memory until they are disposed of. Each sweeps its own rows and reads the newest
 * values of the others without waiting. This converges like Gauss-Seidel (chaotic relaxation, Chazan and Miranker 1969),
 * but in a different order each time: results agree within the tolerance, not bit by bit. Rows outside shared memory are
 * solved on the calling thread.
 */
export function startWorkers(threads: number): Workers {
  const workers = Array.from(
    { length: threads > 1 ? threads : 0 },
    () => new Worker(workerFile('trust/rank/worker')),
  );
  return {
    threads,
    solve: (task) =>
      workers.length > 1 && isShared(task.rows) ? solveOn(workers, task) : oneThread.solve(task),
    [Symbol.dispose]() {
      for (const worker of workers) worker.terminate();
    },
  };
}

async function solveOn(workers: readonly Worker[], task: Task): Promise<Solved> {
  const threads = workers.length;
  const ranges = balancedRanges(task.rows, threads);
  const barrier = new Int32Array(new SharedArrayBuffer(8));
  const board = new Float64Array(new SharedArrayBuffer(threads * 4 * 8));
  const answers = workers.map((worker, thread) => {
    const { promise, resolve, reject } = Promise.withResolvers<Solved>();
    const once = { once: true };
    worker.addEventListener('message', (event: MessageEvent<Solved>) => resolve(event.data), once);
    worker.addEventListener(
      'error',
      ({ message }) => reject(new Error(`a ranking thread failed: ${message}`)),
      once,
    );
    const first = ranges[thread]!;
    const order: WorkerOrder = {
      task,
      thread,
      threads,
      first,
      last: ranges[thread + 1]!,
      barrier,
      board,
    };
    worker.postMessage(order, []);
    return promise;
  });
  // All threads compute the same sums, so any answer will do.
  const [solved] = await Promise.all(answers);
  return solved!;
}

function isShared({ offsets, shards }: Rows): boolean {
  return [offsets, ...shards].every(({ buffer }) => buffer instanceof SharedArrayBuffer);
}
