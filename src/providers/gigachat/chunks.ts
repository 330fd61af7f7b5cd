import { parseJsonText } from '../shared/body.ts';
import { contentRefused, incomprehensible } from '../shared/failures.ts';
import { asArray, asLabel, asRecord, type JsonRecord } from '../shared/json.ts';
import type { SseEvent } from '../shared/sse.ts';
import type { EventReader } from '../shared/text-stream.ts';
import { ToolCalls } from '../shared/tool-calls.ts';
import { WholeText } from '../shared/whole-text.ts';
import { noUsage, type TextAnswer, type TextPart } from '../spec.ts';
import { errorInAnswer } from './errors.ts';
import { finishReasonOf } from './finish-reason.ts';
import type { Asked } from './request.ts';
import { readUsage } from './usage.ts';

const DONE = '[DONE]';

/** Reads completions: the one of a plain call (`message`), or the chunks of a stream (`delta`). */
export class CompletionReader implements EventReader {
  readonly #warnings: string[];
  readonly #secret: string | undefined;
  readonly #text = new WholeText();
  readonly #toolCalls = new ToolCalls();
  #stateId: string | null = null;
  #usage = noUsage;
  #rawFinishReason: string | null = null;
  #done = false;

  /** @param secret the access token, to be kept out of what is told of an error */
  constructor({ warnings }: Pick<Asked, 'warnings'>, secret: string | undefined) {
    this.#warnings = warnings;
    this.#secret = secret;
  }

  get done(): boolean {
    return this.#done;
  }

  read({ data }: SseEvent): TextPart[] {
    if (data !== DONE) return this.readCompletion(parseJsonText(data), 'delta');
    this.#done = true;
    return [];
  }

  /** @throws ProviderError for an error, or what the dialect does not say */
  readCompletion(body: unknown, field: 'message' | 'delta'): TextPart[] {
    const completion = asRecord(body);
    if (!completion) throw this.#broken('it is no object');
    const error = errorInAnswer(completion, this.#secret, this.#usage);
    if (error) throw error;
    const parts: TextPart[] = [];
    if (asRecord(completion['usage'])) {
      this.#usage = readUsage(completion['usage']);
      parts.push({ type: 'usage', usage: this.#usage });
    }
    const choice = asRecord(asArray(completion['choices'])?.[0]);
    const message = asRecord(choice?.[field] ?? (field === 'delta' ? {} : undefined));
    if (!choice || !message) throw this.#broken('it has no message');
    this.#rawFinishReason = asLabel(choice['finish_reason']) ?? this.#rawFinishReason;
    return [...parts, ...this.#readMessage(message)];
  }

  #readMessage(message: JsonRecord): TextPart[] {
    // It tells how long a built-in function has yet to work, and is not part of the answer.
    if (message['role'] === 'function_in_progress') return [];
    this.#stateId = asLabel(message['functions_state_id']) ?? this.#stateId;
    const content = message['content'] ?? '';
    if (typeof content !== 'string') throw this.#broken('its content is no text');
    const text = this.#text.push(content);
    const said: TextPart[] = text === '' ? [] : [{ type: 'text', text }];
    if (message['function_call'] === undefined) return said;
    return [...said, this.#readCall(asRecord(message['function_call']))];
  }

  /** An answer has one call at most, which comes whole. */
  #readCall(call: JsonRecord | undefined): TextPart {
    const args = asRecord(call?.['arguments'] ?? {});
    if (!call || !args) throw this.#broken('the arguments of a tool call are no object');
    const { name } = call;
    return this.#toolCalls.add({
      key: 0,
      id: this.#stateId ?? undefined,
      name,
      arguments: JSON.stringify(args),
    });
  }

  finish(): { type: 'finish'; answer: Omit<TextAnswer, 'text'> } {
    const rawFinishReason = this.#rawFinishReason;
    if (rawFinishReason === null && !this.#done) throw this.#broken('it ended before its end');
    const finishReason = finishReasonOf(rawFinishReason);
    // What was said until then is a set phrase of the safety system, not an answer.
    if (finishReason === 'content_filter') throw contentRefused({ usage: this.#usage });
    return {
      type: 'finish',
      answer: {
        toolCalls: this.#toolCalls.all,
        providerMessageId: null,
        usage: this.#usage,
        finishReason,
        rawFinishReason,
        seed: null,
        warnings: this.#warnings,
      },
    };
  }

  #broken(what: string): Error {
    return incomprehensible(what, { usage: this.#usage });
  }
}

/** The body of a plain answer. @throws ProviderError as the reader does */
export function textAnswer(
  body: unknown,
  asked: Pick<Asked, 'warnings'>,
  secret: string | undefined,
): TextAnswer {
  const reader = new CompletionReader(asked, secret);
  const parts = reader.readCompletion(body, 'message');
  const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
  return { text, ...reader.finish().answer };
}
