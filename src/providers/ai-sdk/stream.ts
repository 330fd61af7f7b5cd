import { contentRefused, incomprehensible } from '../shared/failures.ts';
import { asLabel, asRecord, type JsonRecord } from '../shared/json.ts';
import { ToolCalls } from '../shared/tool-calls.ts';
import { WholeText } from '../shared/whole-text.ts';
import type { TextPart } from '../spec.ts';
import { readFinish, readUsage, readWarnings } from './answer.ts';
import type { Asked } from './request.ts';

/** Reads the parts of `doStream`. */
export class PartReader {
  readonly #asked: Pick<Asked, 'seed' | 'warnings'>;
  readonly #failure: (error: unknown) => Error;
  readonly #text = new WholeText();
  readonly #toolCalls = new ToolCalls();
  /** Calls whose input came, or comes, in deltas; and those that the provider runs by itself. */
  readonly #begun = new Set<string>();
  readonly #foreign = new Set<string>();
  #id: string | null = null;
  #warnings: string[] = [];

  /** @param failure what an error within the stream means */
  constructor(asked: Pick<Asked, 'seed' | 'warnings'>, failure: (error: unknown) => Error) {
    this.#asked = asked;
    this.#failure = failure;
  }

  /** @returns what the part adds to the answer, often nothing */
  read(value: unknown): TextPart[] {
    const part = asRecord(value);
    if (!part) throw incomprehensible('a part of it is no object');
    switch (part['type']) {
      case 'stream-start':
        this.#warnings = readWarnings(part['warnings']);
        return [];
      case 'response-metadata':
        this.#id = asLabel(part['id']) ?? this.#id;
        return [];
      case 'text-delta':
        return this.#say(part['delta']);
      case 'tool-input-start':
      case 'tool-input-delta':
      case 'tool-call':
        return this.#readCall(part);
      case 'error':
        throw this.#failure(part['error']);
      case 'finish':
        return [this.#finish(part)];
      default:
        return [];
    }
  }

  #say(delta: unknown): TextPart[] {
    if (typeof delta !== 'string') throw incomprehensible('a text of it is none');
    const text = this.#text.push(delta);
    return text === '' ? [] : [{ type: 'text', text }];
  }

  #readCall(part: JsonRecord): TextPart[] {
    const key = asLabel(part['type'] === 'tool-call' ? part['toolCallId'] : part['id']);
    if (key === null) throw incomprehensible('a tool call of it has no id');
    if (part['providerExecuted'] === true) this.#foreign.add(key);
    if (this.#foreign.has(key)) return [];
    const name = part['toolName'];
    if (part['type'] === 'tool-input-start') {
      this.#begun.add(key);
      return [this.#toolCalls.add({ key, id: key, name, arguments: '' })];
    }
    // The whole call repeats what its deltas said.
    if (part['type'] === 'tool-call' && this.#begun.has(key)) return [];
    const text = part['type'] === 'tool-call' ? part['input'] : part['delta'];
    if (typeof text !== 'string') throw incomprehensible('the input of a tool call is no text');
    return [this.#toolCalls.add({ key, id: key, name, arguments: text })];
  }

  #finish(part: JsonRecord): TextPart {
    const usage = readUsage(part['usage']);
    const finish = readFinish(part['finishReason']);
    if (!finish || isCut(part['finishReason'])) {
      throw incomprehensible('it ended before its end', { usage });
    }
    const toolCalls = this.#toolCalls;
    if (finish.finishReason === 'content_filter' && !this.#text.any && !toolCalls.any) {
      throw contentRefused({ usage });
    }
    return {
      type: 'finish',
      answer: {
        ...finish,
        toolCalls: toolCalls.all,
        providerMessageId: this.#id,
        usage,
        seed: this.#asked.seed,
        warnings: [...this.#asked.warnings, ...this.#warnings],
      },
    };
  }
}

/** Before version 4 had a word for it, a stream that broke off ended as `other`, without the provider's own word. */
function isCut(finishReason: unknown): boolean {
  const told = asRecord(finishReason);
  return told?.['unified'] === 'other' && told['raw'] === undefined;
}
