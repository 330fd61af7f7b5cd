const OPEN = '<think>';
const CLOSE = '</think>';

/** A piece of an answer's text, with the thoughts taken out of it. */
interface ThoughtAndText {
  text: string;
  thought: string;
}

/**
 * Takes the thoughts out of an answer's text: models that reason put them before it, as `<think>…</think>`. Elsewhere
 * in a text, the tags are the model's own words.
 */
export class ThoughtSplitter {
  #state: 'start' | 'thinking' | 'answer' = 'start';
  /** Text that may be the beginning of a tag. */
  #held = '';

  /** @param isLast no more text follows */
  add(delta: string, isLast: boolean): ThoughtAndText {
    if (this.#state === 'answer') return { text: delta, thought: '' };
    const all = this.#held + delta;
    this.#held = '';
    return this.#state === 'start' ? this.#begin(all, isLast) : this.#think(all, isLast);
  }

  #begin(all: string, isLast: boolean): ThoughtAndText {
    const begun = all.trimStart();
    if (begun.startsWith(OPEN)) {
      this.#state = 'thinking';
      return this.#think(begun.slice(OPEN.length), isLast);
    }
    if (OPEN.startsWith(begun) && !isLast) {
      this.#held = all;
      return { text: '', thought: '' };
    }
    this.#state = 'answer';
    return { text: all, thought: '' };
  }

  #think(all: string, isLast: boolean): ThoughtAndText {
    const end = all.indexOf(CLOSE);
    if (end >= 0) {
      this.#state = 'answer';
      return { text: all.slice(end + CLOSE.length).trimStart(), thought: all.slice(0, end) };
    }
    const held = isLast ? 0 : beginningOfClose(all);
    this.#held = all.slice(all.length - held);
    return { text: '', thought: all.slice(0, all.length - held) };
  }
}

/** How many characters at the end of a text may be the beginning of the closing tag. */
function beginningOfClose(text: string): number {
  for (let length = Math.min(text.length, CLOSE.length - 1); length > 0; length--) {
    if (CLOSE.startsWith(text.slice(-length))) return length;
  }
  return 0;
}
