import { DomainError } from '../../../lib/errors.ts';

/** Bytes; lines of a graph are far shorter. */
const LINE_BYTES_MAX = 64 * 1024;
const LINE_END = 10;

/**
 * Turns arbitrary chunks into whole lines. Only a line that spans chunks is copied: at hundreds of MB per second, copies
 * of all chunks would accumulate faster than they are collected.
 */
export class LineBuffer {
  #rest: Uint8Array = new Uint8Array(0);
  readonly #take: (lines: Uint8Array) => void;

  /** @param take receives whole lines with their line ends; they may share the chunk's memory */
  constructor(take: (lines: Uint8Array) => void) {
    this.#take = take;
  }

  push(chunk: Uint8Array): void {
    const first = chunk.indexOf(LINE_END) + 1;
    if (first === 0) {
      this.#keep(joined(this.#rest, chunk));
      return;
    }
    const last = chunk.lastIndexOf(LINE_END) + 1;
    const whole = this.#rest.length === 0 ? 0 : first;
    if (whole > 0) this.#take(joined(this.#rest, chunk.subarray(0, whole)));
    if (whole < last) this.#take(chunk.subarray(whole, last));
    this.#keep(chunk.slice(last));
  }

  /** Completes the last line if it has no line end. */
  end(): void {
    if (this.#rest.length > 0) this.#take(joined(this.#rest, Uint8Array.of(LINE_END)));
  }

  #keep(rest: Uint8Array): void {
    this.#rest = rest;
    if (rest.length <= LINE_BYTES_MAX) return;
    throw new DomainError(
      'invalid_request',
      `no line end in ${LINE_BYTES_MAX} bytes: give a graph file in text form`,
    );
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
