import { shardSize, type Rows } from '../graph/rows.ts';

/**
 * The system that the workers solve in place: y = base + Pᵀy, where P passes d / degree of a node's value to each of its
 * neighbours. All arrays are shared.
 */
export interface Sweep {
  /** Row i lists the nodes whose contributions node i receives. */
  rows: Rows;
  /** How many nodes each node contributes to. Nodes of degree 0 contribute nothing; sweeps skip them. */
  degrees: Uint32Array;
  damping: number;
  /** What each node receives from jumps: one number for all, or one per node. */
  base: number | Float64Array;
  /** What each node passes to each neighbour: d · y / degree. Sweeps read and write this array. */
  contributions: Float64Array;
}

/** Sums over the rows of one sweep. */
export interface SweepSums {
  /** L1 norm of the change. */
  change: number;
  /** Mass of the nodes that contribute. */
  mass: number;
}

/** Consecutive rows whose edges lie in one shard. */
interface Stretch {
  first: number;
  last: number;
  shard: Uint32Array;
  /** Position of the shard's first edge among all edges. */
  start: number;
}

const noEdges = new Uint32Array(0);

/**
 * One Gauss-Seidel sweep over rows `first` to `last` − 1: each row sees the newest values of all others. This takes about
 * half as many sweeps as Jacobi's method on crawls, where neighbours have close ids.
 */
export function sweep(task: Sweep, first: number, last: number): SweepSums {
  const sums = { change: 0, mass: 0 };
  for (const stretch of stretches(task.rows, first, last)) {
    if (stretch.last - stretch.first === 1) sweepRow(task, stretch.first, sums);
    else sweepStretch(task, stretch, sums);
  }
  return sums;
}

/**
 * The final pass, over all rows: writes y into `values` and leaves the contributions as they are. Rows with the same
 * donors get bit-identical values, and `change` is the residual of the system.
 */
export function evaluate(
  task: Sweep,
  values: Float64Array,
  first: number,
  last: number,
): SweepSums {
  const { base, degrees, contributions, damping } = task;
  const sums = { change: 0, mass: 0 };
  for (const { first: from, last: to, shard, start } of stretches(task.rows, first, last)) {
    for (let row = from; row < to; row++) {
      let sum = typeof base === 'number' ? base : base[row]!;
      if (to - from === 1) sum += pullAcross(task, row);
      else sum += pull(task, row, shard, start);
      values[row] = sum;
      const degree = degrees[row]!;
      if (degree > 0) sums.change += Math.abs(sum - (contributions[row]! * degree) / damping);
      sums.mass += sum;
    }
  }
  return sums;
}

/** The hot loop: no calls, no allocation, 32-bit positions within the shard. */
function sweepStretch(task: Sweep, stretch: Stretch, sums: SweepSums): void {
  const { degrees, contributions, damping } = task;
  const { offsets } = task.rows;
  const { shard, start, last } = stretch;
  const same = typeof task.base === 'number' ? task.base : 0;
  const own = typeof task.base === 'number' ? undefined : task.base;
  let change = 0;
  let mass = 0;
  let edge = (offsets[stretch.first]! - start) | 0;
  for (let row = stretch.first; row < last; row++) {
    const end = (offsets[row + 1]! - start) | 0;
    const degree = degrees[row]!;
    if (degree === 0) {
      edge = end;
      continue;
    }
    let sum = own === undefined ? same : own[row]!;
    for (; edge < end; edge++) sum += contributions[shard[edge]!]!;
    const next = (sum * damping) / degree;
    change += Math.abs(next - contributions[row]!) * degree;
    mass += sum;
    contributions[row] = next;
  }
  sums.change += change / damping;
  sums.mass += mass;
}

/** A single row, which may span several shards. */
function sweepRow(task: Sweep, row: number, sums: SweepSums): void {
  const { base, degrees, contributions, damping } = task;
  const degree = degrees[row]!;
  if (degree === 0) return;
  const sum = (typeof base === 'number' ? base : base[row]!) + pullAcross(task, row);
  const next = (sum * damping) / degree;
  sums.change += (Math.abs(next - contributions[row]!) * degree) / damping;
  sums.mass += sum;
  contributions[row] = next;
}

function pull(task: Sweep, row: number, shard: Uint32Array, start: number): number {
  const { offsets } = task.rows;
  const { contributions } = task;
  const end = (offsets[row + 1]! - start) | 0;
  let sum = 0;
  for (let edge = (offsets[row]! - start) | 0; edge < end; edge++) {
    sum += contributions[shard[edge]!]!;
  }
  return sum;
}

function pullAcross(task: Sweep, row: number): number {
  const { offsets, shards } = task.rows;
  const size = shardSize(task.rows);
  const end = offsets[row + 1]!;
  let sum = 0;
  for (let edge = offsets[row]!; edge < end; edge++) {
    const shard = Math.floor(edge / size);
    sum += task.contributions[shards[shard]![edge - shard * size]!]!;
  }
  return sum;
}

/** Splits rows by shard: long stretches within one shard, and separately each row that crosses a boundary. */
function* stretches(rows: Rows, first: number, last: number): Generator<Stretch> {
  const size = shardSize(rows);
  let row = first;
  while (row < last) {
    const index = Math.floor(rows.offsets[row]! / size);
    const start = index * size;
    const within = lastRowWithin(rows.offsets, row, last, start + size);
    const next = Math.max(within, row + 1);
    yield { first: row, last: next, shard: rows.shards[index] ?? noEdges, start };
    row = next;
  }
}

/** The greatest end ≤ `last` such that rows `first` to end − 1 stop at `edge` or before. */
function lastRowWithin(offsets: Float64Array, first: number, last: number, edge: number): number {
  let low = first;
  let high = last;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (offsets[middle]! <= edge) low = middle;
    else high = middle - 1;
  }
  return low;
}
