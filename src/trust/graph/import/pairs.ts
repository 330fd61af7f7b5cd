import { closeSync, fsyncSync, openSync, readFileSync } from 'node:fs';
import { bytesOf, readFully, writeFile, writeFully } from '../files.ts';

/**
 * A pair is stored as two differences from the previous pair of its block, each a zigzag varint of at most 5 bytes. In
 * real graphs a pair takes about 4 bytes instead of 8.
 */
const PAIR_BYTES_MAX = 10;
/** Pairs that are encoded at once. */
const BATCH = 8192;

/**
 * The index of a file of pairs: size of a slot, number of buckets, then bucket and size of each block, each in 32 bits.
 */
function indexPath(path: string): string {
  return `${path}.index`;
}

/** The number of buckets for keys below `nodes`. */
export function bucketsOf(nodes: number, shift: number): number {
  return Math.ceil(nodes / 2 ** shift);
}

/**
 * Partitions edges into buckets on disk: 2^shift consecutive keys share a bucket. All buckets are in one file of equal
 * slots. A slot holds a block of one bucket, which is written when it is full.
 */
export class PairWriter {
  count = 0;
  readonly #path: string;
  readonly #fd: number;
  readonly #shift: number;
  readonly #slotBytes: number;
  readonly #keys = new Uint32Array(BATCH);
  readonly #values = new Uint32Array(BATCH);
  #batched = 0;
  readonly #blocks: Uint8Array;
  readonly #used: Uint32Array;
  readonly #lastKey: Int32Array;
  readonly #lastValue: Int32Array;
  #index = new Uint32Array(1024);
  #slots = 0;

  /** @param nodes upper bound of keys @param slotBytes memory per bucket */
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

  add(key: number, value: number): void {
    this.#keys[this.#batched] = key;
    this.#values[this.#batched] = value;
    if (++this.#batched === BATCH) this.#encode();
  }

  /** Writes the remaining pairs and the index, and returns when they are on disk. */
  close(): void {
    this.#encode();
    for (let bucket = 0; bucket < this.#used.length; bucket++) {
      if (this.#used[bucket] !== 0) this.#flush(bucket);
    }
    fsyncSync(this.#fd);
    closeSync(this.#fd);
    const header = Uint32Array.of(this.#slotBytes, this.#used.length);
    const blocks = this.#index.subarray(0, this.#slots * 2);
    writeFile(indexPath(this.#path), bytesOf(header), bytesOf(blocks));
  }

  #encode(): void {
    const blocks = this.#blocks;
    const lastKeys = this.#lastKey;
    const lastValues = this.#lastValue;
    for (let pair = 0; pair < this.#batched; pair++) {
      const key = this.#keys[pair]!;
      const value = this.#values[pair]!;
      const bucket = key >>> this.#shift;
      if (this.#used[bucket]! + PAIR_BYTES_MAX > this.#slotBytes) this.#flush(bucket);
      const start = bucket * this.#slotBytes;
      const keyStep = (key - lastKeys[bucket]!) | 0;
      const valueStep = (value - lastValues[bucket]!) | 0;
      let at = start + this.#used[bucket]!;
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
    this.count += this.#batched;
    this.#batched = 0;
  }

  #flush(bucket: number): void {
    const used = this.#used[bucket]!;
    const start = bucket * this.#slotBytes;
    writeFully(this.#fd, this.#blocks.subarray(start, start + used), this.#slots * this.#slotBytes);
    if (this.#slots * 2 === this.#index.length) {
      const larger = new Uint32Array(this.#index.length * 2);
      larger.set(this.#index);
      this.#index = larger;
    }
    this.#index.set([bucket, used], this.#slots * 2);
    this.#slots++;
    // Blocks are decoded independently: the first pair of each is stored as it is.
    this.#used[bucket] = 0;
    this.#lastKey[bucket] = 0;
    this.#lastValue[bucket] = 0;
  }
}

interface PairFile {
  fd: number;
  slotBytes: number;
  index: Uint32Array;
  /** The slots of each bucket, in the order of writing. */
  slots: readonly (readonly number[])[];
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
    for (const { fd, slotBytes, index, slots } of this.#files) {
      for (const slot of slots[bucket]!) {
        const block = this.#block.subarray(0, index[3 + slot * 2]);
        readFully(fd, block, slot * slotBytes);
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
  const bytes = readFileSync(indexPath(path));
  const index = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
  const [slotBytes = 0, buckets = 0] = index;
  const slots = Array.from({ length: buckets }, (): number[] => []);
  for (let slot = 0; 2 + slot * 2 < index.length; slot++) slots[index[2 + slot * 2]!]!.push(slot);
  return { fd: openSync(path, 'r'), slotBytes, index, slots };
}

function decode(block: Uint8Array, batch: PairBatch): void {
  const { keys, values } = batch;
  let key = 0;
  let value = 0;
  let count = 0;
  let at = 0;
  while (at < block.length) {
    let byte = block[at++]!;
    let number = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = block[at++]!;
      number |= (byte & 127) << shift;
    }
    key += (number >>> 1) ^ -(number & 1);
    byte = block[at++]!;
    number = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = block[at++]!;
      number |= (byte & 127) << shift;
    }
    value += (number >>> 1) ^ -(number & 1);
    keys[count] = key;
    values[count] = value;
    count++;
  }
  batch.count = count;
}
