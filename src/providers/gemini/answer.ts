import { AnswerReader, newCallId, wholeAnswer } from '../shared/answer-reader.ts';
import { parseJsonText } from '../shared/body.ts';
import type { Sent } from '../shared/converted.ts';
import { contentRefused } from '../shared/failures.ts';
import type { JsonRecord } from '../shared/wire.ts';
import type { SseEvent } from '../shared/sse.ts';
import type { EventReader } from '../shared/text-stream.ts';
import type { FinishPart, FinishReason, TextAnswer, TextPart } from '../spec.ts';
import { throwErrorIn } from './errors.ts';
import type { SignatureStore } from './signatures.ts';
import { readUsage } from './usage.ts';
import { wireCandidate, wireCandidates, wirePart, wireParts, wireResponse } from './wire.ts';

const reasons: ReadonlyMap<string, FinishReason> = new Map([
  ['STOP', 'stop'],
  ['MAX_TOKENS', 'length'],
  ['SAFETY', 'content_filter'],
  ['RECITATION', 'content_filter'],
  ['BLOCKLIST', 'content_filter'],
  ['PROHIBITED_CONTENT', 'content_filter'],
  ['SPII', 'content_filter'],
  ['IMAGE_SAFETY', 'content_filter'],
  ['IMAGE_PROHIBITED_CONTENT', 'content_filter'],
  ['IMAGE_RECITATION', 'content_filter'],
]);

/** @param callsTools the API reports `STOP` for an answer that calls tools */
export function finishReasonOf(raw: string | null, callsTools: boolean): FinishReason {
  const reason = (raw === null ? undefined : reasons.get(raw)) ?? 'other';
  return callsTools && reason === 'stop' ? 'tool_calls' : reason;
}

/** What a reader needs besides the answer. */
export interface Reading {
  sent: Sent;
  signatures: SignatureStore;
  /** The API key, kept out of the details of errors. */
  secret: string | undefined;
}

/**
 * Reads responses of `generateContent`: the only one of a plain call, or each one of a stream. A stream has no
 * separate last event: it ends after the event with the finish reason.
 */
export class ResponseReader extends AnswerReader implements EventReader {
  readonly #reading: Reading;
  #calls = 0;

  constructor(reading: Reading) {
    super(reading.sent, reading.secret);
    this.#reading = reading;
  }

  read({ data }: SseEvent): TextPart[] {
    return this.readResponse(parseJsonText(data));
  }

  /** @throws ProviderError for a reported error, a blocked prompt or a malformed response */
  readResponse(body: unknown): TextPart[] {
    throwErrorIn(body, this.secret, this.usage);
    const response = this.check(wireResponse, body);
    this.id ??= response.responseId;
    const parts: TextPart[] = [];
    // The counts grow during the stream: the last ones count.
    const usage = readUsage(response.usageMetadata);
    if (usage) {
      this.usage = usage;
      parts.push({ type: 'usage', usage });
    }
    if (response.promptFeedback?.blockReason) throw contentRefused({ usage: this.usage });
    const candidates = this.check(wireCandidates, response.candidates) ?? [];
    if (candidates.length > 0) parts.push(...this.#readCandidate(candidates[0]));
    return parts;
  }

  #readCandidate(value: unknown): TextPart[] {
    const { content, finishReason } = this.check(wireCandidate, value);
    this.rawFinishReason = finishReason ?? this.rawFinishReason;
    const parts = this.check(wireParts, content?.parts) ?? [];
    return parts.flatMap((part) => this.#readPart(part));
  }

  #readPart(value: JsonRecord): TextPart[] {
    const {
      functionCall: call,
      thoughtSignature: signature,
      ...part
    } = this.check(wirePart, value);
    if (call) {
      const id = call.id ?? newCallId();
      if (signature !== undefined) this.#reading.signatures.keep(id, signature);
      // Each call is complete, in a part of its own.
      const { name, args } = call;
      const json = JSON.stringify(args ?? {});
      return [this.toolCalls.add({ key: this.#calls++, id, name, arguments: json })];
    }
    // Thoughts are not part of the answer.
    if (part.text === undefined || part.thought === true) return [];
    if (typeof part.text !== 'string') throw this.malformed('the text of a part is not a string');
    return this.addText(part.text);
  }

  finish(): FinishPart {
    const { rawFinishReason, toolCalls } = this;
    if (rawFinishReason === null) throw this.malformed('it ended before its end');
    return this.end(finishReasonOf(rawFinishReason, toolCalls.any));
  }
}

/** The body of an answer that was not streamed. @throws ProviderError as the reader does */
export function textAnswer(body: unknown, reading: Reading): TextAnswer {
  const reader = new ResponseReader(reading);
  return wholeAnswer(reader.readResponse(body), reader.finish());
}
