import { DomainError } from '../../../lib/errors.ts';

const MIB = 2 ** 20;

/** MiB; with less, pieces are so small that the disk would seek more than read. */
const MEMORY_MIB_MIN = 64;
export const MEMORY_MIB_DEFAULT = 1024;

/** Malformed lines of one file that an import accepts. */
export const BAD_LINES_MAX = 1000;

/** The offsets of all nodes are one array of doubles, and an ArrayBuffer holds at most 4 GiB. */
export const NODES_MAX = 2 ** 29 - 2;

/** The most vertices whose ids are far apart: a Map holds about as many. */
export const SPARSE_IDS_MAX = 2 ** 24;

/** The most buckets of an edge file; each has a block in memory while it is written. */
const BUCKETS_MAX = 1024;

/** Sizes of the import's buffers. Tests use small ones, so that small graphs take every path. */
export interface ImportLimits {
  /** Bytes of out-of-order names that are sorted at once. */
  strayBytes: number;
  /** Bytes per write to a bucket of edges. */
  blockBytes: number;
  /** Edges that a worker sorts at once; a single row is never split. */
  pieceEdges: number;
  /** Each bucket has 2 to this power nodes, or more in large graphs. */
  bucketShift: number;
  workers: number;
}

/**
 * Divides the memory of an import among its buffers. The runtime (about 100 MiB) comes on top, and so does the table of
 * ids (4 bytes per id) if the ids are not 0, 1, 2, …
 */
export function importLimits(memoryMiB: number, workers: number): ImportLimits {
  if (!(memoryMiB >= MEMORY_MIB_MIN)) {
    throw new DomainError('invalid_request', `an import needs at least ${MEMORY_MIB_MIN} MiB`);
  }
  const bytes = memoryMiB * MIB;
  return {
    strayBytes: Math.min(bytes / 2, 512 * MIB),
    // While rows are made, each worker writes blocks of transposed edges and sorts a piece.
    blockBytes: Math.min(64 * 1024, bytes / 4 / workers / BUCKETS_MAX),
    pieceEdges: Math.floor(bytes / 2 / workers / Uint32Array.BYTES_PER_ELEMENT),
    bucketShift: 12,
    workers,
  };
}

/** The logarithm of the nodes per bucket, chosen so that there are not too many buckets. */
export function bucketShiftOf(nodes: number, { bucketShift }: ImportLimits): number {
  return Math.max(bucketShift, Math.ceil(Math.log2(nodes / BUCKETS_MAX)));
}
