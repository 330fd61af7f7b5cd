import { join } from 'node:path';
import { compareBytes } from '../compare-bytes.ts';
import { NAME_BYTES_MAX, reverseName } from '../reversed-name.ts';
import { PagedArray } from './paged-array.ts';
import { PagedFile } from './paged-file.ts';
import { BLOCK_NAMES, NAME_BLOCKS_FILE, NAME_SHARD_BYTES, nameShardFile } from './name-writer.ts';

const CACHED_PAGES = 128;
/** A search reads about two dozen blocks. The first ones, which searches share, are cached: 2 MiB. */
const KEPT_STEPS = 14;

/** The dictionary of a release. */
export class Names {
  readonly #nodes: number;
  readonly #blocks: PagedArray;
  readonly #shards: PagedFile[] = [];
  /** First names of the blocks that searches reach in their first steps. */
  readonly #kept = new Map<number, Uint8Array>();
  /** The current name of a walk through a block. */
  readonly #walked = new Uint8Array(NAME_BYTES_MAX);
  #walkedLength = 0;
  readonly #sought = new Uint8Array(NAME_BYTES_MAX);

  constructor(directory: string, nodes: number) {
    this.#nodes = nodes;
    this.#blocks = new PagedArray(join(directory, NAME_BLOCKS_FILE), 'f64');
    const last = this.#blocks.length === 0 ? 0 : this.#blocks.at(this.#blocks.length - 1);
    for (let shard = 0; shard <= Math.floor(last / NAME_SHARD_BYTES); shard++) {
      this.#shards.push(new PagedFile(join(directory, nameShardFile(shard)), CACHED_PAGES));
    }
  }

  /** @param domain in normal form: lower case, punycode, no `www.` */
  find(domain: string): number | undefined {
    const length = this.#seek(reverseName(domain));
    if (length === 0) return undefined;
    const block = this.#blockOf(length);
    if (block < 0) return undefined;
    const count = Math.min(BLOCK_NAMES, this.#nodes - block * BLOCK_NAMES);
    let place = this.#blocks.at(block);
    for (let name = 0; name < count; name++) {
      place = this.#walk(place, name === 0);
      const order = compareBytes(this.#walked, 0, this.#walkedLength, this.#sought, 0, length);
      if (order === 0) return block * BLOCK_NAMES + name;
      if (order > 0) return undefined;
    }
    return undefined;
  }

  /**
   * The nodes whose reversed names begin with a prefix. They form one range, since names are sorted; finding it takes
   * microseconds, whatever its size.
   * @param prefix such as `edu.` or `uk.ac.`
   * @returns the first node, and the one after the last
   */
  rangeOf(prefix: string): [start: number, end: number] {
    const last = prefix.length - 1;
    const beyond = prefix.slice(0, last) + String.fromCharCode(prefix.charCodeAt(last) + 1);
    return [this.#firstFrom(prefix), this.#firstFrom(beyond)];
  }

  /** The first node whose reversed name is not before this text; the number of nodes when there is none. */
  #firstFrom(reversed: string): number {
    const length = this.#seek(reversed);
    const block = this.#blockOf(length);
    if (block < 0) return 0;
    const first = block * BLOCK_NAMES;
    const count = Math.min(BLOCK_NAMES, this.#nodes - first);
    let place = this.#blocks.at(block);
    for (let name = 0; name < count; name++) {
      place = this.#walk(place, name === 0);
      const order = compareBytes(this.#walked, 0, this.#walkedLength, this.#sought, 0, length);
      if (order >= 0) return first + name;
    }
    return first + count;
  }

  /** @throws RangeError when there is no such node */
  nameOf(node: number): string {
    if (!(node >= 0 && node < this.#nodes)) throw new RangeError(`there is no node ${node}`);
    let place = this.#blocks.at(Math.floor(node / BLOCK_NAMES));
    for (let name = 0; name <= node % BLOCK_NAMES; name++) place = this.#walk(place, name === 0);
    return reverseName(String.fromCharCode(...this.#walked.subarray(0, this.#walkedLength)));
  }

  /** The last block whose first name is not after the sought name; −1 when there is none. */
  #blockOf(length: number): number {
    let low = -1;
    let high = this.#blocks.length;
    for (let step = 0; high - low > 1; step++) {
      const middle = (low + high) >>> 1;
      const order =
        step < KEPT_STEPS ? this.#orderOfKept(middle, length) : this.#order(middle, length);
      if (order <= 0) low = middle;
      else high = middle;
    }
    return low;
  }

  /** Negative when the block's first name is before the sought one, positive when it is after it. */
  #order(block: number, length: number): number {
    const { bytes, at } = this.#bytesAt(this.#blocks.at(block));
    const end = at + 1 + (bytes[at] ?? 0);
    return compareBytes(bytes, at + 1, end, this.#sought, 0, length);
  }

  #orderOfKept(block: number, length: number): number {
    let name = this.#kept.get(block);
    if (name === undefined) {
      const { bytes, at } = this.#bytesAt(this.#blocks.at(block));
      name = bytes.slice(at + 1, at + 1 + (bytes[at] ?? 0));
      this.#kept.set(block, name);
    }
    return compareBytes(name, 0, name.length, this.#sought, 0, length);
  }

  /** Reads the next name of a block. Returns the position of the one after it. */
  #walk(place: number, first: boolean): number {
    const { bytes, at: start } = this.#bytesAt(place);
    let at = start;
    const shared = first ? 0 : (bytes[at++] ?? 0);
    const rest = bytes[at++] ?? 0;
    for (let byte = 0; byte < rest; byte++) this.#walked[shared + byte] = bytes[at + byte] ?? 0;
    this.#walkedLength = shared + rest;
    return place + at - start + rest;
  }

  /** A name is shorter than the overlap of pages, so it is contiguous. */
  #bytesAt(place: number): { bytes: Uint8Array; at: number } {
    const shard = this.#shards[Math.floor(place / NAME_SHARD_BYTES)];
    if (!shard) return { bytes: nothing, at: 0 };
    return { bytes: shard.bytes, at: shard.locate(place % NAME_SHARD_BYTES) };
  }

  /** Copies the sought name into place. Returns its length, or 0 for what can't be a name. */
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

const nothing = new Uint8Array(0);
