/** Entry of a ranking thread: see workers.ts. */
import { hasConverged, type Solved } from './solve.ts';
import { evaluate, sweep, type SweepSums } from './sweep.ts';
import type { WorkerOrder } from './workers.ts';

declare const self: Worker;

self.addEventListener('message', (event: MessageEvent<WorkerOrder>) => {
  self.postMessage(solve(event.data), []);
});

function solve(order: WorkerOrder): Solved {
  const { task, first, last } = order;
  let iterations = 0;
  let converged = false;
  while (!converged && iterations < task.iterationsMax) {
    const { change, mass } = together(order, sweep(task, first, last), iterations % 2);
    iterations += 1;
    converged = hasConverged(task, change, mass);
  }
  const own = evaluate(task, task.values, first, last);
  const { change: residual, mass } = together(order, own, iterations % 2);
  return { iterations, residual, mass, converged };
}

/** Waits for all threads and adds up their sums. Each half of the board is rewritten only after all have read it. */
function together(order: WorkerOrder, own: SweepSums, half: number): SweepSums {
  const { board, thread, threads } = order;
  const at = half * threads * 2;
  board[at + thread * 2] = own.change;
  board[at + thread * 2 + 1] = own.mass;
  wait(order);
  const sums = { change: 0, mass: 0 };
  for (let other = 0; other < threads; other++) {
    sums.change += board[at + other * 2]!;
    sums.mass += board[at + other * 2 + 1]!;
  }
  return sums;
}

function wait({ barrier, threads }: WorkerOrder): void {
  const opened = Atomics.load(barrier, 1);
  if (Atomics.add(barrier, 0, 1) === threads - 1) {
    Atomics.store(barrier, 0, 0);
    Atomics.add(barrier, 1, 1);
    Atomics.notify(barrier, 1);
    return;
  }
  while (Atomics.load(barrier, 1) === opened) Atomics.wait(barrier, 1, opened);
}
