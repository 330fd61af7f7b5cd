/** Code points of a title. */
const TITLE_CHARACTERS_MAX = 300;

/** ASCII white space, as HTML defines it. */
const WHITE_SPACE = /[\t\n\f\r ]+/g;
/** White space of any script, and line-ending control characters. */
const ANY_WHITE_SPACE = /[\s\u0085]+/gu;
/** Control characters, and those that change the writing direction. */
const CONTROLS = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f]/gu;

/** Collects a title in bounded memory: white space is folded piece by piece. */
export class TitleCollector {
  #text = '';

  push(piece: string): void {
    // Twice the bound, since a code point may take two units.
    if (this.#text.length > 2 * TITLE_CHARACTERS_MAX + 1) return;
    const folded = (this.#text + piece.slice(0, PIECE_MAX)).replace(WHITE_SPACE, ' ');
    this.#text = folded.trimStart().slice(0, 4 * TITLE_CHARACTERS_MAX);
  }

  /** At most 300 characters, well-formed and without U+0000, which PostgreSQL can't store. */
  get title(): string {
    const text = this.#text.toWellFormed().replaceAll('\0', '\ufffd');
    return cut(text.replace(WHITE_SPACE, ' ').trim());
  }
}

/** UTF-16 units of a piece that are read; the tokenizer's pieces are not longer. */
const PIECE_MAX = 16_384;

/**
 * The title for the line of the cookie interface: white space folded, control and direction characters removed, `|` (the
 * separator of fields) replaced by `¦`, at most 300 characters.
 */
export function legacyTitle(title: string): string {
  const clean = title
    .toWellFormed()
    .replace(ANY_WHITE_SPACE, ' ')
    .replace(CONTROLS, '')
    .replace(/ +/g, ' ')
    .replaceAll('|', '¦');
  return cut(clean.trim());
}

function cut(text: string): string {
  if (text.length <= TITLE_CHARACTERS_MAX) return text;
  return Array.from(text.slice(0, 2 * TITLE_CHARACTERS_MAX))
    .slice(0, TITLE_CHARACTERS_MAX)
    .join('')
    .trimEnd();
}
