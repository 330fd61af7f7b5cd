/** Code points of a title. */
const TITLE_CHARACTERS_MAX = 300;

/** White space of any script, and line-ending control characters. */
const ANY_WHITE_SPACE = /[\s\u0085]+/gu;
/** Control characters, and those that change the writing direction. */
const CONTROLS = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f]/gu;

/** Collects a title in bounded memory: it is cleaned piece by piece, before it is cut. */
export class TitleCollector {
  #text = '';

  push(piece: string): void {
    // Twice the limit, since a code point may take two units.
    if (this.#text.length > 2 * TITLE_CHARACTERS_MAX + 1) return;
    const text = clean(this.#text + piece.slice(0, PIECE_MAX).replaceAll('\0', '\ufffd'));
    this.#text = text.trimStart().slice(0, 4 * TITLE_CHARACTERS_MAX);
  }

  /** At most 300 characters, well-formed, without control and direction characters. */
  get title(): string {
    return cut(this.#text.toWellFormed().trim());
  }
}

/** UTF-16 units of a piece that are read; the tokenizer's pieces are not longer. */
const PIECE_MAX = 16_384;

/**
 * The title for the line of the cookie interface: white space folded, control and direction characters removed, `|` (the
 * separator of fields) replaced by `¦`, at most 300 characters.
 */
export function legacyTitle(title: string): string {
  return cut(clean(title.toWellFormed()).replaceAll('|', '¦').trim());
}

function clean(text: string): string {
  return text.replace(ANY_WHITE_SPACE, ' ').replace(CONTROLS, '').replace(/ +/g, ' ');
}

function cut(text: string): string {
  if (text.length <= TITLE_CHARACTERS_MAX) return text;
  return Array.from(text.slice(0, 2 * TITLE_CHARACTERS_MAX))
    .slice(0, TITLE_CHARACTERS_MAX)
    .join('')
    .trimEnd();
}
