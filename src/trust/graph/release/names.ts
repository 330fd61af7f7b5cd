import { join } from 'node:path';
import { compareBytes } from '../compare-bytes.ts';
import { NAME_BYTES_MAX, reverseName } from '../reversed-name.ts';
import { mapFile } from './map-file.ts';
import { BLOCK_NAMES, NAME_BLOCKS_FILE, NAME_SHARD_BYTES, nameShardFile } from './name-writer.ts';

/** The dictionary of a release, mapped: a search touches a few dozen places of the file. */
export class Names {
  readonly #nodes: number;
  readonly #blocks: Float64Array;
  readonly #shards: Uint8Array[] = [];
  /** The name that a walk through a block has come to. */
  readonly #walked = new Uint8Array(NAME_BYTES_MAX);
  #walkedLength = 0;
  readonly #sought = new Uint8Array(NAME_BYTES_MAX);

  constructor(directory: string, nodes: number) {
    this.#nodes = nodes;
    const blocks = mapFile(join(directory, NAME_BLOCKS_FILE));
    this.#blocks = new Float64Array(blocks.buffer, blocks.byteOffset, blocks.byteLength / 8);
    const last = this.#blocks.at(-1) ?? 0;
    for (let shard = 0; shard <= Math.floor(last / NAME_SHARD_BYTES); shard++) {
      this.#shards.push(mapFile(join(directory, nameShardFile(shard))));
    }
  }

  /** @param domain in normal form: lower case, punycode, no `www.` */
  find(domain: string): number | undefined {
    const length = this.#seek(reverseName(domain));
    if (length === 0) return undefined;
    const block = this.#blockOf(length);
    if (block < 0) return undefined;
    const count = Math.min(BLOCK_NAMES, this.#nodes - block * BLOCK_NAMES);
    const place = this.#blocks[block] ?? 0;
    const shard = this.#shards[Math.floor(place / NAME_SHARD_BYTES)] ?? new Uint8Array(0);
    let at = place % NAME_SHARD_BYTES;
    for (let name = 0; name < count; name++) {
      at = this.#walk(shard, at, name === 0);
      const order = compareBytes(this.#walked, 0, this.#walkedLength, this.#sought, 0, length);
      if (order === 0) return block * BLOCK_NAMES + name;
      if (order > 0) return undefined;
    }
    return undefined;
  }

  /**
   * The nodes whose reversed names begin with a prefix: one range, since names are in order. A search of
   * a few microseconds, however many they are.
   * @param prefix such as `edu.` or `uk.ac.`
   * @returns the first of them, and the one behind the last
   */
  rangeOf(prefix: string): [start: number, end: number] {
    const last = prefix.length - 1;
    const beyond = prefix.slice(0, last) + String.fromCharCode(prefix.charCodeAt(last) + 1);
    return [this.#firstFrom(prefix), this.#firstFrom(beyond)];
  }

  /** The first node whose reversed name is this text or behind it; the number of nodes when none is. */
  #firstFrom(reversed: string): number {
    const length = this.#seek(reversed);
    const block = this.#blockOf(length);
    if (block < 0) return 0;
    const first = block * BLOCK_NAMES;
    const count = Math.min(BLOCK_NAMES, this.#nodes - first);
    const place = this.#blocks[block] ?? 0;
    const shard = this.#shards[Math.floor(place / NAME_SHARD_BYTES)] ?? new Uint8Array(0);
    let at = place % NAME_SHARD_BYTES;
    for (let name = 0; name < count; name++) {
      at = this.#walk(shard, at, name === 0);
      const order = compareBytes(this.#walked, 0, this.#walkedLength, this.#sought, 0, length);
      if (order >= 0) return first + name;
    }
    return first + count;
  }

  /** @param node below the number of nodes */
  nameOf(node: number): string {
    if (!(node >= 0 && node < this.#nodes)) throw new RangeError(`there is no node ${node}`);
    const place = this.#blocks[Math.floor(node / BLOCK_NAMES)] ?? 0;
    const shard = this.#shards[Math.floor(place / NAME_SHARD_BYTES)] ?? new Uint8Array(0);
    let at = place % NAME_SHARD_BYTES;
    for (let name = 0; name <= node % BLOCK_NAMES; name++) at = this.#walk(shard, at, name === 0);
    return reverseName(String.fromCharCode(...this.#walked.subarray(0, this.#walkedLength)));
  }

  /** The block whose first name is the last that is not beyond the sought one; −1 before all. */
  #blockOf(length: number): number {
    let low = -1;
    let high = this.#blocks.length;
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      const place = this.#blocks[middle] ?? 0;
      const shard = this.#shards[Math.floor(place / NAME_SHARD_BYTES)] ?? new Uint8Array(0);
      const at = place % NAME_SHARD_BYTES;
      const end = at + 1 + (shard[at] ?? 0);
      if (compareBytes(shard, at + 1, end, this.#sought, 0, length) <= 0) low = middle;
      else high = middle;
    }
    return low;
  }

  /** Steps to the next name of a block. Returns where the one after it begins. */
  #walk(shard: Uint8Array, start: number, first: boolean): number {
    let at = start;
    const shared = first ? 0 : (shard[at++] ?? 0);
    const rest = shard[at++] ?? 0;
    for (let byte = 0; byte < rest; byte++) this.#walked[shared + byte] = shard[at + byte] ?? 0;
    this.#walkedLength = shared + rest;
    return at + rest;
  }

  /** Puts the sought name in place. Returns its length, 0 for what can't be a name. */
  #seek(reversed: string): number {
    if (reversed.length > NAME_BYTES_MAX) return 0;
    for (let at = 0; at < reversed.length; at++) {
      const code = reversed.charCodeAt(at);
      if (code > 127) return 0;
      this.#sought[at] = code;
    }
    return reversed.length;
  }
}
