/**
 * A graph as compressed sparse rows. Node ids are dense, 0 to nodes − 1; there are no parallel edges and no self-loops.
 * The arrays may be in SharedArrayBuffers, so that workers share them, or mapped from files.
 */

/** Edges per shard: an ArrayBuffer holds at most 4 GiB, and the edges of the whole web need several. */
export const SHARD_EDGES = 2 ** 28;

export interface Rows {
  nodes: number;
  edges: number;
  /**
   * `nodes + 1` positions: row i is edges offsets[i] to offsets[i + 1] − 1. Doubles, since positions exceed 2^32; they
   * are exact up to 2^53.
   */
  offsets: Float64Array;
  /** The neighbours of all rows, ascending within a row; shard k begins with edge k × SHARD_EDGES. */
  shards: readonly Uint32Array[];
}

/** Edges by their source (`out`) and by their target (`in`). */
export interface Graph {
  nodes: number;
  edges: number;
  out: Rows;
  in: Rows;
}

/** The number of edges of a full shard. All shards except the last are full. */
export function shardSize(rows: Rows): number {
  return rows.shards.length > 1 ? rows.shards[0]!.length : Math.max(1, rows.edges);
}

/** The number of neighbours of a node. */
export function degree(rows: Rows, node: number): number {
  return (rows.offsets[node + 1] ?? 0) - (rows.offsets[node] ?? 0);
}

/** The neighbours of one node, ascending. For single look-ups; passes over all rows read the shards directly. */
export function* neighbours(rows: Rows, node: number): Generator<number> {
  const end = rows.offsets[node + 1] ?? 0;
  for (let edge = rows.offsets[node] ?? 0; edge < end; edge++) {
    const shard = Math.floor(edge / SHARD_EDGES);
    yield rows.shards[shard]?.[edge - shard * SHARD_EDGES] ?? 0;
  }
}
