import { AnswerBuilder, wholeAnswer } from '../shared/answer-builder.ts';
import { parseJsonText } from '../shared/body.ts';
import type { Sent } from '../shared/converted.ts';
import { contentRefused } from '../shared/failures.ts';
import type { JsonRecord } from '../shared/json.ts';
import type { SseEvent } from '../shared/sse.ts';
import type { EventReader } from '../shared/text-stream.ts';
import { newCallId } from '../shared/tool-calls.ts';
import type { FinishPart, TextAnswer, TextPart } from '../spec.ts';
import { errorInAnswer } from './errors.ts';
import { finishReasonOf } from './finish-reason.ts';
import type { SignatureStore } from './signatures.ts';
import { readUsage } from './usage.ts';
import { wireCandidate, wireCandidates, wirePart, wireParts, wireResponse } from './wire.ts';

/** What a reader needs besides the answer. */
export interface Reading {
  sent: Sent;
  signatures: SignatureStore;
  /** The API key, kept out of the details of errors. */
  secret: string | undefined;
}

/** Reads responses of `generateContent`: the only one of a plain call, or each one of a stream. */
export class ResponseReader implements EventReader {
  readonly #reading: Reading;
  readonly #answer: AnswerBuilder;
  #calls = 0;

  /** The stream has no separate last event: it ends after the event with the finish reason. */
  readonly done = false;

  constructor(reading: Reading) {
    this.#reading = reading;
    this.#answer = new AnswerBuilder(reading.sent);
  }

  read({ data }: SseEvent): TextPart[] {
    return this.readResponse(parseJsonText(data));
  }

  /** @throws ProviderError for a reported error, a blocked prompt or a malformed response */
  readResponse(body: unknown): TextPart[] {
    const answer = this.#answer;
    const error = errorInAnswer(body, this.#reading.secret, answer.usage);
    if (error) throw error;
    const response = answer.read(wireResponse, body);
    answer.id ??= response.responseId;
    const parts: TextPart[] = [];
    // The counts grow during the stream: the last ones count.
    const usage = readUsage(response.usageMetadata);
    if (usage) {
      answer.usage = usage;
      parts.push({ type: 'usage', usage });
    }
    if (response.promptFeedback?.blockReason) throw contentRefused({ usage: answer.usage });
    const candidates = answer.read(wireCandidates, response.candidates) ?? [];
    if (candidates.length > 0) parts.push(...this.#readCandidate(candidates[0]));
    return parts;
  }

  #readCandidate(value: unknown): TextPart[] {
    const answer = this.#answer;
    const { content, finishReason } = answer.read(wireCandidate, value);
    answer.rawFinishReason = finishReason ?? answer.rawFinishReason;
    const parts = answer.read(wireParts, content?.parts) ?? [];
    return parts.flatMap((part) => this.#readPart(part));
  }

  #readPart(value: JsonRecord): TextPart[] {
    const answer = this.#answer;
    const {
      functionCall: call,
      thoughtSignature: signature,
      ...part
    } = answer.read(wirePart, value);
    if (call) {
      const id = call.id ?? newCallId();
      if (signature !== undefined) this.#reading.signatures.keep(id, signature);
      // Each call is complete, in a part of its own.
      const { name, args } = call;
      const json = JSON.stringify(args ?? {});
      return [answer.toolCalls.add({ key: this.#calls++, id, name, arguments: json })];
    }
    // Thoughts are not part of the answer.
    if (part.text === undefined || part.thought === true) return [];
    if (typeof part.text !== 'string') throw answer.malformed('the text of a part is not a string');
    return answer.addText(part.text);
  }

  finish(): FinishPart {
    const { rawFinishReason, toolCalls } = this.#answer;
    if (rawFinishReason === null) throw this.#answer.malformed('it ended before its end');
    return this.#answer.finish(finishReasonOf(rawFinishReason, toolCalls.any));
  }
}

/** The body of an answer that was not streamed. @throws ProviderError as the reader does */
export function textAnswer(body: unknown, reading: Reading): TextAnswer {
  const reader = new ResponseReader(reading);
  return wholeAnswer(reader.readResponse(body), reader.finish());
}
