import { DomainError } from '../../../lib/errors.ts';

/** Malformed lines that are told in full; the rest are counted. */
const EXAMPLES_MAX = 20;
/** Characters of a malformed line that are quoted. */
const QUOTE_MAX = 80;

export interface BadLine {
  /** 1-based. */
  line: number;
  message: string;
}

export interface BadLineReport {
  count: number;
  /** The first ones. */
  examples: BadLine[];
}

/** Counts the malformed lines of one file and gives up beyond the limit. */
export class BadLines {
  readonly report: BadLineReport = { count: 0, examples: [] };
  readonly #file: string;
  readonly #max: number;

  constructor(file: string, max: number) {
    this.#file = file;
    this.#max = max;
  }

  /** @param bytes the line, without its end @throws DomainError beyond the limit */
  add(line: number, reason: string, bytes: Uint8Array): void {
    const text = new TextDecoder().decode(bytes.subarray(0, QUOTE_MAX));
    const message = `${reason}: ${JSON.stringify(text)}`;
    this.report.count++;
    if (this.report.examples.length < EXAMPLES_MAX) this.report.examples.push({ line, message });
    if (this.report.count <= this.#max) return;
    const first = this.report.examples[0];
    throw new DomainError(
      'invalid_request',
      `${this.#file}: more than ${this.#max} malformed lines; the first, line ${first?.line}: ${first?.message}`,
    );
  }
}
