import {
  noUsage,
  type TextPart,
  type ThoughtPart,
  type ToolCall,
  type ToolCallPart,
  type Usage,
} from '../../providers/index.ts';

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

  #addCall({ index, id = '', name = '', arguments: piece }: ToolCallPart) {
    const call = this.#calls.get(index);
    if (call) call.arguments += piece;
    else this.#calls.set(index, { id, name, arguments: piece });
  }

  get toolCalls(): ToolCall[] {
    return [...this.#calls.values()];
  }

  get isEmpty(): boolean {
    return this.text === '' && this.#calls.size === 0;
  }

  /** Indexes of the calls without arguments so far. */
  get emptyCalls(): number[] {
    return [...this.#calls].filter(([, call]) => call.arguments === '').map(([index]) => index);
  }
}

/** More tokens than a text has bytes: what a provider adds around an answer, such as its last token. */
const TOKENS_AROUND = 64;

/** All that came of a stream: the answer, and what is known of the tokens that were made for it. */
export class ShownAnswer extends PartialAnswer {
  /** The thoughts that the stream carried. They are no part of the answer. */
  thoughts = '';
  /** True once the stream left thoughts out. */
  leavesThoughtsOut = false;
  /** The usage that the provider has reported so far. */
  reported: Usage = noUsage;
  /** True if the parts that arrived together have usage with output. */
  #hasUsage = false;
  /** True once the provider reported usage with content or after it: then it counts what was thought before. */
  isCounted = false;

  note(part: ThoughtPart | { type: 'usage'; usage: Usage }): void {
    if (part.type === 'usage') {
      this.reported = part.usage;
      this.#hasUsage = (part.usage.completionTokens ?? 0) > 0;
    } else if (part.text === null) this.leavesThoughtsOut = true;
    else this.thoughts += part.text;
  }

  /** Called when all parts that arrived together were added. */
  endBatch(): void {
    if (this.#hasUsage && !this.isEmpty) this.isCounted = true;
    this.#hasUsage = false;
  }

  /** Whether the model thinks and the stream does not show it. Undefined: nothing came that tells. */
  get hidesThoughts(): boolean | undefined {
    if (this.leavesThoughtsOut) return true;
    return this.thoughts === '' ? undefined : false;
  }

  /** The most tokens that the shown content and thoughts can have: a token is at least one byte. */
  get tokensMax(): number {
    const written = this.text + this.thoughts + JSON.stringify(this.toolCalls);
    return Buffer.byteLength(written) + TOKENS_AROUND;
  }
}
