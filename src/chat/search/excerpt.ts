import { finds, wordsOf, type Stems } from './words.ts';

/** UTF-16 units of a text before and after the first match. */
const BEFORE_CHARS = 60;
const AFTER_CHARS = 140;

/** A piece of a text, and whether it matches. */
export interface Piece {
  text: string;
  isMatch: boolean;
}

/** Finds the places in texts where terms match. */
export class Marker {
  readonly #terms: readonly string[];
  readonly #stems: ReadonlyMap<string, string>;

  private constructor(terms: readonly string[], stems: ReadonlyMap<string, string>) {
    this.#terms = terms;
    this.#stems = stems;
  }

  /** @param terms as the index has them */
  static async for(terms: readonly string[], texts: readonly string[], stems: Stems) {
    // A stem begins like its word, so others need no dictionary.
    const first = new Set(terms.map((term) => term.slice(0, 1)));
    const words = new Set<string>();
    for (const text of texts) {
      for (const { folded } of wordsOf(text)) if (first.has(folded.slice(0, 1))) words.add(folded);
    }
    return new Marker(terms, await stems([...words]));
  }

  /** Whether each term is found in the text. */
  hasAll(text: string): boolean {
    const words = [...wordsOf(text)].map(({ folded }) => this.#stems.get(folded) ?? folded);
    return this.#terms.every((term) => words.some((word) => finds(term, word)));
  }

  pieces(text: string, start = 0, end = text.length): Piece[] {
    const pieces: Piece[] = [];
    let at = start;
    const add = (to: number, isMatch: boolean) => {
      if (to > at) pieces.push({ text: text.slice(at, to).toWellFormed(), isMatch });
      at = Math.max(at, to);
    };
    for (const place of this.#places(text)) {
      if (place.at < start) continue;
      if (place.end > end) break;
      add(place.at, false);
      add(place.end, true);
    }
    add(end, false);
    return pieces;
  }

  /** The text around the first match; undefined if nothing matches. */
  excerpt(text: string): Piece[] | undefined {
    const [place] = this.#places(text);
    if (!place) return undefined;
    const start = Math.max(0, place.at - BEFORE_CHARS);
    return this.pieces(text, start, Math.min(text.length, place.end + AFTER_CHARS));
  }

  *#places(text: string): Generator<{ at: number; end: number }> {
    for (const { at, end, folded } of wordsOf(text)) {
      const stem = this.#stems.get(folded);
      if (stem !== undefined && this.#terms.some((term) => finds(term, stem))) yield { at, end };
    }
  }
}
