import { join } from 'node:path';
import { NAME_BYTES_MAX, reverseName } from '../reversed-name.ts';
import { PagedArray } from './paged-array.ts';
import { PagedFile } from './paged-file.ts';
import { BLOCK_NAMES, NAME_BLOCKS_FILE, NAME_SHARD_BYTES, nameShardFile } from './name-writer.ts';

const CACHED_PAGES = 128;
/** A search reads about two dozen blocks. The first ones, which searches share, are cached: 2 MiB. */
const KEPT_STEPS = 14;

/** A name whose beginning the next one repeats. */
interface Walked {
  bytes: Uint8Array;
  length: number;
}

const nameIn = ({ bytes, length }: Walked): Uint8Array => bytes.subarray(0, length);

/** The dictionary of a release. */
export class Names {
  readonly #nodes: number;
  readonly #blocks: PagedArray;
  readonly #shards: PagedFile[] = [];
  /** First names of the blocks that searches reach in their first steps. */
  readonly #kept = new Map<number, Uint8Array>();
  /** The current name of a search. */
  readonly #walked: Walked = { bytes: new Uint8Array(NAME_BYTES_MAX), length: 0 };

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
    const { node, isFound } = this.#seek(reverseName(domain));
    return isFound ? node : undefined;
  }

  /** See Release.rangeOf. Names are sorted, so those with the same prefix form one range. */
  rangeOf(prefix: string): [start: number, end: number] {
    const last = prefix.length - 1;
    const beyond = prefix.slice(0, last) + String.fromCharCode(prefix.charCodeAt(last) + 1);
    return [this.#seek(prefix).node, this.#seek(beyond).node];
  }

  /**
   * The first node whose reversed name does not sort before this text (or the number of nodes), and whether it is
   * equal.
   */
  #seek(reversed: string): { node: number; isFound: boolean } {
    const sought = Buffer.from(reversed);
    const block = this.#blockOf(sought);
    if (block < 0) return { node: 0, isFound: false };
    const first = block * BLOCK_NAMES;
    const end = Math.min(first + BLOCK_NAMES, this.#nodes);
    let place = this.#blocks.at(block);
    for (let node = first; node < end; node++) {
      place = this.#walk(place, node === first);
      const order = Buffer.compare(nameIn(this.#walked), sought);
      if (order >= 0) return { node, isFound: order === 0 };
    }
    return { node: end, isFound: false };
  }

  /** @throws RangeError if there is no such node */
  nameOf(node: number): string {
    if (!(node >= 0 && node < this.#nodes)) throw new RangeError(`there is no node ${node}`);
    let place = this.#blocks.at(Math.floor(node / BLOCK_NAMES));
    for (let name = 0; name <= node % BLOCK_NAMES; name++) place = this.#walk(place, name === 0);
    return reverseName(String.fromCharCode(...nameIn(this.#walked)));
  }

  /** All names in order, as reversed bytes that are valid until the next step. Searches in between do no harm. */
  *all(): Generator<Uint8Array> {
    const walked: Walked = { bytes: new Uint8Array(NAME_BYTES_MAX), length: 0 };
    for (let node = 0, place = 0; node < this.#nodes; node++) {
      const first = node % BLOCK_NAMES === 0;
      if (first) place = this.#blocks.at(node / BLOCK_NAMES);
      place = this.#walk(place, first, walked);
      yield nameIn(walked);
    }
  }

  /** The last block whose first name does not sort after the sought name; −1 if there is none. */
  #blockOf(sought: Uint8Array): number {
    let low = -1;
    let high = this.#blocks.length;
    for (let step = 0; high - low > 1; step++) {
      const middle = (low + high) >>> 1;
      if (Buffer.compare(this.#firstName(middle, step < KEPT_STEPS), sought) <= 0) low = middle;
      else high = middle;
    }
    return low;
  }

  #firstName(block: number, keep: boolean): Uint8Array {
    const kept = this.#kept.get(block);
    if (kept) return kept;
    const { bytes, at } = this.#bytesAt(this.#blocks.at(block));
    const name = bytes.subarray(at + 1, at + 1 + bytes[at]!);
    if (keep) this.#kept.set(block, name.slice());
    return name;
  }

  /** Reads the next name of a block. Returns the position of the one after it. */
  #walk(place: number, first: boolean, walked = this.#walked): number {
    const { bytes, at: start } = this.#bytesAt(place);
    let at = start;
    const shared = first ? 0 : (bytes[at++] ?? 0);
    const rest = bytes[at++] ?? 0;
    for (let byte = 0; byte < rest; byte++) walked.bytes[shared + byte] = bytes[at + byte] ?? 0;
    walked.length = shared + rest;
    return place + at - start + rest;
  }

  /** A name is shorter than the overlap of pages, so its bytes are contiguous. */
  #bytesAt(place: number): { bytes: Uint8Array; at: number } {
    const shard = this.#shards[Math.floor(place / NAME_SHARD_BYTES)]!;
    return { bytes: shard.bytes, at: shard.locate(place % NAME_SHARD_BYTES) };
  }
}
