import type { PairWriter } from './pair-writer.ts';
import type { RowPiece } from './row-piece.ts';

const BATCH = 8192;

/** Writes the reversed edges of rows, partitioned by target. */
export class Transposer {
  readonly #pairs: PairWriter;
  readonly #targets = new Uint32Array(BATCH);
  readonly #sources = new Uint32Array(BATCH);
  #batched = 0;

  constructor(pairs: PairWriter) {
    this.#pairs = pairs;
  }

  add({ first, ends, neighbours }: RowPiece): void {
    let at = 0;
    for (let row = 0; row < ends.length; row++) {
      const end = ends[row] ?? 0;
      for (; at < end; at++) {
        this.#targets[this.#batched] = neighbours[at] ?? 0;
        this.#sources[this.#batched] = first + row;
        this.#batched++;
        if (this.#batched === BATCH) this.end();
      }
    }
  }

  /** Writes the current batch. */
  end(): void {
    this.#pairs.add(this.#targets, this.#sources, this.#batched);
    this.#batched = 0;
  }
}
