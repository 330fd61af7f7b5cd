import { z } from 'zod';
import { EventReader, newCallId, reasoningLeftOut } from '../shared/answer-reader.ts';
import { parseJsonText } from '../shared/body.ts';
import { contentRefused } from '../shared/failures.ts';
import type { Secrets } from '../shared/reported-failure.ts';
import type { SseEvent } from '../shared/sse.ts';
import type { Sent } from '../shared/unsupported.ts';
import { anything, jsonObject, label, section, text, type JsonRecord } from '../shared/wire.ts';
import type { FinishReason, TextPart } from '../spec.ts';
import { errorIn } from './errors.ts';
import type { SignatureStore } from './signatures.ts';
import { readUsage } from './usage.ts';

export const wireResponse = z.object({
  responseId: label,
  modelVersion: label,
  usageMetadata: anything,
  promptFeedback: section({ blockReason: label }),
  candidates: anything,
});
const wireCandidates = z.array(anything).nullish();

/** A candidate that was cut off before its first word has no content. */
const wireCandidate = z.object({ finishReason: label, content: section({ parts: anything }) });
const wireParts = z.array(jsonObject).nullish();

const wirePart = z.object({
  text: anything,
  thought: anything,
  functionCall: z.object({ id: label, name: label, args: jsonObject.nullish() }).optional(),
  thoughtSignature: text,
});

export const reasons: ReadonlyMap<string, FinishReason> = new Map([
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

/** What a reader needs in addition to the answer. */
export interface Reading {
  sent: Sent;
  signatures: SignatureStore;
  /** The API key, kept out of the details of errors. */
  secret: Secrets;
}

/**
 * Reads responses of `generateContent`: the single one of a plain call, or each one of a stream. A stream has no
 * separate last event: it ends after the event with the finish reason.
 */
export class ResponseReader extends EventReader {
  readonly reasons = reasons;
  readonly #reading: Reading;
  #calls = 0;

  constructor(reading: Reading) {
    super(reading.sent, reading.secret);
    this.#reading = reading;
  }

  read({ data }: SseEvent): TextPart[] {
    return this.readWhole(parseJsonText(data));
  }

  /** @throws ProviderError for a reported error, a blocked prompt or a malformed response */
  readWhole(body: unknown): TextPart[] {
    this.throwError(errorIn(body));
    const response = this.check(wireResponse, body);
    this.id ??= response.responseId;
    this.model ??= response.modelVersion;
    // The counts grow during the stream: the last ones count.
    const parts = this.setUsage(readUsage(response.usageMetadata));
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
      // Each call is complete, in a separate part.
      const { name, args } = call;
      const json = JSON.stringify(args ?? {});
      const called = this.toolCalls.add({ key: this.#calls++, id, name, arguments: json });
      if (signature === undefined) return [called];
      this.#reading.signatures.keep(id, signature);
      return [{ ...reasoningLeftOut, seal: { by: 'gemini', callId: id, signature } }, called];
    }
    if (part.text === undefined) return [];
    // The API shows a summary of the reasoning.
    const partText = typeof part.text === 'string' ? part.text : undefined;
    if (part.thought === true) return [{ ...reasoningLeftOut, text: partText ?? '' }];
    if (partText === undefined) throw this.malformed('the text of a part is not a string');
    return this.addText(partText);
  }
}
