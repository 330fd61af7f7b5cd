import type { FileAppender } from '../files.ts';
import { NAME_BYTES_MAX, normalReversedName } from '../reversed-name.ts';
import type { BadLines } from './bad-lines.ts';
import type { NameRunWriter } from './name-runs.ts';

const TAB = 9;
const LINE_END = 10;
const RETURN = 13;
const DOT = 46;
/** Digits of 2^53. */
const ID_DIGITS_MAX = 16;

/** 1 for the bytes of a name in normal form: lower-case letters, digits, `-`, `_`. */
const plain = new Uint8Array(256);
for (const byte of new TextEncoder().encode('abcdefghijklmnopqrstuvwxyz0123456789-_')) {
  plain[byte] = 1;
}

/** Parses lines `id TAB reversed.name [TAB anything]` from bytes and passes the names on. */
export class VertexParser {
  lines = 0;
  readonly #runs: NameRunWriter;
  readonly #skipped: FileAppender;
  readonly #bad: BadLines;

  /** @param skipped receives the ids of vertices without a valid name, so that their edges are not reported */
  constructor(runs: NameRunWriter, skipped: FileAppender, bad: BadLines) {
    this.#runs = runs;
    this.#skipped = skipped;
    this.#bad = bad;
  }

  /** @param bytes whole lines, each with its line end */
  push(bytes: Uint8Array): void {
    let start = 0;
    while (start < bytes.length) {
      const end = bytes.indexOf(LINE_END, start);
      this.lines++;
      this.#line(bytes, start, bytes[end - 1] === RETURN && end > start ? end - 1 : end);
      start = end + 1;
    }
  }

  #line(bytes: Uint8Array, start: number, end: number): void {
    let id = 0;
    let at = start;
    for (; at < end; at++) {
      const digit = (bytes[at] ?? 0) - 48;
      if (digit < 0 || digit > 9) break;
      id = id * 10 + digit;
    }
    const known = at > start && at - start <= ID_DIGITS_MAX && id <= Number.MAX_SAFE_INTEGER;
    if (!known || bytes[at] !== TAB || at >= end) {
      this.#bad.add(this.lines, 'not "id TAB name"', bytes.subarray(start, end));
      return;
    }
    const nameStart = at + 1;
    const tab = bytes.indexOf(TAB, nameStart);
    const nameEnd = tab === -1 || tab > end ? end : tab;
    if (isNormal(bytes, nameStart, nameEnd)) this.#runs.add(bytes, nameStart, nameEnd, id);
    else if (!this.#addUnusual(bytes.subarray(nameStart, nameEnd), id)) {
      this.#skipped.double(id);
      this.#bad.add(this.lines, 'not a domain name', bytes.subarray(start, end));
    }
  }

  #addUnusual(bytes: Uint8Array, id: number): boolean {
    const name = normalReversedName(new TextDecoder().decode(bytes));
    if (name === undefined) return false;
    this.#runs.add(new TextEncoder().encode(name), 0, name.length, id);
    return true;
  }
}

/** Whether a name is certainly in normal form, like nearly all names; the full check is far slower. */
function isNormal(bytes: Uint8Array, start: number, end: number): boolean {
  if (end <= start || end - start > NAME_BYTES_MAX) return false;
  let label = start;
  for (let at = start; at < end; at++) {
    if (plain[bytes[at] ?? 0] === 1) continue;
    // Long labels are left to the full check too.
    if (bytes[at] !== DOT || at === label || at - label > 63) return false;
    label = at + 1;
  }
  const isWww = end - label === 3 && bytes[label] === 119 && bytes[label + 1] === 119;
  return label < end && end - label <= 63 && !isWww;
}
