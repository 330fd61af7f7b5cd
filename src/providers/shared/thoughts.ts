import type { Thought, ThoughtPart, ThoughtPlace } from '../spec.ts';

/** Separates thoughts in one text. */
export const THOUGHTS_GAP = '\n\n';

const beginning: ThoughtPlace = { text: 0, calls: 0 };

/** Puts the thoughts of an answer together from their parts. */
export class AnswerThoughts {
  readonly all: Thought[] = [];
  #open: { thought: Thought; at: ThoughtPlace } | undefined;

  /** @param at the size of the answer so far. A thought ends with its seal, or where the answer continues */
  add({ text, seal }: Pick<ThoughtPart, 'text' | 'seal'>, at: ThoughtPlace): void {
    const last = this.#open;
    let thought =
      last?.at.text === at.text && last.at.calls === at.calls ? last.thought : undefined;
    if (!thought) {
      if (text === '' && !seal) return;
      thought = { text: '', ...(at.text + at.calls > 0 && { after: at }) };
      this.all.push(thought);
    }
    thought.text += text;
    if (seal) thought.seal = seal;
    this.#open = seal ? undefined : { thought, at };
  }
}

/** The thoughts as one text, for interfaces and providers with a single field for them. */
export function thoughtText(thoughts: readonly Thought[] = []): string {
  return thoughts
    .map(({ text }) => text)
    .filter((text) => text !== '')
    .join(THOUGHTS_GAP);
}

interface Content<Call> {
  text: string;
  toolCalls: readonly Call[];
  thoughts?: readonly Thought[] | undefined;
}

/** A part of the content of an answer. */
export type Piece<Call> =
  | { type: 'thought'; thought: Thought; index: number }
  | { type: 'text'; text: string }
  | { type: 'call'; call: Call; index: number };

/** The content of an answer in its original order. */
export function* inOrder<Call>({
  text,
  toolCalls,
  thoughts = [],
}: Content<Call>): Generator<Piece<Call>> {
  let units = 0;
  let calls = 0;
  function* upTo(place: ThoughtPlace): Generator<Piece<Call>> {
    const piece = text.slice(units, place.text);
    if (piece !== '') yield { type: 'text', text: piece };
    units = Math.max(units, place.text);
    for (const call of toolCalls.slice(calls, place.calls))
      yield { type: 'call', call, index: calls++ };
  }
  for (const [index, thought] of thoughts.entries()) {
    yield* upTo(thought.after ?? beginning);
    yield { type: 'thought', thought, index };
  }
  yield* upTo({ text: text.length, calls: toolCalls.length });
}
