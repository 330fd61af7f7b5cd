import type { z } from 'zod';
import {
  noUsage,
  type FinishPart,
  type FinishReason,
  type ProviderError,
  type TextAnswer,
  type TextPart,
} from '../spec.ts';
import type { Sent } from './converted.ts';
import { contentRefused, malformedAnswer } from './failures.ts';
import { storable } from './json.ts';
import { ToolCalls } from './tool-calls.ts';
import { WholeText } from './whole-text.ts';
import { readWire } from './wire.ts';

/** Collects one text answer, whole or streamed. The reader of each dialect extends it. */
export class AnswerReader {
  /** True after the last event of a stream: later events are not part of the answer. */
  done = false;
  id: string | null = null;
  usage = noUsage;
  /** The provider's own finish reason. */
  rawFinishReason: string | null = null;
  stopSequence: string | undefined;
  /** Kept only if the answer calls tools. */
  thoughts = '';
  /** True once the answer contains a refusal of the model. */
  refused = false;
  readonly toolCalls = new ToolCalls();
  readonly #sent: Sent;
  readonly #text = new WholeText();

  constructor(sent: Sent) {
    this.#sent = sent;
  }

  /** @throws ProviderError `failed` with the usage so far if the value does not match the schema */
  check<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
    return readWire(schema, value, this.usage);
  }

  /** @returns the text as a part; nothing while it is empty */
  addText(delta: string): TextPart[] {
    const text = this.#text.push(delta);
    return text === '' ? [] : [{ type: 'text', text }];
  }

  /** @throws ProviderError `content_refused` with the usage if the safety system left nothing of the answer */
  end(finishReason: FinishReason): FinishPart {
    const { id, usage, stopSequence, toolCalls } = this;
    const isEmpty = !this.#text.any && !toolCalls.any;
    if (isEmpty && (this.refused || finishReason === 'content_filter')) {
      throw contentRefused({ usage });
    }
    const thoughts = toolCalls.any ? storable(this.thoughts) : '';
    const answer = {
      toolCalls: toolCalls.all,
      ...(thoughts !== '' && { thoughts }),
      ...(stopSequence !== undefined && { stopSequence }),
      providerMessageId: id,
      usage,
      finishReason,
      seed: this.#sent.seed,
      warnings: this.#sent.warnings,
    };
    return { type: 'finish', answer };
  }

  /** The error for an answer that breaks the rules of its dialect, with the usage so far. */
  malformed(problem: string): ProviderError {
    return malformedAnswer(problem, { usage: this.usage });
  }
}

/** The answer of a call that was not streamed, from the parts that its reader found. */
export function wholeAnswer(parts: readonly TextPart[], { answer }: FinishPart): TextAnswer {
  const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
  return { text, ...answer };
}
