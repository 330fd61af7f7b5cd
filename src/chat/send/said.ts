import type { TextPart, ToolCall } from '../../providers/index.ts';

/** A piece of what a model says. */
export type SaidPart = Extract<TextPart, { type: 'text' | 'tool_call' }>;

/** What a model has said so far, put together from its pieces. */
export class Said {
  text = '';
  /** By their indexes, with as much of their arguments as came. */
  readonly #calls = new Map<number, ToolCall>();

  add(part: SaidPart): void {
    if (part.type === 'text') this.text += part.text;
    else this.#addCall(part);
  }

  #addCall({ index, id = '', name = '', arguments: piece }: Extract<SaidPart, { index: number }>) {
    const call = this.#calls.get(index);
    if (call) call.arguments += piece;
    else this.#calls.set(index, { id, name, arguments: piece });
  }

  get toolCalls(): ToolCall[] {
    return [...this.#calls.values()];
  }

  /** Indexes of calls for which no arguments have come. */
  get emptyCalls(): number[] {
    return [...this.#calls].filter(([, call]) => call.arguments === '').map(([index]) => index);
  }
}
