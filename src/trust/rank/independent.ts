import { degree, shardSize, type Graph, type Rows } from '../graph/rows.ts';

/**
 * How many of a domain's donors are independent: how many separate ways lead to it from the sources of trust. Every way
 * counts once, however many domains stand along it. So a farm of any size and shape has at most as many independent
 * donors as it has links from elsewhere.
 *
 * This is linear network coding over bits (Cheung, Lau and Leung, "Graph connectivities, network coding, and expander
 * graphs", 2011): sources get random marks, and every other domain that trust reaches a random sum (exclusive or) of its
 * donors' marks, step by step away from the sources. A domain's independent donors are the rank of its donors' marks:
 * whatever a farm's domains pass to each other, they span no more than the marks that came in.
 *
 * No mark depends on node numbers or on domains that trust does not reach, so neither made-up names nor worthless links
 * change one.
 */
export interface Marks {
  /** The lower 32 bits of each node's mark; 0: trust does not reach it. */
  marks: Uint32Array;
  /** The upper 32 bits. */
  upper: Uint32Array;
  /** 1: a source, whose links have marks of their own. */
  isSource: Uint8Array;
}

/** The most independent donors that are counted: the bits of a mark. */
export const INDEPENDENT_MAX = 64;
/** Different marks of one source's links: what is wrongly a source is worth no more than so many links. */
const MARKS_A_SOURCE = 8;

/** Spreads marks from the sources along the links. */
export function spreadMarks(graph: Graph, sources: Iterable<number>): Marks {
  const { nodes } = graph;
  const spread = {
    marks: new Uint32Array(nodes),
    upper: new Uint32Array(nodes),
    isSource: new Uint8Array(nodes),
  };
  const isFound = new Uint8Array(nodes);
  const queue = new Uint32Array(nodes);
  let end = 0;
  for (const source of sources) {
    if (isFound[source] === 1) continue;
    isFound[source] = spread.isSource[source] = 1;
    queue[end++] = source;
    spread.marks[source] = randomMark(end);
  }
  const donors = new DonorMarks(graph, spread);
  for (let start = 0; start < end;) {
    const last = end;
    for (; start < last; start++) end = findNext(graph.out, queue[start]!, isFound, queue, end);
    // In the order of the rows, which are then read one after the other.
    markStep(spread, donors, queue.subarray(last, end).sort());
  }
  return spread;
}

/** Queues what a node links to and was not found before. @returns the new end of the queue */
function findNext(
  out: Rows,
  node: number,
  isFound: Uint8Array,
  queue: Uint32Array,
  queued: number,
): number {
  const size = shardSize(out);
  const stop = out.offsets[node + 1]!;
  let end = queued;
  for (let edge = out.offsets[node]!; edge < stop;) {
    const index = Math.floor(edge / size);
    const shard = out.shards[index]!;
    const last = Math.min(stop - index * size, shard.length) | 0;
    for (let at = (edge - index * size) | 0; at < last; at++) {
      const found = shard[at]!;
      if (isFound[found] === 1) continue;
      isFound[found] = 1;
      queue[end++] = found;
    }
    edge = index * size + last;
  }
  return end;
}

/** Marks the nodes of one step; none of them hears another. */
function markStep(spread: Marks, donors: DonorMarks, step: Uint32Array): void {
  const [marks, upper] = [new Uint32Array(step.length), new Uint32Array(step.length)];
  for (let at = 0; at < step.length; at++) {
    donors.sum(step[at]!);
    marks[at] = donors.sumLower;
    upper[at] = donors.sumUpper;
  }
  for (let at = 0; at < step.length; at++) {
    spread.marks[step[at]!] = marks[at]!;
    spread.upper[step[at]!] = upper[at]!;
  }
}

/** The number of independent donors of each node. */
export function countIndependent(graph: Graph, spread: Marks): Uint8Array {
  const counts = new Uint8Array(graph.nodes);
  const donors = new DonorMarks(graph, spread);
  const basis = new Basis();
  for (let node = 0; node < graph.nodes; node++) {
    donors.start(node);
    basis.clear();
    while (basis.rank < INDEPENDENT_MAX && donors.fill()) {
      for (let at = 0; at < donors.length; at++) basis.add(donors.lower[at]!, donors.upper[at]!);
    }
    counts[node] = basis.rank;
  }
  return counts;
}

/** Donors whose marks are read at once. A sum of so many spans all that a mark has room for. */
const BLOCK = INDEPENDENT_MAX;

/** Reads the marks that a node's donors pass to it, of those that have one; in blocks, without garbage. */
class DonorMarks {
  readonly lower = new Uint32Array(BLOCK);
  readonly upper = new Uint32Array(BLOCK);
  /** How many the last block has. */
  length = 0;
  sumLower = 0;
  sumUpper = 0;
  readonly #graph: Graph;
  readonly #spread: Marks;
  readonly #size: number;
  #node = 0;
  #edge = 0;

  constructor(graph: Graph, spread: Marks) {
    this.#graph = graph;
    this.#spread = spread;
    this.#size = shardSize(graph.in);
  }

  start(node: number): void {
    this.#node = node;
    this.#edge = this.#graph.in.offsets[node]!;
  }

  /** Reads the next block. @returns false when no donor is left */
  fill(): boolean {
    const { offsets, shards } = this.#graph.in;
    const { marks, upper, isSource } = this.#spread;
    const size = this.#size;
    const end = offsets[this.#node + 1]!;
    let edge = this.#edge;
    let length = 0;
    while (edge < end && length < BLOCK) {
      const index = Math.floor(edge / size);
      const shard = shards[index]!;
      const stop = Math.min(end - index * size, shard.length) | 0;
      let at = (edge - index * size) | 0;
      for (; at < stop && length < BLOCK; at++) {
        const donor = shard[at]!;
        const mark = marks[donor]!;
        if (mark === 0) continue;
        const isOwn = isSource[donor] === 0;
        const passed = isOwn ? mark : this.#ofLink(mark, donor);
        this.lower[length] = passed;
        this.upper[length++] = isOwn ? upper[donor]! : upperMark(passed);
      }
      edge = index * size + at;
    }
    this.#edge = edge;
    this.length = length;
    return length > 0;
  }

  /**
   * A random sum of the marks of a node's donors, of the first of them where they are many; its lower bits are not 0.
   * The chance comes from the marks themselves, and from the node's degree, by which nodes with the same donors differ.
   */
  sum(node: number): void {
    this.start(node);
    this.fill();
    let chance = degree(this.#graph.out, node);
    let [lower, upper] = [0, 0];
    for (let at = 0; at < this.length; at++) {
      chance = mixed(chance + this.lower[at]!);
      if ((chance & 1) === 0) continue;
      lower ^= this.lower[at]!;
      upper ^= this.upper[at]!;
    }
    const last = this.length - 1;
    this.sumLower = lower === 0 ? this.lower[last]! : lower;
    this.sumUpper = lower === 0 ? this.upper[last]! : upper;
  }

  /** A source passes a mark of its own over each link. */
  #ofLink(mark: number, source: number): number {
    return randomMark(mark + (positionOf(this.#graph.out, source, this.#node) % MARKS_A_SOURCE));
  }
}

/** Marks in echelon form, by their highest bit. */
class Basis {
  rank = 0;
  readonly #lower = new Int32Array(INDEPENDENT_MAX);
  readonly #upper = new Int32Array(INDEPENDENT_MAX);

  clear(): void {
    if (this.rank === 0) return;
    this.rank = 0;
    this.#lower.fill(0);
    this.#upper.fill(0);
  }

  /** Counts a mark if it is independent of those before. */
  add(mark: number, markUpper: number): void {
    let lower = mark | 0;
    let upper = markUpper | 0;
    while ((lower | upper) !== 0) {
      const bit = upper === 0 ? 32 + Math.clz32(lower) : Math.clz32(upper);
      if ((this.#lower[bit]! | this.#upper[bit]!) === 0) {
        this.#lower[bit] = lower;
        this.#upper[bit] = upper;
        this.rank += 1;
        return;
      }
      lower ^= this.#lower[bit]!;
      upper ^= this.#upper[bit]!;
    }
  }
}

/** The upper bits that belong to the lower ones of a random mark. */
export function upperMark(mark: number): number {
  return mixed(mark ^ 0x5bd1e995);
}

/** The lower bits of a random mark, never 0. */
export function randomMark(seed: number): number {
  return mixed(Math.imul(seed, 0x9e3779b1) + 1) || 1;
}

/** The finaliser of MurmurHash3: each bit depends on all. */
function mixed(value: number): number {
  let bits = value | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}

/** Where a neighbour stands in its row, from 0. */
function positionOf(rows: Rows, row: number, neighbour: number): number {
  const first = rows.offsets[row]!;
  const size = shardSize(rows);
  let low = first;
  let high = rows.offsets[row + 1]! - 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (edgeAt(rows, size, middle) < neighbour) low = middle + 1;
    else high = middle;
  }
  return low - first;
}

function edgeAt({ shards }: Rows, size: number, edge: number): number {
  if (edge < size) return shards[0]![edge]!;
  const shard = Math.floor(edge / size);
  return shards[shard]![edge - shard * size]!;
}
