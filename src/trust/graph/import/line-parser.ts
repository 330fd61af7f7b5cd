import { DomainError } from '../../../lib/errors.ts';

export const TAB = 9;
export const LINE_END = 10;
export const RETURN = 13;
/** Digits of 2^53. */
const ID_DIGITS_MAX = 16;
/** Bytes; lines of a graph are far shorter. */
const LINE_BYTES_MAX = 64 * 1024;
/** How many malformed lines are reported; the rest are only counted. */
const EXAMPLES_MAX = 20;
/** How many bytes of a malformed line are quoted. */
const QUOTE_MAX = 80;

/** The text that is parsed. */
export interface LineSource {
  label: string;
  /** Whether messages may quote its lines. */
  isQuotable: boolean;
  /** How many malformed lines are skipped; with more, the text is refused. */
  badLinesMax: number;
}

export interface BadLineReport {
  count: number;
  /** The first lines, numbered from 1. */
  examples: { line: number; message: string }[];
}

/**
 * Base of the parsers of a graph's files: turns arbitrary chunks into whole lines. Only a line that spans chunks is
 * copied: at hundreds of MB per second, copies of all chunks would accumulate faster than they are collected.
 */
export abstract class LineParser {
  lines = 0;
  readonly bad: BadLineReport = { count: 0, examples: [] };
  readonly #source: LineSource;
  readonly #form: string;
  #rest: Uint8Array = new Uint8Array(0);
  /** Where the last id that was read ends. */
  protected at = 0;

  /** @param form description of a valid line */
  constructor(source: LineSource, form: string) {
    this.#source = source;
    this.#form = form;
  }

  /** @throws DomainError if there are too many malformed lines, or one is far too long */
  push(chunk: Uint8Array): void {
    const first = chunk.indexOf(LINE_END) + 1;
    if (first === 0) {
      this.#keep(Buffer.concat([this.#rest, chunk]));
      return;
    }
    const last = chunk.lastIndexOf(LINE_END) + 1;
    const whole = this.#rest.length === 0 ? 0 : first;
    if (whole > 0) this.parse(Buffer.concat([this.#rest, chunk.subarray(0, whole)]));
    if (whole < last) this.parse(chunk.subarray(whole, last));
    this.#keep(chunk.slice(last));
  }

  /**
   * Completes the last line if it has no line end.
   * @throws DomainError if most lines are malformed: the file is not a graph
   */
  end(): void {
    if (this.#rest.length > 0) this.parse(Buffer.concat([this.#rest, Uint8Array.of(LINE_END)]));
    const { count } = this.bad;
    if (2 * count <= this.lines) return;
    const form = `; a line must be ${this.#form}`;
    throw this.#refusal(`${count} of ${this.lines} lines are malformed`, form);
  }

  /** @param bytes whole lines, each with its line end */
  protected abstract parse(bytes: Uint8Array): void;

  /** The whole number at a position, or −1; sets `at` to its end. */
  protected id(bytes: Uint8Array, start: number): number {
    let at = start;
    let number = 0;
    let digit = (bytes[at] ?? 0) - 48;
    while (digit >= 0 && digit <= 9) {
      number = number * 10 + digit;
      digit = (bytes[++at] ?? 0) - 48;
    }
    this.at = at;
    const digits = at - start;
    if (digits === 0 || digits > ID_DIGITS_MAX || number > Number.MAX_SAFE_INTEGER) return -1;
    return number;
  }

  /** Reports the current line, which begins at `start`. @throws DomainError if there are too many malformed lines */
  protected refuse(bytes: Uint8Array, start: number, reason: string): void {
    const { isQuotable, badLinesMax } = this.#source;
    const message = isQuotable ? `${reason}: ${quoteOf(bytes, start)}` : reason;
    const { examples } = this.bad;
    if (examples.length < EXAMPLES_MAX) examples.push({ line: this.lines, message });
    if (++this.bad.count <= badLinesMax) return;
    throw this.#refusal(`more than ${badLinesMax} malformed lines`);
  }

  #refusal(what: string, advice = ''): DomainError {
    const [first] = this.bad.examples;
    const message = `${this.#source.label}: ${what}; the first, line ${first?.line}: ${first?.message}${advice}`;
    return new DomainError('invalid_request', message);
  }

  #keep(rest: Uint8Array): void {
    this.#rest = rest;
    if (rest.length <= LINE_BYTES_MAX) return;
    const message = `no line end in ${LINE_BYTES_MAX} bytes: give a graph file in text form`;
    throw new DomainError('invalid_request', message);
  }
}

function quoteOf(bytes: Uint8Array, start: number): string {
  const end = bytes.indexOf(LINE_END, start);
  const quoted = bytes.subarray(start, Math.min(end, start + QUOTE_MAX));
  return JSON.stringify(new TextDecoder().decode(quoted).replace(/\r$/, ''));
}
