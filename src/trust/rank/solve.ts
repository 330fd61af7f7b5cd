import type { Rows } from '../graph/rows.ts';
import { evaluate, sweep, type Sweep } from './sweep.ts';

/** A system and when to stop. */
export interface Task extends Sweep {
  /** Sweeps go on until one changes less than this share of all mass, by the L1 norm. */
  tolerance: number;
  iterationsMax: number;
  /** Where the result is written, one value a node, not yet normalised. */
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

/** Runs tasks on one thread or several. Threads read each other's newest values while they sweep. */
export interface Executor {
  readonly threads: number;
  solve(task: Task): Promise<Solved>;
}

/** Solves on the calling thread. */
export const oneThread: Executor = {
  threads: 1,
  solve: (task) => Promise.resolve(solve(task)),
};

function solve(task: Task): Solved {
  const { nodes } = task.rows;
  let iterations = 0;
  let converged = false;
  while (!converged && iterations < task.iterationsMax) {
    const { change, mass } = sweep(task, 0, nodes);
    iterations += 1;
    converged = hasConverged(task, change, mass);
  }
  const { change: residual, mass } = evaluate(task, task.values, 0, nodes);
  return { iterations, residual, mass, converged };
}

/**
 * The mass of all nodes follows from the mass of those that give: 1 − d comes in by the base and d times
 * the givers' mass by edges. So the nodes that give nothing need no sweep.
 */
export function hasConverged(task: Task, change: number, givers: number): boolean {
  return change < task.tolerance * (1 - task.damping + task.damping * givers);
}

/**
 * Cuts all rows into one range a thread, so that each has the same work: its edges, and a step for
 * each row.
 * @returns `threads + 1` row numbers, ascending
 */
export function balancedRanges(rows: Rows, threads: number): number[] {
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
