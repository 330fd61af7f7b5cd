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
  const { nodes, out } = graph;
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
  const size = shardSize(out);
  for (let start = 0; start < end;) {
    const last = end;
    for (; start < last; start++) {
      const stop = out.offsets[queue[start]! + 1]!;
      for (let edge = out.offsets[queue[start]!]!; edge < stop; edge++) {
        const node = edgeAt(out, size, edge);
        if (isFound[node] === 1) continue;
        isFound[node] = 1;
        queue[end++] = node;
      }
    }
    markStep(graph, spread, queue.subarray(last, end));
  }
  return spread;
}

/** Marks the nodes of one step; none of them hears another. */
function markStep(graph: Graph, spread: Marks, step: Uint32Array): void {
  const [marks, upper] = [new Uint32Array(step.length), new Uint32Array(step.length)];
  for (let at = 0; at < step.length; at++) {
    marks[at] = sumOfDonors(graph, spread, step[at]!);
    upper[at] = upperSum;
  }
  for (let at = 0; at < step.length; at++) {
    spread.marks[step[at]!] = marks[at]!;
    spread.upper[step[at]!] = upper[at]!;
  }
}

/** The upper bits of the last sum: a pair for each of millions of nodes would be garbage. */
let upperSum = 0;

/**
 * A random sum of the marks of a node's donors: the lower bits, which are not 0; `upperSum` has the others. The chance
 * comes from the marks themselves.
 */
function sumOfDonors(graph: Graph, spread: Marks, node: number): number {
  const rows = graph.in;
  const size = shardSize(rows);
  const [first, end] = [rows.offsets[node]!, rows.offsets[node + 1]!];
  // Nodes with the same donors differ by their degrees.
  let chance = degree(graph.out, node);
  for (let edge = first; edge < end; edge++) {
    chance = (chance + mixed(markOver(graph, spread, edgeAt(rows, size, edge), node))) | 0;
  }
  let [sum, upper] = [0, 0];
  let [any, anyUpper] = [0, 0];
  for (let edge = first; edge < end; edge++) {
    const donor = edgeAt(rows, size, edge);
    const mark = markOver(graph, spread, donor, node);
    if (mark === 0) continue;
    any = mark;
    anyUpper = upperOver(spread, donor, mark);
    if ((mixed(mark ^ chance) & 1) === 0) continue;
    sum ^= mark;
    upper ^= anyUpper;
  }
  upperSum = sum === 0 ? anyUpper : upper;
  return sum === 0 ? any : sum;
}

/** The number of independent donors of each node. */
export function countIndependent(graph: Graph, spread: Marks): Uint8Array {
  const rows = graph.in;
  const size = shardSize(rows);
  const counts = new Uint8Array(graph.nodes);
  const basis = new Basis();
  for (let node = 0; node < graph.nodes; node++) {
    const end = rows.offsets[node + 1]!;
    basis.clear();
    for (let edge = rows.offsets[node]!; edge < end && basis.rank < INDEPENDENT_MAX; edge++) {
      const donor = edgeAt(rows, size, edge);
      const mark = markOver(graph, spread, donor, node);
      if (mark !== 0) basis.add(mark, upperOver(spread, donor, mark));
    }
    counts[node] = basis.rank;
  }
  return counts;
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
    let [lower, upper] = [mark | 0, markUpper | 0];
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

/** The lower bits of the mark that a donor passes to a node. */
function markOver({ out }: Graph, { marks, isSource }: Marks, donor: number, node: number): number {
  const mark = marks[donor]!;
  if (isSource[donor] === 0) return mark;
  return randomMark(mark + (positionOf(out, donor, node) % MARKS_A_SOURCE));
}

/** The upper bits of the mark of a donor that passes these lower ones. */
function upperOver({ upper, isSource }: Marks, donor: number, mark: number): number {
  return isSource[donor] === 0 ? upper[donor]! : upperMark(mark);
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
