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
  /** One per node; 0: trust does not reach it. */
  marks: Uint32Array;
  /** 1: a source, whose links have marks of their own. */
  isSource: Uint8Array;
}

/** The most independent donors that are counted: the bits of a mark. */
export const INDEPENDENT_MAX = 32;
/** Different marks of one source's links: what is wrongly a source is worth no more than so many links. */
const MARKS_A_SOURCE = 8;

/** Spreads marks from the sources along the links. */
export function spreadMarks(graph: Graph, sources: Iterable<number>): Marks {
  const { nodes, out } = graph;
  const spread = { marks: new Uint32Array(nodes), isSource: new Uint8Array(nodes) };
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
  const marks = step.map((node) => sumOfDonors(graph, spread, node));
  for (let at = 0; at < step.length; at++) spread.marks[step[at]!] = marks[at]!;
}

/** A random sum of the marks of a node's donors, not 0. The chance comes from the marks themselves. */
function sumOfDonors(graph: Graph, spread: Marks, node: number): number {
  const rows = graph.in;
  const size = shardSize(rows);
  const [first, end] = [rows.offsets[node]!, rows.offsets[node + 1]!];
  // Nodes with the same donors differ by their degrees.
  let chance = degree(graph.out, node);
  for (let edge = first; edge < end; edge++) {
    chance = (chance + mixed(markOver(graph, spread, edgeAt(rows, size, edge), node))) | 0;
  }
  let sum = 0;
  let any = 0;
  for (let edge = first; edge < end; edge++) {
    const mark = markOver(graph, spread, edgeAt(rows, size, edge), node);
    if (mark === 0) continue;
    any = mark;
    if ((mixed(mark ^ chance) & 1) === 1) sum ^= mark;
  }
  return sum === 0 ? any : sum;
}

/** The number of independent donors of each node. */
export function countIndependent(graph: Graph, spread: Marks): Uint8Array {
  const rows = graph.in;
  const size = shardSize(rows);
  const counts = new Uint8Array(graph.nodes);
  const basis = new Int32Array(INDEPENDENT_MAX);
  for (let node = 0; node < graph.nodes; node++) {
    const end = rows.offsets[node + 1]!;
    let rank = 0;
    basis.fill(0);
    for (let edge = rows.offsets[node]!; edge < end && rank < INDEPENDENT_MAX; edge++) {
      rank += reduce(basis, markOver(graph, spread, edgeAt(rows, size, edge), node));
    }
    counts[node] = rank;
  }
  return counts;
}

/** Adds a mark to a basis in echelon form. @returns 1 if it is independent of those before, else 0 */
function reduce(basis: Int32Array, mark: number): number {
  let rest = mark | 0;
  while (rest !== 0) {
    const bit = Math.clz32(rest);
    if (basis[bit] === 0) {
      basis[bit] = rest;
      return 1;
    }
    rest ^= basis[bit]!;
  }
  return 0;
}

/** The mark that a donor passes to a node. */
function markOver({ out }: Graph, { marks, isSource }: Marks, donor: number, node: number): number {
  const mark = marks[donor]!;
  if (isSource[donor] === 0) return mark;
  return randomMark(mark + (positionOf(out, donor, node) % MARKS_A_SOURCE));
}

/** A random mark, never 0. */
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
