import { closeSync, fsyncSync, openSync } from 'node:fs';
import { bytesOf, writeFully } from '../files.ts';

/**
 * A pair is stored as two differences from the previous pair of its block, each a zigzag varint of at most 5 bytes. In
 * real graphs a pair takes about 4 bytes instead of 8.
 */
const PAIR_BYTES_MAX = 10;

/** The index of a file of pairs: bucket and size of each block, as 32-bit numbers. */
export function indexPath(path: string): string {
  return `${path}.index`;
}

/**
 * Partitions edges into buckets on disk: 2^shift consecutive keys share a bucket. All buckets are in one file of equal
 * slots. A slot holds a block of one bucket, which is written when it is full.
 */
export class PairWriter {
  /** Pairs written. */
  count = 0;
  readonly #path: string;
  readonly #fd: number;
  readonly #shift: number;
  readonly #slotBytes: number;
  readonly #blocks: Uint8Array;
  readonly #used: Uint32Array;
  readonly #lastKey: Int32Array;
  readonly #lastValue: Int32Array;
  #index = new Uint32Array(1024);
  #slots = 0;

  /**
   * @param nodes upper bound of keys
   * @param slotBytes memory per bucket
   */
  constructor(path: string, nodes: number, shift: number, slotBytes: number) {
    const buckets = bucketsOf(nodes, shift);
    this.#path = path;
    this.#fd = openSync(path, 'w');
    this.#shift = shift;
    this.#slotBytes = slotBytes;
    this.#blocks = new Uint8Array(buckets * slotBytes);
    this.#used = new Uint32Array(buckets);
    this.#lastKey = new Int32Array(buckets);
    this.#lastValue = new Int32Array(buckets);
  }

  add(keys: Uint32Array, values: Uint32Array, count: number): void {
    const blocks = this.#blocks;
    const lastKeys = this.#lastKey;
    const lastValues = this.#lastValue;
    for (let pair = 0; pair < count; pair++) {
      const key = keys[pair] ?? 0;
      const value = values[pair] ?? 0;
      const bucket = key >>> this.#shift;
      let used = this.#used[bucket] ?? 0;
      if (used + PAIR_BYTES_MAX > this.#slotBytes) {
        this.#flush(bucket);
        used = 0;
      }
      const start = bucket * this.#slotBytes;
      const keyStep = (key - (lastKeys[bucket] ?? 0)) | 0;
      const valueStep = (value - (lastValues[bucket] ?? 0)) | 0;
      let at = start + used;
      let rest = (keyStep << 1) ^ (keyStep >> 31);
      for (; rest > 127; rest >>>= 7) blocks[at++] = rest | 128;
      blocks[at++] = rest;
      rest = (valueStep << 1) ^ (valueStep >> 31);
      for (; rest > 127; rest >>>= 7) blocks[at++] = rest | 128;
      blocks[at++] = rest;
      this.#used[bucket] = at - start;
      lastKeys[bucket] = key;
      lastValues[bucket] = value;
    }
    this.count += count;
  }

  /** Writes the remaining pairs and the index, and returns when they are on disk. */
  close(): void {
    for (let bucket = 0; bucket < this.#used.length; bucket++) {
      if (this.#used[bucket] !== 0) this.#flush(bucket);
    }
    fsyncSync(this.#fd);
    closeSync(this.#fd);
    const fd = openSync(indexPath(this.#path), 'w');
    const header = Uint32Array.of(this.#slotBytes, this.#used.length);
    writeFully(fd, bytesOf(header), 0);
    writeFully(fd, bytesOf(this.#index.subarray(0, this.#slots * 2)), header.byteLength);
    fsyncSync(fd);
    closeSync(fd);
  }

  #flush(bucket: number): void {
    const used = this.#used[bucket] ?? 0;
    const start = bucket * this.#slotBytes;
    writeFully(this.#fd, this.#blocks.subarray(start, start + used), this.#slots * this.#slotBytes);
    if (this.#slots * 2 === this.#index.length) {
      const larger = new Uint32Array(this.#index.length * 2);
      larger.set(this.#index);
      this.#index = larger;
    }
    this.#index[this.#slots * 2] = bucket;
    this.#index[this.#slots * 2 + 1] = used;
    this.#slots++;
    // Blocks are decoded independently: the first pair of each is stored as it is.
    this.#used[bucket] = 0;
    this.#lastKey[bucket] = 0;
    this.#lastValue[bucket] = 0;
  }
}

/** The number of buckets for keys below `nodes`. */
export function bucketsOf(nodes: number, shift: number): number {
  return Math.ceil(nodes / 2 ** shift);
}
