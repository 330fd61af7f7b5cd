import type { BadLines } from './bad-lines.ts';
import { UNKNOWN, type IdMap } from './id-map.ts';
import type { PairWriter } from './pair-writer.ts';

const TAB = 9;
const LINE_END = 10;
const RETURN = 13;
/** Digits of 2^53. */
const ID_DIGITS_MAX = 16;
const BATCH = 8192;

/** Parses lines `from TAB to` from bytes into pairs of nodes. */
export class EdgeParser {
  lines = 0;
  selfLoops = 0;
  /** Edges from or to a vertex that was skipped. */
  skipped = 0;
  readonly #ids: IdMap;
  readonly #pairs: PairWriter;
  readonly #bad: BadLines;
  readonly #sources = new Uint32Array(BATCH);
  readonly #targets = new Uint32Array(BATCH);
  #batched = 0;
  /** End of the last number read. */
  #at = 0;

  constructor(ids: IdMap, pairs: PairWriter, bad: BadLines) {
    this.#ids = ids;
    this.#pairs = pairs;
    this.#bad = bad;
  }

  /** @param bytes whole lines, each with its line end */
  push(bytes: Uint8Array): void {
    let start = 0;
    while (start < bytes.length) {
      this.lines++;
      const from = this.#number(bytes, start);
      const between = bytes[this.#at];
      const to = this.#number(bytes, this.#at + 1);
      if (bytes[this.#at] === RETURN) this.#at++;
      if (from === -1 || between !== TAB || to === -1 || bytes[this.#at] !== LINE_END) {
        this.#at = this.#badLine(bytes, start, 'not "from TAB to"');
      } else this.#edge(from, to, bytes, start);
      start = this.#at + 1;
    }
  }

  end(): void {
    this.#flush();
  }

  /** The whole number at a position, or −1. */
  #number(bytes: Uint8Array, start: number): number {
    let at = start;
    let number = 0;
    let digit = (bytes[at] ?? 0) - 48;
    while (digit >= 0 && digit <= 9) {
      number = number * 10 + digit;
      digit = (bytes[++at] ?? 0) - 48;
    }
    this.#at = at;
    const digits = at - start;
    if (digits === 0 || digits > ID_DIGITS_MAX || number > Number.MAX_SAFE_INTEGER) return -1;
    return number;
  }

  #edge(from: number, to: number, bytes: Uint8Array, start: number): void {
    const source = this.#ids.node(from);
    const target = this.#ids.node(to);
    if (source < 0 || target < 0) {
      if (source === UNKNOWN || target === UNKNOWN) {
        this.#badLine(bytes, start, 'an id that is not in the vertices file');
      } else this.skipped++;
    } else if (source === target) this.selfLoops++;
    else {
      this.#sources[this.#batched] = source;
      this.#targets[this.#batched] = target;
      this.#batched++;
      if (this.#batched === BATCH) this.#flush();
    }
  }

  /** Returns where the line ends. */
  #badLine(bytes: Uint8Array, start: number, reason: string): number {
    const end = bytes.indexOf(LINE_END, start);
    this.#bad.add(this.lines, reason, bytes.subarray(start, end));
    return end;
  }

  #flush(): void {
    this.#pairs.add(this.#sources, this.#targets, this.#batched);
    this.#batched = 0;
  }
}
