/** The beginning of a text that comes in pieces, and how long all of it was without white space runs. */
export class Sample {
  readonly #max: number;
  #pieces: string[] = [];
  #kept = 0;
  /** Characters, each run of white space counted as nothing at the ends of a piece. */
  characters = 0;

  constructor(max: number) {
    this.#max = max;
  }

  push(piece: string): void {
    const text = piece.trim();
    if (text === '') return;
    this.characters += text.length;
    if (this.#kept >= this.#max) return;
    const kept = text.slice(0, this.#max - this.#kept);
    this.#kept += kept.length + 1;
    this.#pieces.push(kept);
  }

  /** The kept beginning, white space folded. */
  folded(): string {
    return this.#pieces.join(' ').replace(/\s+/g, ' ');
  }
}
