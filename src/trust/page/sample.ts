/** The end of a heading or a paragraph: it may continue in one sentence with the next, but usually does not. */
export const BLOCK_END = '¶';

/** The beginning of a text that comes in pieces, and the length of the whole text. */
export class Sample {
  readonly #max: number;
  #pieces: string[] = [];
  #kept = 0;
  /** The next piece begins a new word: a tag or white space comes before it. */
  #isApart = true;
  /** The characters of all pieces, not counting white space at their ends. */
  characters = 0;

  constructor(max: number) {
    this.#max = max;
  }

  push(piece: string): void {
    const text = piece.trim();
    const isApart = this.#isApart || piece.length > piece.trimStart().length;
    this.#isApart = text === '' ? isApart : piece.length > piece.trimEnd().length;
    if (text === '') return;
    this.characters += text.length;
    if (this.#kept >= this.#max) return;
    const kept = text.slice(0, this.#max - this.#kept);
    this.#kept += kept.length + (isApart ? 1 : 0);
    // A character reference is a piece of its own: “demn&auml;chst” is one word.
    if (isApart) this.#pieces.push(kept);
    else this.#pieces.push(`${this.#pieces.pop() ?? ''}${kept}`);
  }

  /** A tag ends a word. */
  endWord(): void {
    this.#isApart = true;
  }

  /** Puts a mark between two pieces; it does not count as text. */
  separate(mark: string): void {
    this.#isApart = true;
    if (this.#kept >= this.#max || this.#pieces.length === 0 || this.#pieces.at(-1) === mark)
      return;
    this.#kept += mark.length + 1;
    this.#pieces.push(mark);
  }

  /** The beginning, with white space folded. */
  folded(): string {
    return this.#pieces.join(' ').replace(/\s+/g, ' ');
  }
}
