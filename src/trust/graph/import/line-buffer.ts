import { DomainError } from '../../../lib/errors.ts';

/** Bytes; no line of a graph is nearly as long. */
const LINE_BYTES_MAX = 64 * 1024;
const LINE_END = 10;

/** Makes whole lines of chunks that are cut anywhere, without a string or an object a line. */
export class LineBuffer {
  #rest: Uint8Array = new Uint8Array(0);

  /** The whole lines, each with its line end, that this chunk completes. May share its memory. */
  push(chunk: Uint8Array): Uint8Array {
    const end = chunk.lastIndexOf(LINE_END) + 1;
    const lines = joined(this.#rest, chunk.subarray(0, end));
    this.#rest = end === 0 ? joined(this.#rest, chunk) : chunk.slice(end);
    if (this.#rest.length > LINE_BYTES_MAX) {
      throw new DomainError(
        'invalid_request',
        `no line end in ${LINE_BYTES_MAX} bytes: this is not a graph file in text form`,
      );
    }
    return end === 0 ? new Uint8Array(0) : lines;
  }

  /** The last line, where the text does not end with a line end; it is given one. */
  end(): Uint8Array {
    return this.#rest.length === 0 ? this.#rest : joined(this.#rest, Uint8Array.of(LINE_END));
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  if (first.length === 0) return second;
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
