import type { Rows } from '../graph/rows.ts';
import { evaluate, sweep, type Sweep, type SweepSums } from './sweep.ts';

/** A system, and when to stop solving it. */
export interface Task extends Sweep {
  /** Sweeps stop when one changes less than this share of the mass that counts, in the L1 norm. */
  tolerance: number;
  /** What jumps give the nodes that contribute. */
  jumps: number;
  iterationsMax: number;
  /** Receives the result, one value per node, not normalised. */
  values: Float64Array;
}

export interface Solved {
  iterations: number;
  /** L1 norm of y − (base + Pᵀy), before it is divided by the mass. */
  residual: number;
  /** Sum of all values. */
  mass: number;
  converged: boolean;
}

/** Solves tasks on one or more threads, which read each other's newest values while they sweep. */
export interface Executor {
  solve(task: Task): Promise<Solved>;
}

/** What one thread does of a task, with the memory shared by all threads. */
export interface Share {
  task: Task;
  thread: number;
  threads: number;
  /** The rows of the thread: `first` to `last` − 1. */
  first: number;
  last: number;
  /** Two 32-bit words of the barrier: how many threads wait, and how often it has opened. */
  barrier: Int32Array;
  /** The change and mass of each thread, stored twice: for odd and for even sweeps. */
  board: Float64Array;
}

/** Splits a task among threads, each of which must call `solveShare`. */
export function sharesOf(task: Task, threads: number): Share[] {
  const ranges = balancedRanges(task.rows, threads);
  const barrier = new Int32Array(new SharedArrayBuffer(8));
  const board = new Float64Array(new SharedArrayBuffer(threads * 4 * 8));
  return Array.from({ length: threads }, (_, thread) => {
    const [first, last] = [ranges[thread]!, ranges[thread + 1]!];
    return { task, thread, threads, first, last, barrier, board };
  });
}

export const oneThread: Executor = {
  solve: (task) => Promise.resolve(solveShare(sharesOf(task, 1)[0]!)),
};

/** Sweeps together with the other threads until all are done. All get the same result. */
export function solveShare(share: Share): Solved {
  const { task, first, last } = share;
  let iterations = 0;
  let converged = false;
  while (!converged && iterations < task.iterationsMax) {
    const { change, mass } = together(share, sweep(task, first, last), iterations % 2);
    iterations += 1;
    converged = hasConverged(task, change, mass);
  }
  const own = evaluate(task, task.values, first, last);
  const { change: residual, mass } = together(share, own, iterations % 2);
  return { iterations, residual, mass, converged };
}

/**
 * The mass that counts is that of all nodes, without what jumps give those that contribute nothing: it follows from the
 * mass of the others, d of which goes over the edges. So nodes that contribute nothing need no sweep, and however many
 * there are, the number of sweeps is the same.
 */
function hasConverged({ tolerance, damping, jumps }: Task, change: number, mass: number): boolean {
  return mass === 0 || change < tolerance * (jumps + damping * mass);
}

/** Waits for all threads and adds up their sums. Each half of the board is rewritten only after all have read it. */
function together(share: Share, own: SweepSums, half: number): SweepSums {
  const { board, thread, threads } = share;
  const at = half * threads * 2;
  board[at + thread * 2] = own.change;
  board[at + thread * 2 + 1] = own.mass;
  wait(share);
  const sums = { change: 0, mass: 0 };
  for (let other = 0; other < threads; other++) {
    sums.change += board[at + other * 2]!;
    sums.mass += board[at + other * 2 + 1]!;
  }
  return sums;
}

function wait({ barrier, threads }: Share): void {
  const opened = Atomics.load(barrier, 1);
  if (Atomics.add(barrier, 0, 1) === threads - 1) {
    Atomics.store(barrier, 0, 0);
    Atomics.add(barrier, 1, 1);
    Atomics.notify(barrier, 1);
    return;
  }
  while (Atomics.load(barrier, 1) === opened) Atomics.wait(barrier, 1, opened);
}

/** Splits rows into ranges of equal work: its edges, and one step per row. @returns `threads + 1` row numbers */
function balancedRanges(rows: Rows, threads: number): number[] {
  const work = rows.edges + rows.nodes;
  return Array.from({ length: threads + 1 }, (_, thread) => {
    let low = 0;
    let high = rows.nodes;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (rows.offsets[middle]! + middle < (work * thread) / threads) low = middle + 1;
      else high = middle;
    }
    return low;
  });
}
