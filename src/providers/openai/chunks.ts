import { parseJsonText } from '../shared/body.ts';
import { contentRefused, incomprehensible } from '../shared/failures.ts';
import { asArray, asLabel, asRecord, storable, type JsonRecord } from '../shared/json.ts';
import type { SseEvent } from '../shared/sse.ts';
import type { EventReader } from '../shared/text-stream.ts';
import { ToolCalls } from '../shared/tool-calls.ts';
import { WholeText } from '../shared/whole-text.ts';
import { noUsage, type TextPart } from '../spec.ts';
import { readContent, readThoughts } from './content.ts';
import { errorInAnswer, errorOfChoice } from './errors.ts';
import { finishReasonOf } from './finish-reason.ts';
import type { Asked } from './request.ts';
import { readToolCalls } from './tool-calls.ts';
import { readUsage } from './usage.ts';

const DONE = '[DONE]';

/** An error of whatever form, which frameworks put where a chunk was to come, has none of its fields. */
function isChunk(data: JsonRecord): boolean {
  return ['choices', 'usage', 'id', 'error'].some((field) => field in data);
}

/** Reads the chunks of one streamed completion: data of events in, parts and at last the finish out. */
export class ChunkReader implements EventReader {
  readonly #asked: Asked;
  readonly #secret: string | undefined;
  #id: string | null = null;
  #usage = noUsage;
  #rawFinishReason: string | null = null;
  readonly #toolCalls = new ToolCalls();
  readonly #text = new WholeText();
  #thoughts = '';
  #refused = false;
  #done = false;
  constructor(asked: Asked, secret: string | undefined) {
    this.#asked = asked;
    this.#secret = secret;
  }

  get done(): boolean {
    return this.#done;
  }

  read({ event, data }: SseEvent): TextPart[] {
    if (data === DONE && event !== 'error') {
      this.#done = true;
      return [];
    }
    const chunk = asRecord(data === DONE ? {} : parseJsonText(data));
    if (!chunk) throw this.#broken('a chunk of it is no object');
    const isError = (event === 'error' && chunk['error'] == null) || !isChunk(chunk);
    const error = errorInAnswer(isError ? { error: chunk } : chunk, this.#secret, this.#usage);
    if (error) throw error;
    this.#id ??= asLabel(chunk['id']);
    // Some servers tell the usage so far with every chunk: the last one that tells anything stands.
    const parts: TextPart[] = [];
    const usage = readUsage(chunk['usage'], this.#asked.thoughtsInTotalAlone);
    if (usage.promptTokens !== null || usage.completionTokens !== null) {
      this.#usage = usage;
      parts.push({ type: 'usage', usage: this.#usage });
    }
    const choices = asArray(chunk['choices'] ?? []);
    if (!choices) throw this.#broken('a chunk of it has no choices');
    if (choices.length > 0) parts.push(...this.#readChoice(asRecord(choices[0])));
    return parts;
  }

  #readChoice(choice: JsonRecord | undefined): TextPart[] {
    const delta = choice && asRecord(choice['delta'] ?? {});
    const content = delta && readContent(delta);
    const pieces = delta && readToolCalls(delta);
    if (!choice || !content || !pieces) throw this.#broken('a chunk of it has no delta');
    const error = errorOfChoice(choice, this.#secret, this.#usage);
    if (error) throw error;
    this.#rawFinishReason = asLabel(choice['finish_reason']) ?? this.#rawFinishReason;
    if (content.refusal !== '') this.#refused = true;
    if (this.#asked.wantsThoughts) this.#thoughts += readThoughts(delta);
    const text = this.#text.push(content.text);
    const calls = pieces.map((piece) => this.#toolCalls.add(piece));
    return text === '' ? calls : [{ type: 'text', text }, ...calls];
  }

  finish(): Extract<TextPart, { type: 'finish' }> {
    const rawFinishReason = this.#rawFinishReason;
    if (rawFinishReason === null && !this.#done) throw this.#broken('it ended before its end');
    const toolCalls = this.#toolCalls;
    const finishReason = finishReasonOf(rawFinishReason, toolCalls.any);
    const isEmpty = !this.#text.any && !toolCalls.any;
    if (isEmpty && (this.#refused || finishReason === 'content_filter')) {
      throw contentRefused({ usage: this.#usage });
    }
    const { seed, warnings } = this.#asked;
    const thoughts = toolCalls.any ? storable(this.#thoughts) : '';
    return {
      type: 'finish',
      answer: {
        toolCalls: toolCalls.all,
        ...(thoughts !== '' && { thoughts }),
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
