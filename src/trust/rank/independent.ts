import { degree, shardSize, type Graph, type Rows } from '../graph/rows.ts';
import { Basis } from './basis.ts';
import { Positions } from './positions.ts';
import {
  addMark,
  copyMark,
  INDEPENDENT_MAX,
  LANES,
  mixed,
  randomWord,
  writeMark,
} from './mark-words.ts';

/**
 * How many of a domain's donors are independent: how many separate paths lead to it from the sources of trust. Each
 * path counts once, however many domains are on it. So a farm of any size and shape has at most as many independent
 * donors as it has links from outside.
 *
 * This is linear network coding over bits (Cheung, Lau and Leung, "Graph connectivities, network coding, and expander
 * graphs", 2011): sources get random marks, and every other domain that trust reaches gets a random sum (exclusive or)
 * of its donors' marks, step by step away from the sources. A domain's independent donors are the rank of its donors'
 * marks: whatever a farm's domains pass to each other, they span no more than the marks that came in.
 *
 * No mark depends on node numbers or on domains that trust does not reach, so neither made-up names nor worthless links
 * change a mark.
 */
export interface Marks {
  /** The mark of each node, LANES consecutive words; the first is 0 if trust does not reach the node. */
  words: Uint32Array;
  /** 1: a source whose links have separate marks. 2: a source whose links have marks of its ending. */
  sources: Uint8Array;
}

/**
 * How many different marks the links of one source have: a domain that is wrongly a source is worth no more than this
 * many links.
 */
const MARKS_A_SOURCE = 8;
/** The same for all sources under an ending that may be for sale, however many are registered. */
const MARKS_AN_ENDING = 24;

/** Whether trust reaches a node. */
export function isMarked({ words }: Marks, node: number): boolean {
  return words[node * LANES] !== 0;
}

export function setRandomMark({ words }: Marks, node: number, seed: number): void {
  writeMark(words, node * LANES, randomWord(seed));
}

/**
 * Spreads marks from the sources along the links.
 * @param endings for sources whose ending may be for sale: the sources of one ending share their marks
 */
export function spreadMarks(
  graph: Graph,
  sources: Iterable<number>,
  endings: ReadonlyMap<number, number>,
): Marks {
  const { nodes } = graph;
  const spread = { words: new Uint32Array(nodes * LANES), sources: new Uint8Array(nodes) };
  const isFound = new Uint8Array(nodes);
  const queue = new Uint32Array(nodes);
  let end = 0;
  for (const source of sources) {
    if (isFound[source] === 1) continue;
    isFound[source] = 1;
    queue[end++] = source;
    const ending = endings.get(source);
    spread.sources[source] = ending === undefined ? 1 : 2;
    spread.words[source * LANES] = randomWord(ending === undefined ? end : -ending);
    spread.words[source * LANES + 1] = randomWord(end);
  }
  const donors = new DonorMarks(graph, spread);
  for (let start = 0; start < end;) {
    const last = end;
    for (; start < last; start++) end = findNext(graph.out, queue[start]!, isFound, queue, end);
    // In the order of the rows, so that they are read one after the other.
    markStep(graph, spread, donors, queue.subarray(last, end).sort());
  }
  return spread;
}

/** Queues the nodes to which a node links and that were not found before. @returns the new end of the queue */
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

/** The mark of nodes without links, which most of the web's domains are: it is only read whether they have one. */
const UNREAD = 1;

/** Marks the nodes of one step; they do not influence each other. */
function markStep(graph: Graph, { words }: Marks, donors: DonorMarks, step: Uint32Array): void {
  const linking = step.filter((node) => degree(graph.out, node) > 0);
  const sums = new Uint32Array(linking.length * LANES);
  for (let at = 0; at < linking.length; at++) donors.sum(linking[at]!, sums, at * LANES);
  for (const node of step) words[node * LANES] = UNREAD;
  for (let at = 0; at < linking.length; at++) {
    copyMark(sums, at * LANES, words, linking[at]! * LANES);
  }
}

/** The number of independent donors of each node. */
export function countIndependent(graph: Graph, spread: Marks): Uint8Array {
  const counts = new Uint8Array(graph.nodes);
  const donors = new DonorMarks(graph, spread);
  const basis = new Basis();
  for (let node = 0; node < graph.nodes; node++) {
    if (degree(graph.in, node) === 0) continue;
    donors.start(node);
    basis.clear();
    while (basis.rank < INDEPENDENT_MAX && donors.fill()) {
      for (let at = 0; at < donors.length; at++) basis.add(donors.words, at * LANES);
    }
    counts[node] = basis.rank;
  }
  return counts;
}

/** How many donors' marks are read at once. A sum of this many spans everything that a mark has room for. */
const BLOCK = INDEPENDENT_MAX;

/** Reads the marks that a node's donors pass to it, skipping donors without one; in blocks, without garbage. */
class DonorMarks {
  readonly words = new Uint32Array(BLOCK * LANES);
  /** How many marks the last block has. */
  length = 0;
  readonly #graph: Graph;
  readonly #spread: Marks;
  readonly #size: number;
  readonly #positions: Positions;
  #node = 0;
  #edge = 0;

  constructor(graph: Graph, spread: Marks) {
    this.#graph = graph;
    this.#positions = new Positions(graph.out);
    this.#spread = spread;
    this.#size = shardSize(graph.in);
  }

  start(node: number): void {
    this.#node = node;
    this.#edge = this.#graph.in.offsets[node]!;
  }

  /** Reads the next block. @returns false if no donor is left */
  fill(): boolean {
    const { offsets, shards } = this.#graph.in;
    const { words, sources } = this.#spread;
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
        const from = donor * LANES;
        const first = words[from]!;
        if (first === 0) continue;
        const to = length++ * LANES;
        if (sources[donor] !== 0) writeMark(this.words, to, this.#ofLink(donor));
        else copyMark(words, from, this.words, to);
      }
      edge = index * size + at;
    }
    this.#edge = edge;
    this.length = length;
    return length > 0;
  }

  /**
   * Writes a random sum of the marks of a node's donors (of the first ones if there are many); its first word is not 0.
   * The randomness comes from the marks themselves, and from the node's degree, so that nodes with the same donors
   * differ.
   */
  sum(node: number, sums: Uint32Array, to: number): void {
    this.start(node);
    this.fill();
    let chance = degree(this.#graph.out, node);
    for (let at = 0; at < this.length; at++) {
      chance = mixed(chance + this.words[at * LANES]!);
      if ((chance & 1) === 0) continue;
      addMark(this.words, at * LANES, sums, to);
    }
    if (sums[to] !== 0) return;
    const last = (this.length - 1) * LANES;
    copyMark(this.words, last, sums, to);
  }

  /** A source passes a separate mark, or a mark of its ending, over each link. @returns the first word */
  #ofLink(source: number): number {
    const { words, sources } = this.#spread;
    const first = words[source * LANES]!;
    const link = this.#positions.of(source, this.#node) % MARKS_A_SOURCE;
    if (sources[source] === 1) return randomWord(first + link);
    return randomWord(first + ((words[source * LANES + 1]! + link) % MARKS_AN_ENDING));
  }
}
