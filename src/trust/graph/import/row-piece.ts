import type { PairReader } from './pairs.ts';

/** Rows that are sorted in memory together: those of nodes [first, last). */
export interface RowPiece {
  first: number;
  last: number;
  /** The neighbours of all these rows, ascending and unique within a row. Valid until the next piece. */
  neighbours: Uint32Array;
  /** Where each row ends in `neighbours`. */
  ends: Uint32Array;
}

/** Up to this length, insertion sort is faster than a call of the runtime's sort. */
const SHORT_ROW = 24;

/**
 * Turns the pairs of one bucket into rows. A bucket that does not fit into memory is processed in pieces, each by its own
 * pass over the bucket; a row is never split.
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

  /** Yields at least one piece, even without edges. */
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
      // With some spare room: otherwise each slightly larger bucket would leave an array as garbage.
      this.#placed = new Uint32Array(Math.max(edges, Math.min(edges * 2, this.#pieceEdges)));
    }
    const placed = this.#placed;
    // At first the position of the next neighbour of each row; at the end, the end of the row.
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

/** Sorts each row and removes repeated neighbours. Returns the number that remain. */
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
