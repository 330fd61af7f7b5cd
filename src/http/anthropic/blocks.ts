import type { ReasoningBlock } from '../../chat/index.ts';
import type { NamedEvent } from '../compatible/named-events.ts';
import { packReasoning } from '../compatible/sealed-reasoning.ts';
import { eventLines } from '../event-stream.ts';

type ToolCallEvent = Extract<NamedEvent, { type: 'tool_call' }>;
type ReasoningEvent = Extract<NamedEvent, { type: 'reasoning' }>;

/** Whether `thinking` blocks contain their texts, or only their signatures. */
export type ShownReasoning = 'all' | 'signed';

/** Clients send the block back unchanged, so the signature contains everything that any provider needs back. */
export function thinkingBlock(
  { text, seal }: ReasoningBlock,
  shown: ShownReasoning,
): Record<string, unknown> {
  if (seal && 'data' in seal) return { type: 'redacted_thinking', data: seal.data };
  // Anthropic signs the text, so the client needs both text and signature.
  const thinking = shown === 'all' || seal?.by === 'anthropic' ? text : '';
  return { type: 'thinking', thinking, signature: signatureOf(seal) };
}

function signatureOf(seal: ReasoningBlock['seal']): string {
  if (!seal) return '';
  const isAnthropics = seal.by === 'anthropic' && 'signature' in seal;
  return isAnthropics ? seal.signature : packReasoning({ text: '', seal });
}

/** A text, a call by its index, or a reasoning block by its number. */
type BlockName = 'text' | number | `reasoning ${number}`;

/** A block that has begun, but has to wait until the open block ends. */
interface WaitingBlock {
  what: BlockName;
  start: Record<string, unknown>;
  /** Text, the arguments of a call, or reasoning. */
  shownText: string;
  signature: string;
}

/**
 * Writes content blocks one after the other: a text, reasoning, or a tool call. Providers may alternate between calls,
 * but here a block stays open until it is complete: pieces of other blocks wait while a call is open.
 */
export class Blocks {
  readonly #shown: ShownReasoning;
  #index = -1;
  #open: BlockName | undefined;
  #waiting: WaitingBlock[] = [];
  /** How many reasoning blocks are complete. */
  #reasoningBlocks = 0;

  constructor(shown: ShownReasoning) {
    this.#shown = shown;
  }

  text(text: string): Generator<string> {
    return this.#say('text', { type: 'text', text: '' }, text);
  }

  toolCall({ index, id, name, arguments: args }: ToolCallEvent): Generator<string> {
    return this.#say(index, { type: 'tool_use', id: id ?? '', name: name ?? '', input: {} }, args);
  }

  *reasoning({ text, seal }: ReasoningEvent): Generator<string> {
    const shownText = this.#shown === 'all' ? text : '';
    if (shownText === '' && !seal) return;
    const start = thinkingBlock({ text: '', ...(seal && 'data' in seal && { seal }) }, 'all');
    const what = `reasoning ${this.#reasoningBlocks}` as const;
    yield* this.#say(what, start, shownText, seal && !('data' in seal) ? signatureOf(seal) : '');
    if (!seal) return;
    this.#reasoningBlocks++;
    if (this.#open === what) yield* this.#close();
  }

  *end(): Generator<string> {
    yield* this.#close();
    for (const { what, start, shownText, signature } of this.#waiting.splice(0)) {
      yield* this.#start(what, start);
      yield* this.#deltas(shownText, signature);
      yield* this.#close();
    }
  }

  *#say(
    what: BlockName,
    start: Record<string, unknown>,
    shownText: string,
    signature = '',
  ): Generator<string> {
    const isBesideCall = typeof this.#open === 'number' && this.#open !== what;
    if (isBesideCall) return this.#wait({ what, start, shownText, signature });
    if (this.#open !== what) yield* this.#start(what, start);
    yield* this.#deltas(shownText, signature);
  }

  #wait(block: WaitingBlock): void {
    const known = this.#waiting.find(({ what }) => what === block.what);
    if (known) {
      known.shownText += block.shownText;
      known.signature += block.signature;
    } else this.#waiting.push(block);
  }

  *#start(what: BlockName, block: Record<string, unknown>): Generator<string> {
    yield* this.#close();
    this.#open = what;
    this.#index++;
    yield line('content_block_start', { index: this.#index, content_block: block });
  }

  *#close(): Generator<string> {
    if (this.#open === undefined) return;
    this.#open = undefined;
    yield line('content_block_stop', { index: this.#index });
  }

  *#deltas(shownText: string, signature: string): Generator<string> {
    if (shownText !== '') yield this.#delta(this.#deltaOf(shownText));
    if (signature !== '') yield this.#delta({ type: 'signature_delta', signature });
  }

  #deltaOf(shownText: string): Record<string, unknown> {
    if (this.#open === 'text') return { type: 'text_delta', text: shownText };
    return typeof this.#open === 'number'
      ? { type: 'input_json_delta', partial_json: shownText }
      : { type: 'thinking_delta', thinking: shownText };
  }

  #delta(delta: Record<string, unknown>): string {
    return line('content_block_delta', { index: this.#index, delta });
  }
}

function line(type: string, data: Record<string, unknown>): string {
  return eventLines(type, { type, ...data });
}
