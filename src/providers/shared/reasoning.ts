import type { ReasoningBlock, ReasoningPart, AnswerPlace } from '../spec.ts';

/** Separates the blocks of reasoning in one text. */
export const REASONING_GAP = '\n\n';

const beginning: AnswerPlace = { text: 0, calls: 0 };

/** Puts the reasoning blocks of an answer together from their parts. */
export class ReasoningBuilder {
  readonly all: ReasoningBlock[] = [];
  #open: { block: ReasoningBlock; at: AnswerPlace } | undefined;

  /** @param at the size of the answer so far. A block ends with its seal, or where the answer continues */
  add({ text, seal }: Pick<ReasoningPart, 'text' | 'seal'>, at: AnswerPlace): void {
    const last = this.#open;
    let block = last?.at.text === at.text && last.at.calls === at.calls ? last.block : undefined;
    if (!block) {
      if (text === '' && !seal) return;
      block = { text: '', ...(at.text + at.calls > 0 && { after: at }) };
      this.all.push(block);
    }
    block.text += text;
    if (seal) block.seal = seal;
    this.#open = seal ? undefined : { block, at };
  }
}

/** The reasoning as one text, for interfaces and providers with a single field for it. */
export function reasoningText(reasoning: readonly ReasoningBlock[] = []): string {
  return reasoning
    .map(({ text }) => text)
    .filter((text) => text !== '')
    .join(REASONING_GAP);
}

interface Content<Call> {
  text: string;
  toolCalls: readonly Call[];
  reasoning?: readonly ReasoningBlock[] | undefined;
}

/** A part of the content of an answer. */
export type Piece<Call> =
  | { type: 'reasoning'; block: ReasoningBlock; index: number }
  | { type: 'text'; text: string }
  | { type: 'call'; call: Call; index: number };

/** The content of an answer in its original order. */
export function* inOrder<Call>({
  text,
  toolCalls,
  reasoning = [],
}: Content<Call>): Generator<Piece<Call>> {
  let units = 0;
  let calls = 0;
  function* upTo(place: AnswerPlace): Generator<Piece<Call>> {
    const piece = text.slice(units, place.text);
    if (piece !== '') yield { type: 'text', text: piece };
    units = Math.max(units, place.text);
    for (const call of toolCalls.slice(calls, place.calls))
      yield { type: 'call', call, index: calls++ };
  }
  for (const [index, block] of reasoning.entries()) {
    yield* upTo(block.after ?? beginning);
    yield { type: 'reasoning', block, index };
  }
  yield* upTo({ text: text.length, calls: toolCalls.length });
}
