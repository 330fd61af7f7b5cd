const OPEN = '<think>';
const CLOSE = '</think>';

/** A piece of an answer's text, with the reasoning taken out of it. */
interface SplitText {
  text: string;
  reasoning: string;
}

/**
 * Takes the reasoning out of an answer's text: models that reason put them before it, as `<think>…</think>`. Elsewhere
 * in a text, the tags are the model's own words.
 */
export class ReasoningSplitter {
  #state: 'start' | 'reasoning' | 'answer' = 'start';
  /** Text that may be the beginning of a tag. */
  #held = '';

  /** @param isLast no more text follows */
  add(delta: string, isLast: boolean): SplitText {
    if (this.#state === 'answer') return { text: delta, reasoning: '' };
    const all = this.#held + delta;
    this.#held = '';
    return this.#state === 'start' ? this.#begin(all, isLast) : this.#takeReasoning(all, isLast);
  }

  #begin(all: string, isLast: boolean): SplitText {
    const begun = all.trimStart();
    if (begun.startsWith(OPEN)) {
      this.#state = 'reasoning';
      return this.#takeReasoning(begun.slice(OPEN.length), isLast);
    }
    if (OPEN.startsWith(begun) && !isLast) {
      this.#held = all;
      return { text: '', reasoning: '' };
    }
    this.#state = 'answer';
    return { text: all, reasoning: '' };
  }

  #takeReasoning(all: string, isLast: boolean): SplitText {
    const end = all.indexOf(CLOSE);
    if (end >= 0) {
      this.#state = 'answer';
      return { text: all.slice(end + CLOSE.length).trimStart(), reasoning: all.slice(0, end) };
    }
    const held = isLast ? 0 : beginningOfClose(all);
    this.#held = all.slice(all.length - held);
    return { text: '', reasoning: all.slice(0, all.length - held) };
  }
}

/** How many characters at the end of a text may be the beginning of the closing tag. */
function beginningOfClose(text: string): number {
  for (let length = Math.min(text.length, CLOSE.length - 1); length > 0; length--) {
    if (CLOSE.startsWith(text.slice(-length))) return length;
  }
  return 0;
}
