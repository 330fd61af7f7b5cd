import { Lexer, type Token } from 'marked';
import { texExtensions } from './tex-tokens.ts';

/**
 * Longer texts, in UTF-16 units, and more deeply nested ones are first shown as plain text: they could block the page.
 */
const UNITS_MAX = 100_000;
const LEVELS_MAX = 20;

/** Whether rendering a text could block the page. */
export function isHuge(text: string): boolean {
  return text.length > UNITS_MAX || deepestOf(text) > LEVELS_MAX;
}

/** How deeply quotes and lists of a text may be nested at most, judged by its lines, without parsing Markdown. */
function deepestOf(text: string): number {
  let deepest = 0;
  for (const [marks] of text.matchAll(/^(?:[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t])))+/gm)) {
    const indent = /^[ \t]*/.exec(marks)?.[0].length ?? 0;
    // A nested list is indented by at least two spaces.
    deepest = Math.max(
      deepest,
      Math.floor(indent / 2) + (marks.match(/>|[-*+]|\d+[.)]/g)?.length ?? 0),
    );
  }
  return deepest;
}

/** @returns the blocks of a text */
export function lex(text: string): Token[] {
  return new Lexer({ gfm: true, extensions: texExtensions }).lex(text);
}

/** Parses a growing text: only its last blocks again, and the whole text when it is complete. */
export class GrowingLexer {
  #text = '';
  #done: Token[] = [];
  /** Where the blocks that can still change begin. */
  #offset = 0;

  lex(text: string): Token[] {
    if (!text.startsWith(this.#text)) {
      this.#done = [];
      this.#offset = 0;
    }
    this.#text = text;
    const last = lex(text.slice(this.#offset));
    // The last block may continue, and so may the previous one, if only blank lines follow.
    for (const token of last.slice(0, -2)) {
      this.#done.push(token);
      this.#offset += token.raw.length;
    }
    return [...this.#done, ...last.slice(-2)];
  }
}
