import type { SuffixReading } from '../../identity.ts';
import type { FileAppender } from '../files.ts';
import { foldedReversedName, NAME_BYTES_MAX, normalReversedName } from '../reversed-name.ts';
import { UNKNOWN, type IdMap } from './id-map.ts';
import { LINE_END, LineParser, RETURN, TAB, type LineSource } from './line-parser.ts';
import type { NameRunWriter } from './name-runs.ts';
import type { NameSurvey } from './name-survey.ts';
import type { PairWriter } from './pairs.ts';

const DOT = 46;
const decoder = new TextDecoder();
const encoder = new TextEncoder();
const VERTEX_FORM = '"id TAB reversed.domain", such as "0<TAB>com.example"';

/** 1 for the bytes of a name in normal form: lower-case letters, digits, `-`, `_`. */
const plain = new Uint8Array(256);
for (const byte of new TextEncoder().encode('abcdefghijklmnopqrstuvwxyz0123456789-_')) {
  plain[byte] = 1;
}

/** Where the contents of a vertices file go. */
export interface VertexSinks {
  runs: NameRunWriter;
  /** Receives the ids of vertices without a valid name, so that their edges are not reported. */
  skipped: FileAppender;
  survey: NameSurvey;
  /** Folds each host to its domain by this reading; undefined: names stay as they are. */
  foldBy: SuffixReading | undefined;
}

/** Parses lines `id TAB reversed.name [TAB anything]` from bytes and passes the names on. */
export class VertexParser extends LineParser {
  /** Names that were folded to a shorter one. */
  folded = 0;
  readonly #sinks: VertexSinks;

  constructor(sinks: VertexSinks, source: LineSource) {
    super(source, VERTEX_FORM);
    this.#sinks = sinks;
  }

  protected override parse(bytes: Uint8Array): void {
    let start = 0;
    while (start < bytes.length) {
      const end = bytes.indexOf(LINE_END, start);
      this.lines++;
      this.#line(bytes, start, bytes[end - 1] === RETURN && end > start ? end - 1 : end);
      start = end + 1;
    }
  }

  #line(bytes: Uint8Array, start: number, end: number): void {
    const id = this.id(bytes, start);
    if (id === -1 || bytes[this.at] !== TAB) {
      this.refuse(bytes, start, 'not "id TAB name"');
      return;
    }
    const nameStart = this.at + 1;
    const tab = bytes.indexOf(TAB, nameStart);
    const nameEnd = tab === -1 || tab > end ? end : tab;
    const { runs, skipped, survey, foldBy } = this.#sinks;
    survey.add(bytes, nameStart, nameEnd);
    if (foldBy === undefined && isNormal(bytes, nameStart, nameEnd)) {
      runs.add(bytes, nameStart, nameEnd, id);
    } else if (!this.#addUnusual(bytes.subarray(nameStart, nameEnd), id)) {
      skipped.double(id);
      this.refuse(bytes, start, 'not a domain name');
    }
  }

  #addUnusual(bytes: Uint8Array, id: number): boolean {
    const given = decoder.decode(bytes);
    const normal = normalReversedName(given);
    if (normal === undefined) return false;
    const { runs, foldBy } = this.#sinks;
    const name = foldBy === undefined ? normal : foldedReversedName(normal, foldBy);
    if (foldBy !== undefined && name.length < given.length) this.folded++;
    runs.add(encoder.encode(name), 0, name.length, id);
    return true;
  }
}

/** Whether a name is certainly in normal form, as nearly all names are; the full check is far slower. */
function isNormal(bytes: Uint8Array, start: number, end: number): boolean {
  if (end <= start || end - start > NAME_BYTES_MAX) return false;
  let label = start;
  for (let at = start; at < end; at++) {
    if (plain[bytes[at] ?? 0] === 1) continue;
    // Long labels are also left to the full check.
    if (bytes[at] !== DOT || at === label || at - label > 63) return false;
    label = at + 1;
  }
  const isWww = end - label === 3 && bytes[label] === 119 && bytes[label + 1] === 119;
  return label < end && end - label <= 63 && !isWww;
}

const EDGE_FORM = '"from TAB to", two ids of the vertices file, such as "0<TAB>1"';

/** Parses lines `from TAB to` from bytes into pairs of nodes. */
export class EdgeParser extends LineParser {
  selfLoops = 0;
  /** Edges from or to a vertex that was skipped. */
  skipped = 0;
  readonly #ids: IdMap;
  readonly #pairs: PairWriter;

  constructor(ids: IdMap, pairs: PairWriter, source: LineSource) {
    super(source, EDGE_FORM);
    this.#ids = ids;
    this.#pairs = pairs;
  }

  protected override parse(bytes: Uint8Array): void {
    let start = 0;
    while (start < bytes.length) {
      this.lines++;
      const from = this.id(bytes, start);
      const between = bytes[this.at];
      const to = this.id(bytes, this.at + 1);
      if (bytes[this.at] === RETURN) this.at++;
      if (from === -1 || between !== TAB || to === -1 || bytes[this.at] !== LINE_END) {
        this.refuse(bytes, start, 'not "from TAB to"');
        this.at = bytes.indexOf(LINE_END, start);
      } else this.#edge(from, to, bytes, start);
      start = this.at + 1;
    }
  }

  #edge(from: number, to: number, bytes: Uint8Array, start: number): void {
    const source = this.#ids.node(from);
    const target = this.#ids.node(to);
    if (source === UNKNOWN || target === UNKNOWN) {
      this.refuse(bytes, start, 'an id that is not in the vertices file');
    } else if (source < 0 || target < 0) this.skipped++;
    else if (source === target) this.selfLoops++;
    else this.#pairs.add(source, target);
  }
}
