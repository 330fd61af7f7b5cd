import { AnswerBuilder, wholeAnswer } from '../shared/answer-builder.ts';
import { parseJsonText } from '../shared/body.ts';
import type { Sent } from '../shared/converted.ts';
import { contentRefused } from '../shared/failures.ts';
import type { SseEvent } from '../shared/sse.ts';
import type { EventReader } from '../shared/text-stream.ts';
import type { FinishPart, TextAnswer, TextPart } from '../spec.ts';
import { errorInAnswer } from './errors.ts';
import { finishReasonOf } from './finish-reason.ts';
import { readUsage } from './usage.ts';
import { wireChoice, wireCompletion, wireMessage, wireRole } from './wire.ts';

const DONE = '[DONE]';

/** Reads completions: the one of a plain call (`message`), or the chunks of a stream (`delta`). */
export class CompletionReader implements EventReader {
  readonly #secret: string | undefined;
  readonly #answer: AnswerBuilder;
  #stateId: string | null = null;
  #done = false;

  /** @param secret the access token, kept out of the details of errors */
  constructor(sent: Sent, secret: string | undefined) {
    this.#secret = secret;
    this.#answer = new AnswerBuilder(sent);
  }

  get done(): boolean {
    return this.#done;
  }

  read({ data }: SseEvent): TextPart[] {
    if (data !== DONE) return this.readCompletion(parseJsonText(data), 'delta');
    this.#done = true;
    return [];
  }

  /** @throws ProviderError for a reported error or a malformed completion */
  readCompletion(body: unknown, field: 'message' | 'delta'): TextPart[] {
    const answer = this.#answer;
    const error = errorInAnswer(body, this.#secret, answer.usage);
    if (error) throw error;
    const completion = answer.read(wireCompletion, body);
    const parts: TextPart[] = [];
    const usage = readUsage(completion.usage);
    if (usage) {
      answer.usage = usage;
      parts.push({ type: 'usage', usage });
    }
    const choice = answer.read(wireChoice, completion.choices?.[0]);
    const message = choice[field] ?? (field === 'delta' ? {} : undefined);
    // A message of this role reports how long a built-in function still needs; it is not part of the answer.
    const isProgress = answer.read(wireRole, message).role === 'function_in_progress';
    answer.rawFinishReason = choice.finish_reason ?? answer.rawFinishReason;
    return isProgress ? parts : [...parts, ...this.#readMessage(message)];
  }

  #readMessage(value: unknown): TextPart[] {
    const answer = this.#answer;
    const message = answer.read(wireMessage, value);
    this.#stateId = message.functions_state_id ?? this.#stateId;
    const parts = answer.addText(message.content ?? '');
    const call = message.function_call;
    if (!call) return parts;
    const json = JSON.stringify(call.arguments ?? {});
    // An answer has at most one call, and it is complete.
    const piece = { key: 0, id: this.#stateId, name: call.name, arguments: json };
    return [...parts, answer.toolCalls.add(piece)];
  }

  finish(): FinishPart {
    const { rawFinishReason, usage } = this.#answer;
    if (rawFinishReason === null && !this.#done) {
      throw this.#answer.malformed('it ended before its end');
    }
    const finishReason = finishReasonOf(rawFinishReason);
    // The text so far is a set phrase of the safety system, not an answer.
    if (finishReason === 'content_filter') throw contentRefused({ usage });
    return this.#answer.finish(finishReason);
  }
}

/** The body of an answer that was not streamed. @throws ProviderError as the reader does */
export function textAnswer(body: unknown, sent: Sent, secret: string | undefined): TextAnswer {
  const reader = new CompletionReader(sent, secret);
  return wholeAnswer(reader.readCompletion(body, 'message'), reader.finish());
}
