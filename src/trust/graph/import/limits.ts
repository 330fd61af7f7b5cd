import { DomainError } from '../../../lib/errors.ts';

const MIB = 2 ** 20;

/** MiB; less makes pieces so small that the disk seeks more than it reads. */
export const MEMORY_MIB_MIN = 64;
export const MEMORY_MIB_DEFAULT = 1024;

/** Lines of one file that may be malformed before the import is refused. */
export const BAD_LINES_MAX = 1000;

/** Offsets of all nodes are one array of doubles, and an ArrayBuffer holds at most 4 GiB. */
export const NODES_MAX = 2 ** 29 - 2;

/** Nodes whose ids are not dense: beyond it the table that maps them would not fit one ArrayBuffer. */
export const SPARSE_IDS_MAX = 2 ** 27;

/** Buckets an edge file is parted into; each has a block in memory while it is written. */
const BUCKETS_MAX = 1024;

/** Sizes of the import's buffers; small ones let small graphs take every path. */
export interface ImportLimits {
  /** Bytes of names that are out of order, sorted at once. */
  strayBytes: number;
  /** Bytes written at once for a bucket of edges. */
  blockBytes: number;
  /** Edges that a worker sorts at once. A single row is never parted. */
  pieceEdges: number;
  /** 2 to this power nodes share a bucket. */
  bucketShift: number;
  workers: number;
}

/**
 * Parts the memory that an import may take among its buffers. What comes on top is the runtime itself
 * (about 100 MiB), and the table of ids (4 bytes an id) where a file's ids are not 0, 1, 2, …
 */
export function importLimits(memoryMiB: number, nodes: number, workers: number): ImportLimits {
  if (!(memoryMiB >= MEMORY_MIB_MIN)) {
    throw new DomainError('invalid_request', `an import needs at least ${MEMORY_MIB_MIN} MiB`);
  }
  const bytes = memoryMiB * MIB;
  let bucketShift = 12;
  while (nodes / 2 ** bucketShift > BUCKETS_MAX) bucketShift++;
  return {
    strayBytes: Math.min(bytes / 2, 512 * MIB),
    // While rows are made, each worker writes blocks of transposed edges and sorts a piece.
    blockBytes: Math.min(64 * 1024, bytes / 4 / workers / BUCKETS_MAX),
    pieceEdges: Math.floor(bytes / 2 / workers / Uint32Array.BYTES_PER_ELEMENT),
    bucketShift,
    workers,
  };
}
