import { join } from 'node:path';
import { FileAppender } from '../files.ts';
import { NAME_BYTES_MAX } from '../reversed-name.ts';

/** Names per block. The first is stored whole, the others without the prefix that they share with the previous one. */
export const BLOCK_NAMES = 16;
/** Bytes per shard of names; no block crosses a boundary. */
export const NAME_SHARD_BYTES = 2 ** 30;
/** The largest block: two lengths and the name, for each name. */
const BLOCK_BYTES_MAX = BLOCK_NAMES * (2 + NAME_BYTES_MAX);
const BUFFER_BYTES = 2 ** 20;

export const NAME_BLOCKS_FILE = 'names.blocks';

export function nameShardFile(shard: number): string {
  return `names.${String(shard).padStart(4, '0')}`;
}

/**
 * Writes the dictionary of a release from names in ascending order: front-coded blocks in shards, and the position of
 * each block as a double (shard × 2^30 + offset in the shard).
 */
export class NameWriter {
  /** Names written so far; the next name's id. */
  count = 0;
  readonly #directory: string;
  readonly #blocks: FileAppender;
  #shard = 0;
  #file: FileAppender;
  readonly #last = new Uint8Array(NAME_BYTES_MAX);
  #lastLength = 0;

  constructor(directory: string) {
    this.#directory = directory;
    this.#blocks = new FileAppender(join(directory, NAME_BLOCKS_FILE), BUFFER_BYTES);
    this.#file = new FileAppender(join(directory, nameShardFile(0)), BUFFER_BYTES);
  }

  /**
   * @param bytes contains the name at [start, end), which does not sort before the last one; a repeated name is left
   * out
   */
  add(bytes: Uint8Array, start: number, end: number): void {
    const sharedWithLast = this.#shared(bytes, start, end);
    if (sharedWithLast === end - start && sharedWithLast === this.#lastLength) return;
    const first = this.count % BLOCK_NAMES === 0;
    if (first) this.#startBlock();
    const shared = first ? 0 : sharedWithLast;
    if (!first) this.#file.byte(shared);
    this.#file.byte(end - start - shared);
    this.#file.bytes(bytes, start + shared, end);
    for (let at = start + shared; at < end; at++) this.#last[at - start] = bytes[at] ?? 0;
    this.#lastLength = end - start;
    this.count++;
  }

  close(): void {
    this.#file.close();
    this.#blocks.close();
  }

  #startBlock(): void {
    if (this.#file.size + BLOCK_BYTES_MAX > NAME_SHARD_BYTES) {
      this.#file.close();
      this.#shard++;
      const path = join(this.#directory, nameShardFile(this.#shard));
      this.#file = new FileAppender(path, BUFFER_BYTES);
    }
    this.#blocks.double(this.#shard * NAME_SHARD_BYTES + this.#file.size);
  }

  #shared(bytes: Uint8Array, start: number, end: number): number {
    const max = Math.min(this.#lastLength, end - start);
    let shared = 0;
    while (shared < max && this.#last[shared] === bytes[start + shared]) shared++;
    return shared;
  }
}
