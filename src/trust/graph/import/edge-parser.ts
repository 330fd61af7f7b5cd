import { UNKNOWN, type IdMap } from './id-map.ts';
import { LINE_END, LineParser, RETURN, TAB } from './line-parser.ts';
import type { PairWriter } from './pairs.ts';

const FORM = '"from TAB to", two ids of the vertices file, such as "0<TAB>1"';

/** Parses lines `from TAB to` from bytes into pairs of nodes. */
export class EdgeParser extends LineParser {
  selfLoops = 0;
  /** Edges from or to a vertex that was skipped. */
  skipped = 0;
  readonly #ids: IdMap;
  readonly #pairs: PairWriter;

  constructor(ids: IdMap, pairs: PairWriter, label: string, badLinesMax: number) {
    super(label, FORM, badLinesMax);
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
