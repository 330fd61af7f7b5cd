/**
 * A graph as compressed sparse rows. Node ids are dense, 0 to nodes − 1; parallel edges are merged and
 * self-loops are left out before rows are made. Every array may lie in a SharedArrayBuffer, so that
 * workers share it, or be mapped from a file.
 */

/** Edges a shard holds: one ArrayBuffer can't hold more than 4 GiB, the whole web's edges need several. */
export const SHARD_EDGES = 2 ** 28;

export interface Rows {
  nodes: number;
  edges: number;
  /**
   * `nodes + 1` positions: row i is edges offsets[i] to offsets[i + 1] − 1. Doubles, since positions go
   * beyond 2^32 and are exact to 2^53.
   */
  offsets: Float64Array;
  /** The neighbours of all rows, ascending within a row; shard k holds edges from k × SHARD_EDGES. */
  shards: readonly Uint32Array[];
}

/** Edges by their source (`out`) and by their target (`in`). */
export interface Graph {
  nodes: number;
  edges: number;
  out: Rows;
  in: Rows;
}

/** Edges of a full shard here. All but the last are full, so that the first one tells it. */
export function shardSize(rows: Rows): number {
  return rows.shards.length > 1 ? rows.shards[0]!.length : Math.max(1, rows.edges);
}

/** How many neighbours a node has in these rows. */
export function degree(rows: Rows, node: number): number {
  return (rows.offsets[node + 1] ?? 0) - (rows.offsets[node] ?? 0);
}

/** The neighbours of one node, ascending. For single look-ups; passes over all rows walk the shards. */
export function* neighbours(rows: Rows, node: number): Generator<number> {
  const end = rows.offsets[node + 1] ?? 0;
  for (let edge = rows.offsets[node] ?? 0; edge < end; edge++) {
    const shard = Math.floor(edge / SHARD_EDGES);
    yield rows.shards[shard]?.[edge - shard * SHARD_EDGES] ?? 0;
  }
}
