import {
  ReasoningBuilder,
  noUsage,
  type TextPart,
  type ReasoningBlock,
  type ReasoningPart,
  type ToolCall,
  type ToolCallPart,
  type Usage,
} from '../../providers/index.ts';

/** A part of an answer with content in it. */
export type ContentPart = Extract<TextPart, { type: 'text' | 'tool_call' }>;
type Shown = ContentPart | Pick<ReasoningPart, 'type' | 'text' | 'seal'>;

/** The content of an answer so far, put together from its parts. */
export class PartialAnswer {
  text = '';
  /** By their indexes, with their arguments so far. */
  readonly #calls = new Map<number, ToolCall>();
  readonly #reasoning = new ReasoningBuilder();

  add(part: Shown): void {
    if (part.type === 'text') this.text += part.text;
    else if (part.type === 'tool_call') this.#addCall(part);
    else this.#reasoning.add(part, { text: this.text.length, calls: this.#calls.size });
  }

  #addCall({ index, id = '', name = '', arguments: piece }: ToolCallPart) {
    const call = this.#calls.get(index);
    if (call) call.arguments += piece;
    else this.#calls.set(index, { id, name, arguments: piece });
  }

  get toolCalls(): ToolCall[] {
    return [...this.#calls.values()];
  }

  /** What the caller gets of the model's reasoning. */
  get reasoning(): ReasoningBlock[] {
    return this.#reasoning.all;
  }

  get isEmpty(): boolean {
    return this.text === '' && this.#calls.size === 0;
  }

  /** Indexes of the calls without arguments so far. */
  get emptyCalls(): number[] {
    return [...this.#calls].filter(([, call]) => call.arguments === '').map(([index]) => index);
  }
}

/** All that a model wrote, as text. */
export function writtenIn(text: string, toolCalls: readonly ToolCall[]): string {
  return toolCalls.length > 0 ? text + JSON.stringify(toolCalls) : text;
}

/** Everything that came from a stream: the answer, and what is known about the tokens that were made for it. */
export class ShownAnswer extends PartialAnswer {
  /** The reasoning that is not known to be incomplete, for counting. */
  countableReasoning = '';
  /** True once the stream left reasoning out, or summed it up. */
  leavesReasoningOut = false;
  /** The usage that the provider has reported so far. */
  reported: Usage = noUsage;
  /** True if the parts that arrived together have usage with output. */
  #hasUsage = false;
  /**
   * True once the provider reported usage with content or after it: then the usage includes the reasoning before it.
   */
  isCounted = false;
  /** When the first word or reasoning came, by the monotonic clock. */
  firstWordAt: number | undefined;

  note(part: ReasoningPart | { type: 'usage'; usage: Usage }): void {
    if (part.type === 'usage') {
      this.reported = part.usage;
      this.#hasUsage = (part.usage.completionTokens ?? 0) > 0;
    } else if (part.isPartial) this.leavesReasoningOut = true;
    else this.countableReasoning += part.text;
  }

  /** Called when all parts that arrived together were added. */
  endBatch(): void {
    if (this.#hasUsage && !this.isEmpty) this.isCounted = true;
    this.#hasUsage = false;
  }

  get hasWords(): boolean {
    return this.countableReasoning !== '' || !this.isEmpty;
  }
}
