import { closeSync, openSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { bytesOf, readFully, writeFully } from '../files.ts';
import { SHARD_EDGES, type Rows } from '../rows.ts';

/** Rows by the source of the edges, or by their target. */
export type Direction = 'out' | 'in';

/** The files of rows, from which any worker can map or load them. */
export interface RowFiles {
  nodes: number;
  edges: number;
  offsets: string;
  shards: readonly string[];
}

export function rowFiles(
  directory: string,
  direction: Direction,
  nodes: number,
  edges: number,
): RowFiles {
  const shards: string[] = [];
  for (let shard = 0; shard * SHARD_EDGES < edges; shard++) {
    shards.push(join(directory, shardFile(direction, shard)));
  }
  return { nodes, edges, offsets: join(directory, `${direction}.offsets`), shards };
}

/**
 * Rows over mapped files: opened in milliseconds, read from the disk when accessed. The files may be removed while the
 * rows are in use.
 */
export function mapRows({ nodes, edges, offsets, shards }: RowFiles): Rows {
  return {
    nodes,
    edges,
    offsets: new Float64Array(mapFile(offsets)),
    shards: shards.map((path) => new Uint32Array(mapFile(path))),
  };
}

/** Rows in shared memory, for passes of several workers over all of them; takes 4 bytes per edge. */
export function loadRows({ nodes, edges, offsets, shards }: RowFiles): Rows {
  return {
    nodes,
    edges,
    offsets: load(offsets, new Float64Array(new SharedArrayBuffer((nodes + 1) * 8))),
    shards: shards.map((path, shard) => {
      const length = Math.min(SHARD_EDGES, edges - shard * SHARD_EDGES);
      return load(path, new Uint32Array(new SharedArrayBuffer(length * 4)));
    }),
  };
}

/** Writes rows at any position; several workers may write at the same time. */
export class RowWriter {
  readonly #directory: string;
  readonly #direction: Direction;
  readonly #offsets: number;
  readonly #shards = new Map<number, number>();

  constructor(directory: string, direction: Direction) {
    this.#directory = directory;
    this.#direction = direction;
    this.#offsets = openForWriting(join(directory, `${direction}.offsets`));
  }

  /** Writes the start positions of the rows from `firstNode`. */
  writeOffsets(firstNode: number, offsets: Float64Array): void {
    writeFully(this.#offsets, bytesOf(offsets), firstNode * offsets.BYTES_PER_ELEMENT);
  }

  /** @param start position of the first edge among all edges */
  writeEdges(start: number, neighbours: Uint32Array): void {
    for (let done = 0; done < neighbours.length;) {
      const shard = Math.floor((start + done) / SHARD_EDGES);
      const place = start + done - shard * SHARD_EDGES;
      const part = neighbours.subarray(done, done + SHARD_EDGES - place);
      writeFully(this.#shard(shard), bytesOf(part), place * part.BYTES_PER_ELEMENT);
      done += part.length;
    }
  }

  close(): void {
    closeSync(this.#offsets);
    for (const fd of this.#shards.values()) closeSync(fd);
  }

  #shard(shard: number): number {
    let fd = this.#shards.get(shard);
    if (fd === undefined) {
      fd = openForWriting(join(this.#directory, shardFile(this.#direction, shard)));
      this.#shards.set(shard, fd);
    }
    return fd;
  }
}

function shardFile(direction: Direction, shard: number): string {
  return `${direction}.${String(shard).padStart(4, '0')}`;
}

/** Opens a file, creating it if needed, without truncating it. */
function openForWriting(path: string): number {
  closeSync(openSync(path, 'a'));
  return openSync(path, 'r+');
}

/** The bytes of a file, read when accessed. An empty file can't be mapped. */
function mapFile(path: string): ArrayBuffer {
  return statSync(path).size === 0 ? new ArrayBuffer(0) : Bun.mmap(path).buffer;
}

function load<Numbers extends Float64Array | Uint32Array>(path: string, into: Numbers): Numbers {
  const fd = openSync(path, 'r');
  try {
    const bytes = bytesOf(into);
    if (readFully(fd, bytes, 0) !== bytes.length) throw new Error(`${path} is too short`);
    return into;
  } finally {
    closeSync(fd);
  }
}
