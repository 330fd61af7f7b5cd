import { closeSync, openSync, readFileSync } from 'node:fs';
import { readFully } from '../files.ts';
import { indexPath } from './pair-writer.ts';

interface PairFile {
  fd: number;
  slotBytes: number;
  /** Slot numbers by bucket, in the order of writing; those of bucket b begin at slots[starts[b]]. */
  slots: Uint32Array;
  starts: Uint32Array;
  /** By slot. */
  bytes: Uint32Array;
}

/** A batch of pairs: the first `count` elements of both arrays. */
export interface PairBatch {
  keys: Uint32Array;
  values: Uint32Array;
  count: number;
}

/** Reads buckets from one or more files of `PairWriter`, in the order of writing. */
export class PairReader {
  readonly #files: PairFile[];
  readonly #block: Uint8Array;
  readonly #batch: PairBatch;

  constructor(paths: readonly string[]) {
    this.#files = paths.map(openPairFile);
    const slotBytes = Math.max(...this.#files.map((file) => file.slotBytes));
    this.#block = new Uint8Array(slotBytes);
    // A pair takes at least two bytes.
    const most = slotBytes >>> 1;
    this.#batch = { keys: new Uint32Array(most), values: new Uint32Array(most), count: 0 };
  }

  /** The pairs of a bucket. Each batch is valid until the next one is read. */
  *batches(bucket: number): Generator<PairBatch> {
    for (const file of this.#files) {
      const end = file.starts[bucket + 1] ?? 0;
      for (let at = file.starts[bucket] ?? 0; at < end; at++) {
        const slot = file.slots[at] ?? 0;
        const block = this.#block.subarray(0, file.bytes[slot]);
        readFully(file.fd, block, slot * file.slotBytes);
        decode(block, this.#batch);
        yield this.#batch;
      }
    }
  }

  close(): void {
    for (const { fd } of this.#files) closeSync(fd);
  }
}

function openPairFile(path: string): PairFile {
  const index = readFileSync(indexPath(path));
  const numbers = new Uint32Array(index.buffer, index.byteOffset, index.byteLength / 4);
  const [slotBytes = 0, buckets = 0] = numbers;
  const count = (numbers.length - 2) / 2;
  const starts = new Uint32Array(buckets + 1);
  const bytes = new Uint32Array(count);
  for (let slot = 0; slot < count; slot++) {
    const next = (numbers[2 + slot * 2] ?? 0) + 1;
    starts[next] = (starts[next] ?? 0) + 1;
    bytes[slot] = numbers[3 + slot * 2] ?? 0;
  }
  for (let bucket = 0; bucket < buckets; bucket++) {
    starts[bucket + 1] = (starts[bucket + 1] ?? 0) + (starts[bucket] ?? 0);
  }
  const next = starts.slice();
  const slots = new Uint32Array(count);
  for (let slot = 0; slot < count; slot++) {
    const bucket = numbers[2 + slot * 2] ?? 0;
    const place = next[bucket] ?? 0;
    slots[place] = slot;
    next[bucket] = place + 1;
  }
  return { fd: openSync(path, 'r'), slotBytes, slots, starts, bytes };
}

function decode(block: Uint8Array, batch: PairBatch): void {
  const { keys, values } = batch;
  let key = 0;
  let value = 0;
  let count = 0;
  let at = 0;
  while (at < block.length) {
    let byte = block[at++] ?? 0;
    let number = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = block[at++] ?? 0;
      number |= (byte & 127) << shift;
    }
    key += (number >>> 1) ^ -(number & 1);
    byte = block[at++] ?? 0;
    number = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = block[at++] ?? 0;
      number |= (byte & 127) << shift;
    }
    value += (number >>> 1) ^ -(number & 1);
    keys[count] = key;
    values[count] = value;
    count++;
  }
  batch.count = count;
}
