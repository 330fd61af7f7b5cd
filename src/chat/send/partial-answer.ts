import type { TextPart, ToolCall } from '../../providers/index.ts';

/** A part of an answer with content in it. */
export type ContentPart = Extract<TextPart, { type: 'text' | 'tool_call' }>;

/** The content of an answer so far, put together from its parts. */
export class PartialAnswer {
  text = '';
  /** By their indexes, with their arguments so far. */
  readonly #calls = new Map<number, ToolCall>();

  add(part: ContentPart): void {
    if (part.type === 'text') this.text += part.text;
    else this.#addCall(part);
  }

  #addCall({
    index,
    id = '',
    name = '',
    arguments: piece,
  }: Extract<ContentPart, { index: number }>) {
    const call = this.#calls.get(index);
    if (call) call.arguments += piece;
    else this.#calls.set(index, { id, name, arguments: piece });
  }

  get toolCalls(): ToolCall[] {
    return [...this.#calls.values()];
  }

  /** Indexes of the calls without arguments so far. */
  get emptyCalls(): number[] {
    return [...this.#calls].filter(([, call]) => call.arguments === '').map(([index]) => index);
  }
}
