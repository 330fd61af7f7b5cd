import { closeSync, openSync, statSync } from 'node:fs';
import { DomainError } from '../../../lib/errors.ts';
import { FileAppender, readFully } from '../files.ts';
import { SPARSE_IDS_MAX } from './limits.ts';

/** Result of the phase `names`: facts about the ids of the file. */
export interface IdFacts {
  path: string;
  count: number;
  max: number;
  identity: boolean;
  nodes: number;
}

export const UNKNOWN = -1;
export const SKIPPED = -2;

const NO_NODE = 2 ** 32 - 1;
const SKIPPED_NODE = 2 ** 32 - 2;
/** A direct table is used if it is at most this many times longer than the number of ids. */
const DIRECT_FACTOR = 8;
const DIRECT_MIN = 2 ** 16;

/**
 * Maps the ids of a file to nodes. Ids that equal their nodes, as in the public graphs, need no table; others have a
 * table by id or, if they are far apart, an open-addressed hash table.
 */
export class IdMap {
  readonly #nodes: number;
  readonly #identity: boolean;
  #direct: Uint32Array | undefined;
  #keys: Float64Array | undefined;
  #values: Uint32Array = new Uint32Array(0);

  /** @throws DomainError when one id names two domains */
  constructor(facts: IdFacts) {
    this.#nodes = facts.nodes;
    this.#identity = facts.identity;
    if (facts.identity) return;
    if (facts.max < DIRECT_FACTOR * facts.count + DIRECT_MIN) this.#makeDirect(facts);
    else this.#makeHashed(facts);
  }

  /** The node of an id, UNKNOWN or SKIPPED. */
  node(id: number): number {
    if (this.#identity) return id < this.#nodes ? id : UNKNOWN;
    const found =
      this.#keys === undefined
        ? (this.#direct?.[id] ?? NO_NODE)
        : (this.#values[this.#slot(this.#keys, id)] ?? NO_NODE);
    if (found < SKIPPED_NODE) return found;
    return found === SKIPPED_NODE ? SKIPPED : UNKNOWN;
  }

  #makeDirect({ path, max }: IdFacts): void {
    const table = new Uint32Array(max + 1).fill(NO_NODE);
    this.#direct = table;
    readIdFile(path, (records) => {
      for (let at = 0; at < records.length; at += 2) place(table, records[at] ?? 0, records, at);
    });
  }

  #makeHashed({ path, count }: IdFacts): void {
    if (count > SPARSE_IDS_MAX) {
      throw new DomainError(
        'invalid_request',
        `ids with large gaps are supported for up to ${SPARSE_IDS_MAX} vertices: number the vertices from 0 without gaps`,
      );
    }
    const capacity = 2 ** Math.ceil(Math.log2(count * 2));
    const keys = new Float64Array(capacity).fill(-1);
    this.#keys = keys;
    this.#values = new Uint32Array(capacity).fill(NO_NODE);
    readIdFile(path, (records) => {
      for (let at = 0; at < records.length; at += 2) {
        const slot = this.#slot(keys, records[at] ?? 0);
        keys[slot] = records[at] ?? 0;
        place(this.#values, slot, records, at);
      }
    });
  }

  /** The slot of the id, or the empty slot where it would be. */
  #slot(keys: Float64Array, id: number): number {
    const mask = keys.length - 1;
    const high = Math.imul(Math.floor(id / 2 ** 32), 0x9e3779b1);
    let mixed = Math.imul((id >>> 0) ^ high, 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0xc2b2ae35);
    let slot = (mixed ^ (mixed >>> 13)) & mask;
    while (keys[slot] !== id && keys[slot] !== -1) slot = (slot + 1) & mask;
    return slot;
  }
}

function place(table: Uint32Array, slot: number, records: Float64Array, at: number): void {
  const node = records[at + 1] ?? 0;
  const value = node === -1 ? SKIPPED_NODE : node;
  const before = table[slot];
  if (before !== NO_NODE && before !== value) {
    throw new DomainError('invalid_request', `the vertices file gives id ${records[at]} twice`);
  }
  table[slot] = value;
}

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
function readIdFile(path: string, visit: (records: Float64Array) => void): void {
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
