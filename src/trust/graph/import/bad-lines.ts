import { DomainError } from '../../../lib/errors.ts';

/** Malformed lines that are reported; the rest are only counted. */
const EXAMPLES_MAX = 20;
/** Characters of a malformed line that are quoted. */
const QUOTE_MAX = 80;

export interface BadLineReport {
  count: number;
  /** The first lines, numbered from 1. */
  examples: { line: number; message: string }[];
}

/** Counts the malformed lines of one file; refuses the file when they exceed the limit or outnumber the good ones. */
export class BadLines {
  readonly report: BadLineReport = { count: 0, examples: [] };
  readonly #file: string;
  readonly #form: string;
  readonly #max: number;

  /** @param form description of a valid line */
  constructor(file: string, form: string, max: number) {
    this.#file = file;
    this.#form = form;
    this.#max = max;
  }

  /** @param bytes the line, without its end @throws DomainError beyond the limit */
  add(line: number, reason: string, bytes: Uint8Array): void {
    const text = new TextDecoder().decode(bytes.subarray(0, QUOTE_MAX));
    const message = `${reason}: ${JSON.stringify(text)}`;
    this.report.count++;
    if (this.report.examples.length < EXAMPLES_MAX) this.report.examples.push({ line, message });
    if (this.report.count > this.#max)
      throw this.#refusal(`more than ${this.#max} malformed lines`);
  }

  /**
   * @param lines of the whole file
   * @throws DomainError when most of them are malformed: the file is not a graph
   */
  end(lines: number): void {
    const { count } = this.report;
    if (2 * count <= lines) return;
    const form = `; a line must be ${this.#form}`;
    throw this.#refusal(`${count} of ${lines} lines are malformed`, form);
  }

  #refusal(what: string, advice = ''): DomainError {
    const first = this.report.examples[0];
    return new DomainError(
      'invalid_request',
      `${this.#file}: ${what}; the first, line ${first?.line}: ${first?.message}${advice}`,
    );
  }
}
