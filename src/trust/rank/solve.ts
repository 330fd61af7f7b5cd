import type { Rows } from '../graph/rows.ts';
import { evaluate, sweep, type Sweep } from './sweep.ts';

/** A system, and when to stop solving it. */
export interface Task extends Sweep {
  /** Sweeps stop when one changes less than this share of all mass, in the L1 norm. */
  tolerance: number;
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
 * The mass of all nodes follows from that of the contributing ones: 1 − d comes from the base, and d times their mass
 * over the edges. So the other nodes need no sweep.
 */
export function hasConverged(task: Task, change: number, contributing: number): boolean {
  return change < task.tolerance * (1 - task.damping + task.damping * contributing);
}

/**
 * Splits all rows into one range per thread with equal work: its edges, and one step per row.
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
