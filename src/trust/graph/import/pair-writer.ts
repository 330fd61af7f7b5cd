import { closeSync, fsyncSync, openSync } from 'node:fs';
import { bytesOf, writeFully } from '../files.ts';

/**
 * A pair is written as two differences to the one before in its block, each in zigzag form as a varint of
 * at most 5 bytes: about 4 bytes a pair of a real graph, instead of 8.
 */
const PAIR_BYTES_MAX = 10;

/** Beside a file of pairs: for each block its bucket and its bytes, as 32-bit numbers. */
export function indexPath(path: string): string {
  return `${path}.index`;
}

/**
 * Parts edges into buckets by their key, on disk: 2^shift neighbouring keys share a bucket. All buckets lie
 * in one file of equal slots, each holding a block of one bucket, written in one go when it is full.
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

  /** @param nodes keys are below it @param slotBytes memory a bucket takes */
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

  /** Writes what is left and the index. The pairs are on the disk afterwards. */
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
    // Each block is read by itself: its first pair differs from nothing.
    this.#used[bucket] = 0;
    this.#lastKey[bucket] = 0;
    this.#lastValue[bucket] = 0;
  }
}

/** How many buckets keys below `nodes` take. */
export function bucketsOf(nodes: number, shift: number): number {
  return Math.ceil(nodes / 2 ** shift);
}
