import { closeSync, openSync, statSync } from 'node:fs';
import { FileAppender, readFully } from '../files.ts';

/*
 * Maps the ids of a graph's file to nodes: records of two doubles, id and node. The node of a skipped vertex is −1.
 */
const RECORD_DOUBLES = 2;
const BATCH_RECORDS = 32 * 1024;

export class IdFileWriter {
  count = 0;
  max = 0;
  /** Whether every id equals its node: then no map is needed. */
  identity = true;
  readonly #file: FileAppender;

  constructor(path: string) {
    this.#file = new FileAppender(path, 2 ** 20);
  }

  add(id: number, node: number): void {
    if (id !== node) this.identity = false;
    if (id > this.max) this.max = id;
    this.#file.double(id);
    this.#file.double(node);
    this.count++;
  }

  close(): void {
    this.#file.close();
  }
}

/** Calls `visit` with each batch of records: id, node, id, node, … */
export function readIdFile(path: string, visit: (records: Float64Array) => void): void {
  const fd = openSync(path, 'r');
  try {
    const size = statSync(path).size;
    const batch = new Float64Array(BATCH_RECORDS * RECORD_DOUBLES);
    const bytes = new Uint8Array(batch.buffer);
    for (let position = 0; position < size; position += bytes.length) {
      const read = readFully(fd, bytes, position);
      visit(batch.subarray(0, read / Float64Array.BYTES_PER_ELEMENT));
    }
  } finally {
    closeSync(fd);
  }
}
