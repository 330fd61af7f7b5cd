import { AnswerReader, wholeAnswer } from '../shared/answer-reader.ts';
import { parseJsonText } from '../shared/body.ts';
import type { Sent } from '../shared/converted.ts';
import { contentRefused } from '../shared/failures.ts';
import type { SseEvent } from '../shared/sse.ts';
import type { EventReader } from '../shared/text-stream.ts';
import type { FinishPart, FinishReason, TextAnswer, TextPart } from '../spec.ts';
import { readUsage } from './usage.ts';
import { throwErrorIn } from './errors.ts';
import { wireChoice, wireCompletion, wireMessage, wireRole } from './wire.ts';

const reasons: ReadonlyMap<string, FinishReason> = new Map([
  ['stop', 'stop'],
  ['length', 'length'],
  ['function_call', 'tool_calls'],
  ['blacklist', 'content_filter'],
]);

/** `error`, for a tool call with invalid arguments, becomes `other`. */
export function finishReasonOf(raw: string | null): FinishReason {
  return (raw === null ? undefined : reasons.get(raw)) ?? 'other';
}

const DONE = '[DONE]';

/** Reads completions: the one of a plain call (`message`), or the chunks of a stream (`delta`). */
export class CompletionReader extends AnswerReader implements EventReader {
  #stateId: string | null = null;

  read({ data }: SseEvent): TextPart[] {
    if (data !== DONE) return this.readCompletion(parseJsonText(data), 'delta');
    this.done = true;
    return [];
  }

  /** @throws ProviderError for a reported error or a malformed completion */
  readCompletion(body: unknown, field: 'message' | 'delta'): TextPart[] {
    throwErrorIn(body, this.secret, this.usage);
    const completion = this.check(wireCompletion, body);
    const parts: TextPart[] = [];
    const usage = readUsage(completion.usage);
    if (usage) {
      this.usage = usage;
      parts.push({ type: 'usage', usage });
    }
    const choice = this.check(wireChoice, completion.choices?.[0]);
    const message = choice[field] ?? (field === 'delta' ? {} : undefined);
    // A message of this role reports how long a built-in function still needs; it is not part of the answer.
    const isProgress = this.check(wireRole, message).role === 'function_in_progress';
    this.rawFinishReason = choice.finish_reason ?? this.rawFinishReason;
    return isProgress ? parts : [...parts, ...this.#readMessage(message)];
  }

  #readMessage(value: unknown): TextPart[] {
    const message = this.check(wireMessage, value);
    this.#stateId = message.functions_state_id ?? this.#stateId;
    const parts = this.addText(message.content ?? '');
    const call = message.function_call;
    if (!call) return parts;
    const json = JSON.stringify(call.arguments ?? {});
    // An answer has at most one call, and it is complete.
    const piece = { key: 0, id: this.#stateId, name: call.name, arguments: json };
    return [...parts, this.toolCalls.add(piece)];
  }

  finish(): FinishPart {
    const { rawFinishReason, usage } = this;
    if (rawFinishReason === null && !this.done) {
      throw this.malformed('it ended before its end');
    }
    const finishReason = finishReasonOf(rawFinishReason);
    // The text so far is a set phrase of the safety system, not an this.
    if (finishReason === 'content_filter') throw contentRefused({ usage });
    return this.end(finishReason);
  }
}

/** The body of an answer that was not streamed. @throws ProviderError as the reader does */
export function textAnswer(body: unknown, sent: Sent): TextAnswer {
  const reader = new CompletionReader(sent);
  return wholeAnswer(reader.readCompletion(body, 'message'), reader.finish());
}
