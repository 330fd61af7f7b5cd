import { closeSync, openSync, statSync } from 'node:fs';
import { DomainError } from '../../../lib/errors.ts';
import { FileAppender, readFully } from '../files.ts';
import { SPARSE_IDS_MAX } from './limits.ts';

/** The result of the phase `names`: facts about the ids of the file. */
export interface IdFacts {
  path: string;
  count: number;
  max: number;
  /** Whether every id equals its node: then no map is needed. */
  identity: boolean;
  nodes: number;
}

/** The vertex was left out. */
export const SKIPPED = -1;
export const UNKNOWN = -2;

const NO_NODE = 2 ** 32 - 1;
const SKIPPED_NODE = 2 ** 32 - 2;
/** A table by id is used if it is at most this many times longer than the number of ids. */
const TABLE_FACTOR = 8;
const TABLE_MIN = 2 ** 16;
const BATCH_RECORDS = 32 * 1024;

/**
 * Maps the ids of a file to nodes. Ids that equal their nodes, as in the public graphs, need no table; others have a
 * table by id or, if they are far apart, a Map.
 */
export class IdMap {
  readonly #facts: IdFacts;
  readonly #isQuotable: boolean;
  readonly #table: Uint32Array | undefined;
  readonly #sparse = new Map<number, number>();

  /** @param isQuotable whether messages may quote ids @throws DomainError if one id names two domains */
  constructor(facts: IdFacts, isQuotable: boolean) {
    this.#facts = facts;
    this.#isQuotable = isQuotable;
    const { path, count, max, identity } = facts;
    if (identity) return;
    const isDense = max < TABLE_FACTOR * count + TABLE_MIN;
    if (isDense) this.#table = new Uint32Array(max + 1).fill(NO_NODE);
    else if (count > SPARSE_IDS_MAX) {
      const message = `ids with large gaps are supported for up to ${SPARSE_IDS_MAX} vertices: number the vertices from 0 without gaps`;
      throw new DomainError('invalid_request', message);
    }
    for (const records of recordsOf(path)) {
      for (let at = 0; at < records.length; at += 2) this.#add(records[at]!, records[at + 1]!);
    }
  }

  /** The node of an id, UNKNOWN or SKIPPED. */
  node(id: number): number {
    if (this.#facts.identity) return id < this.#facts.nodes ? id : UNKNOWN;
    const found = this.#found(id);
    if (found < SKIPPED_NODE) return found;
    return found === SKIPPED_NODE ? SKIPPED : UNKNOWN;
  }

  #found(id: number): number {
    return (this.#table ? this.#table[id] : this.#sparse.get(id)) ?? NO_NODE;
  }

  #add(id: number, node: number): void {
    const value = node === SKIPPED ? SKIPPED_NODE : node;
    const before = this.#found(id);
    if (before !== NO_NODE && before !== value) {
      throw new DomainError(
        'invalid_request',
        `the vertices file gives ${this.#isQuotable ? `id ${id}` : 'an id'} twice`,
      );
    }
    if (this.#table) this.#table[id] = value;
    else this.#sparse.set(id, value);
  }
}

/** Writes the file that maps ids to nodes: records of two doubles, id and node. */
export class IdFileWriter {
  readonly #file: FileAppender;
  readonly #facts: IdFacts;

  constructor(path: string) {
    this.#file = new FileAppender(path, 2 ** 20);
    this.#facts = { path, count: 0, max: 0, identity: true, nodes: 0 };
  }

  /** @param node may be SKIPPED */
  add(id: number, node: number): void {
    const facts = this.#facts;
    if (id !== node) facts.identity = false;
    if (id > facts.max) facts.max = id;
    this.#file.double(id);
    this.#file.double(node);
    facts.count++;
  }

  close(nodes: number): IdFacts {
    this.#file.close();
    return { ...this.#facts, nodes };
  }
}

/** Batches of records: id, node, id, node, … Each is valid until the next one is read. */
function* recordsOf(path: string): Generator<Float64Array> {
  const fd = openSync(path, 'r');
  try {
    const { size } = statSync(path);
    const batch = new Float64Array(BATCH_RECORDS * 2);
    const bytes = new Uint8Array(batch.buffer);
    for (let position = 0; position < size; position += bytes.length) {
      const read = readFully(fd, bytes, position);
      yield batch.subarray(0, read / Float64Array.BYTES_PER_ELEMENT);
    }
  } finally {
    closeSync(fd);
  }
}
