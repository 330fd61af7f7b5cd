import { z } from 'zod';
import { AnswerReader, reasoningLeftOut } from '../shared/answer-reader.ts';
import type { Sent } from '../shared/unsupported.ts';
import { anything, label } from '../shared/wire.ts';
import type { TextPart } from '../spec.ts';
import { readFinishReason, readUsage, readWarnings, wireFinish } from './answer.ts';

/** A part of `doStream`, by its type. */
const wirePart = z.object({
  type: anything,
  id: label,
  modelId: label,
  delta: anything,
  toolCallId: label,
  toolName: label,
  input: anything,
  providerExecuted: anything,
  warnings: anything,
  error: anything,
  usage: anything,
  finishReason: anything,
});
type WirePart = z.output<typeof wirePart>;

/** Reads the parts of `doStream`. */
export class PartReader extends AnswerReader {
  readonly #warnings: string[];
  readonly #failure: (error: unknown) => Error;
  /** Calls whose input came, or comes, in deltas. */
  readonly #begun = new Set<string>();
  /** Calls that the provider executes itself. */
  readonly #providerExecuted = new Set<string>();

  /** @param failure converts an error within the stream */
  constructor({ seed, warnings }: Sent, failure: (error: unknown) => Error) {
    const all = [...warnings];
    super({ seed, warnings: all });
    this.#warnings = all;
    this.#failure = failure;
  }

  /** @returns what the part adds to the answer, often nothing */
  read(value: unknown): TextPart[] {
    const part = this.check(wirePart, value);
    switch (part.type) {
      case 'stream-start':
        this.#warnings.push(...readWarnings(part.warnings));
        return [];
      case 'response-metadata':
        this.id = part.id ?? this.id;
        this.model = part.modelId ?? this.model;
        return [];
      case 'text-delta':
        return this.addText(this.#string(part.delta));
      case 'reasoning-delta':
        // A package does not say whether this is the reasoning or only a summary.
        return [{ ...reasoningLeftOut, text: this.#string(part.delta) }];
      case 'tool-input-start':
        return this.#readCall(part, part.id, '');
      case 'tool-input-delta':
        return this.#readCall(part, part.id, part.delta);
      case 'tool-call':
        return this.#readCall(part, part.toolCallId, part.input);
      case 'error':
        throw this.#failure(part.error);
      case 'finish':
        return [this.#finish(part)];
      default:
        return [];
    }
  }

  #readCall(part: WirePart, key: string | null, json: unknown): TextPart[] {
    if (key === null) throw this.malformed('a tool call has no id');
    if (part.providerExecuted === true) this.#providerExecuted.add(key);
    if (this.#providerExecuted.has(key)) return [];
    // A complete call repeats what its deltas contained.
    if (part.type === 'tool-call' && this.#begun.has(key)) return [];
    if (part.type === 'tool-input-start') this.#begun.add(key);
    const piece = { key, id: key, name: part.toolName, arguments: this.#string(json) };
    return [this.toolCalls.add(piece)];
  }

  #finish(part: WirePart): TextPart {
    this.usage = readUsage(part.usage);
    const finishReason = readFinishReason(part.finishReason);
    if (!finishReason || isCutOff(part.finishReason)) {
      throw this.malformed('it ended before its end');
    }
    return this.end(finishReason);
  }

  #string(value: unknown): string {
    if (typeof value === 'string') return value;
    throw this.malformed('a delta is not a string');
  }
}

/** Version 3 ends a stream that broke off with `other` and without the provider's own reason. */
function isCutOff(finishReason: unknown): boolean {
  const { unified, raw } = wireFinish.parse(finishReason) ?? {};
  return unified === 'other' && raw === undefined;
}
