import type { PairReader } from './pair-reader.ts';

/** Rows that are sorted in memory at once: those of nodes [first, last). */
export interface RowPiece {
  first: number;
  last: number;
  /** Neighbours of all these rows, ascending within a row, none twice. Valid until the next piece. */
  neighbours: Uint32Array;
  /** Where each row ends in `neighbours`. */
  ends: Uint32Array;
}

/** Up to this length a plain insertion sort beats the call of the runtime's sort. */
const SHORT_ROW = 24;

/**
 * Makes rows of the pairs of one bucket. What does not fit the memory at once is made in pieces, each by a
 * pass of its own over the bucket; a row is never parted.
 */
export class RowSorter {
  #placed = new Uint32Array(0);
  readonly #reader: PairReader;
  readonly #shift: number;
  readonly #nodes: number;
  readonly #pieceEdges: number;

  constructor(reader: PairReader, nodes: number, shift: number, pieceEdges: number) {
    this.#reader = reader;
    this.#nodes = nodes;
    this.#shift = shift;
    this.#pieceEdges = pieceEdges;
  }

  /** At least one piece, be it without an edge. */
  *pieces(bucket: number): Generator<RowPiece> {
    const start = bucket * 2 ** this.#shift;
    const end = Math.min(start + 2 ** this.#shift, this.#nodes);
    const counts = this.#count(bucket, start, end);
    for (let first = start; first < end;) {
      let last = first + 1;
      let edges = counts[first - start] ?? 0;
      while (last < end && edges + (counts[last - start] ?? 0) <= this.#pieceEdges) {
        edges += counts[last - start] ?? 0;
        last++;
      }
      yield this.#piece(bucket, first, last, edges, counts.subarray(first - start, last - start));
      first = last;
    }
  }

  #count(bucket: number, start: number, end: number): Uint32Array {
    const counts = new Uint32Array(end - start);
    for (const { keys, count } of this.#reader.batches(bucket)) {
      for (let pair = 0; pair < count; pair++) {
        const row = (keys[pair] ?? 0) - start;
        counts[row] = (counts[row] ?? 0) + 1;
      }
    }
    return counts;
  }

  #piece(
    bucket: number,
    first: number,
    last: number,
    edges: number,
    counts: Uint32Array,
  ): RowPiece {
    if (this.#placed.length < edges) {
      // With room to spare, or each bucket a little larger would leave its predecessor's array behind.
      this.#placed = new Uint32Array(Math.max(edges, Math.min(edges * 2, this.#pieceEdges)));
    }
    const placed = this.#placed;
    // Holds where the next neighbour of a row goes: after placing, where the row ends.
    const ends = new Uint32Array(counts.length);
    for (let row = 1; row < ends.length; row++) {
      ends[row] = (ends[row - 1] ?? 0) + (counts[row - 1] ?? 0);
    }
    for (const { keys, values, count } of this.#reader.batches(bucket)) {
      for (let pair = 0; pair < count; pair++) {
        const key = keys[pair] ?? 0;
        if (key < first || key >= last) continue;
        const place = ends[key - first] ?? 0;
        placed[place] = values[pair] ?? 0;
        ends[key - first] = place + 1;
      }
    }
    const kept = tidyRows(placed, ends);
    return { first, last, neighbours: placed.subarray(0, kept), ends };
  }
}

/** Sorts each row and closes the gaps that repeated neighbours leave. Returns how many are kept. */
function tidyRows(placed: Uint32Array, ends: Uint32Array): number {
  let kept = 0;
  let start = 0;
  for (let row = 0; row < ends.length; row++) {
    const end = ends[row] ?? 0;
    if (!isAscending(placed, start, end)) sortRow(placed, start, end);
    let before = -1;
    for (let at = start; at < end; at++) {
      const neighbour = placed[at] ?? 0;
      if (neighbour !== before) placed[kept++] = neighbour;
      before = neighbour;
    }
    ends[row] = kept;
    start = end;
  }
  return kept;
}

function isAscending(placed: Uint32Array, start: number, end: number): boolean {
  for (let at = start + 1; at < end; at++) {
    if ((placed[at] ?? 0) < (placed[at - 1] ?? 0)) return false;
  }
  return true;
}

function sortRow(placed: Uint32Array, start: number, end: number): void {
  if (end - start > SHORT_ROW) {
    placed.subarray(start, end).sort();
    return;
  }
  for (let at = start + 1; at < end; at++) {
    const neighbour = placed[at] ?? 0;
    let to = at;
    for (; to > start && (placed[to - 1] ?? 0) > neighbour; to--) placed[to] = placed[to - 1] ?? 0;
    placed[to] = neighbour;
  }
}
