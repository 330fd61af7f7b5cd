import { parseJsonText } from '../shared/body.ts';
import { contentRefused, incomprehensible } from '../shared/failures.ts';
import { asArray, asLabel, asRecord, type JsonRecord } from '../shared/json.ts';
import type { SseEvent } from '../shared/sse.ts';
import type { EventReader } from '../shared/text-stream.ts';
import { newCallId, ToolCalls } from '../shared/tool-calls.ts';
import { WholeText } from '../shared/whole-text.ts';
import { noUsage, type TextAnswer, type TextPart } from '../spec.ts';
import { errorInAnswer } from './errors.ts';
import { finishReasonOf } from './finish-reason.ts';
import type { Asked } from './request.ts';
import type { SignatureStore } from './signatures.ts';
import { readUsage } from './usage.ts';

/** What a reader needs besides the answer. */
export interface Reading {
  asked: Pick<Asked, 'seed' | 'warnings'>;
  signatures: SignatureStore;
  /** The key, to be kept out of what is told of an error. */
  secret: string | undefined;
}

/** Reads responses of `generateContent`: the one of a plain call, or each of a stream. */
export class ResponseReader implements EventReader {
  readonly #reading: Reading;
  readonly #text = new WholeText();
  readonly #toolCalls = new ToolCalls();
  #calls = 0;
  #id: string | null = null;
  #usage = noUsage;
  #rawFinishReason: string | null = null;

  /** The stream has no last event of its own: it ends after the one with the finish reason. */
  readonly done = false;

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  read({ data }: SseEvent): TextPart[] {
    return this.readResponse(parseJsonText(data));
  }

  /** @throws ProviderError for an error, a prompt that was blocked, or what the dialect does not say */
  readResponse(body: unknown): TextPart[] {
    const response = asRecord(body);
    if (!response) throw this.#broken('it is no object');
    const error = errorInAnswer(response, this.#reading.secret, this.#usage);
    if (error) throw error;
    this.#id ??= asLabel(response['responseId']);
    // Counts grow with the stream: the last ones stand.
    const parts: TextPart[] = [];
    if (asRecord(response['usageMetadata'])) {
      this.#usage = readUsage(response['usageMetadata']);
      parts.push({ type: 'usage', usage: this.#usage });
    }
    if (asLabel(asRecord(response['promptFeedback'])?.['blockReason']) !== null) {
      throw contentRefused({ usage: this.#usage });
    }
    const candidates = asArray(response['candidates'] ?? []);
    if (!candidates) throw this.#broken('it has no candidates');
    if (candidates.length > 0) parts.push(...this.#readCandidate(asRecord(candidates[0])));
    return parts;
  }

  #readCandidate(candidate: JsonRecord | undefined): TextPart[] {
    // A candidate that was cut before its first word has no content.
    const parts = asArray(asRecord(candidate?.['content'] ?? {})?.['parts'] ?? []);
    if (!candidate || !parts) throw this.#broken('it has no content');
    this.#rawFinishReason = asLabel(candidate['finishReason']) ?? this.#rawFinishReason;
    return parts.flatMap((part) => this.#readPart(asRecord(part)));
  }

  #readPart(part: JsonRecord | undefined): TextPart[] {
    if (!part) throw this.#broken('a part of it is no object');
    if (part['functionCall'] !== undefined) return [this.#readCall(part)];
    // Thoughts are not part of the answer.
    if (part['text'] === undefined || part['thought'] === true) return [];
    if (typeof part['text'] !== 'string') throw this.#broken('a text of it is none');
    const text = this.#text.push(part['text']);
    return text === '' ? [] : [{ type: 'text', text }];
  }

  /** Calls come whole, each in a part of its own. */
  #readCall(part: JsonRecord): TextPart {
    const call = asRecord(part['functionCall']);
    const args = asRecord(call?.['args'] ?? {});
    if (!call || !args) throw this.#broken('the arguments of a tool call are no object');
    const id = asLabel(call['id']) ?? newCallId();
    const signature = part['thoughtSignature'];
    if (typeof signature === 'string') this.#reading.signatures.keep(id, signature);
    const { name } = call;
    return this.#toolCalls.add({ key: this.#calls++, id, name, arguments: JSON.stringify(args) });
  }

  finish(): { type: 'finish'; answer: Omit<TextAnswer, 'text'> } {
    const rawFinishReason = this.#rawFinishReason;
    if (rawFinishReason === null) throw this.#broken('it ended before its end');
    const toolCalls = this.#toolCalls;
    const finishReason = finishReasonOf(rawFinishReason, toolCalls.any);
    if (finishReason === 'content_filter' && !this.#text.any && !toolCalls.any) {
      throw contentRefused({ usage: this.#usage });
    }
    const { seed, warnings } = this.#reading.asked;
    return {
      type: 'finish',
      answer: {
        toolCalls: toolCalls.all,
        providerMessageId: this.#id,
        usage: this.#usage,
        finishReason,
        rawFinishReason,
        seed,
        warnings,
      },
    };
  }

  #broken(what: string): Error {
    return incomprehensible(what, { usage: this.#usage });
  }
}

/** The body of a plain answer. @throws ProviderError as the reader does */
export function textAnswer(body: unknown, reading: Reading): TextAnswer {
  const reader = new ResponseReader(reading);
  const parts = reader.readResponse(body);
  const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
  return { text, ...reader.finish().answer };
}
