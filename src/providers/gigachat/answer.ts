import { z } from 'zod';
import { EventReader } from '../shared/answer-reader.ts';
import { parseJsonText } from '../shared/body.ts';
import { contentRefused } from '../shared/failures.ts';
import type { SseEvent } from '../shared/sse.ts';
import type { Sent } from '../shared/unsupported.ts';
import { anything, jsonObject, label, list } from '../shared/wire.ts';
import type { FinishPart, FinishReason, TextPart } from '../spec.ts';
import { errorIn } from './errors.ts';
import { ReasoningSplitter } from './reasoning.ts';
import type { ToolNames } from './tool-names.ts';
import { readUsage } from './usage.ts';

/** A completion, or a chunk of a streamed one. */
const wireCompletion = z.object({ model: label, usage: anything, choices: list });
const wireChoice = z.object({ finish_reason: label, message: anything, delta: anything });

/** Messages of other roles are part of the answer. */
const wireRole = z.object({ role: anything });
const wireMessage = z.object({
  content: z.string().nullish(),
  functions_state_id: label,
  function_call: z.object({ name: label, arguments: jsonObject.nullish() }).optional(),
});

/** `error`, for a tool call with invalid arguments, becomes `other`. */
const reasons: ReadonlyMap<string, FinishReason> = new Map([
  ['stop', 'stop'],
  ['length', 'length'],
  ['function_call', 'tool_calls'],
  ['blacklist', 'content_filter'],
]);

const DONE = '[DONE]';

interface GigaChatSent extends Sent {
  /** Absent: the tools keep their own names. */
  names?: ToolNames;
}

/** Reads completions: the single one of a plain call (`message`), or the chunks of a stream (`delta`). */
export class CompletionReader extends EventReader<GigaChatSent> {
  readonly reasons = reasons;
  readonly #splitter = new ReasoningSplitter();
  #stateId: string | null = null;

  read({ data }: SseEvent): TextPart[] {
    if (data !== DONE) return this.#readCompletion(parseJsonText(data), 'delta');
    this.done = true;
    return [];
  }

  readWhole(body: unknown): TextPart[] {
    return this.#readCompletion(body, 'message');
  }

  #readCompletion(body: unknown, field: 'message' | 'delta'): TextPart[] {
    this.throwError(errorIn(body));
    const completion = this.check(wireCompletion, body);
    this.model ??= completion.model;
    const parts = this.setUsage(readUsage(completion.usage));
    const choice = this.check(wireChoice, completion.choices?.[0]);
    const message = choice[field] ?? (field === 'delta' ? {} : undefined);
    // A message of this role reports how long a built-in function still needs; it is not part of the answer.
    const isProgress = this.check(wireRole, message).role === 'function_in_progress';
    this.rawFinishReason = choice.finish_reason ?? this.rawFinishReason;
    const isLast = choice.finish_reason !== null;
    return isProgress ? parts : [...parts, ...this.#readMessage(message, isLast)];
  }

  #readMessage(value: unknown, isLast: boolean): TextPart[] {
    const message = this.check(wireMessage, value);
    this.#stateId = message.functions_state_id ?? this.#stateId;
    const { text, reasoning } = this.#splitter.add(message.content ?? '', isLast);
    const parts = this.addText(text);
    if (reasoning !== '') parts.unshift({ type: 'reasoning', text: reasoning });
    const call = message.function_call;
    if (!call) return parts;
    const json = JSON.stringify(call.arguments ?? {});
    // An answer has at most one call, and it is complete.
    const name = call.name && (this.sent.names?.own(call.name) ?? call.name);
    const piece = { key: 0, id: this.#stateId, name, arguments: json };
    return [...parts, this.toolCalls.add(piece)];
  }

  override finish(): FinishPart {
    const part = super.finish();
    // The text so far is a set phrase of the safety system, not an answer.
    if (part.answer.finishReason !== 'content_filter') return part;
    throw contentRefused({ usage: this.usage });
  }
}
