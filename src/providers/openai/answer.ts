import { AnswerBuilder, wholeAnswer } from '../shared/answer-builder.ts';
import { parseJsonText } from '../shared/body.ts';
import type { Sent } from '../shared/converted.ts';
import { asArray, asLabel, asRecord, type JsonRecord } from '../shared/json.ts';
import type { SseEvent } from '../shared/sse.ts';
import type { EventReader } from '../shared/text-stream.ts';
import type { FinishPart, TextAnswer, TextPart } from '../spec.ts';
import { errorInAnswer, errorOfChoice } from './errors.ts';
import { finishReasonOf } from './finish-reason.ts';
import { readUsage } from './usage.ts';
import { wireChoice, wireStreamChoice, type WireChoice, type WireMessage } from './wire.ts';

const DONE = '[DONE]';

/** What is needed of a converted request to read its answer. */
export interface ChatSent extends Sent {
  /** Traits of the server, see `ServerTraits`; false if absent. */
  thoughtsInTotalAlone?: boolean;
  wantsThoughts?: boolean;
}

/** Reads a chat completion, whole or from the chunks of a stream. */
export class ChunkReader implements EventReader {
  readonly #sent: ChatSent;
  readonly #secret: string | undefined;
  readonly #answer: AnswerBuilder;
  #done = false;

  /** @param secret the API key, kept out of the details of errors */
  constructor(sent: ChatSent, secret: string | undefined) {
    this.#sent = sent;
    this.#secret = secret;
    this.#answer = new AnswerBuilder(sent);
  }

  get done(): boolean {
    return this.#done;
  }

  read({ event, data }: SseEvent): TextPart[] {
    const answer = this.#answer;
    if (data === DONE && event !== 'error') {
      this.#done = true;
      return [];
    }
    const chunk = this.#fieldsOf(data === DONE ? {} : parseJsonText(data));
    this.#throwError(event === 'error' || !isChunk(chunk) ? asError(chunk) : chunk);
    answer.id ??= asLabel(chunk['id']);
    const parts: TextPart[] = [];
    // Some servers report the usage so far with every chunk: the last report counts.
    const usage = readUsage(chunk['usage'], this.#sent.thoughtsInTotalAlone);
    if (usage.promptTokens !== null || usage.completionTokens !== null) {
      answer.usage = usage;
      parts.push({ type: 'usage', usage });
    }
    const choices = asArray(chunk['choices'] ?? []);
    if (!choices) throw answer.malformed('choices is not a list');
    if (choices.length === 0) return parts;
    const choice = answer.read(wireStreamChoice, choices[0]);
    parts.push(...this.#readChoice(choice, choice.delta ?? {}));
    return parts;
  }

  /** Reads the body of an answer that was not streamed. */
  readWhole(body: unknown): TextPart[] {
    const answer = this.#answer;
    const completion = this.#fieldsOf(body);
    this.#throwError(completion);
    answer.id = asLabel(completion['id']);
    answer.usage = readUsage(completion['usage'], this.#sent.thoughtsInTotalAlone);
    const choice = answer.read(wireChoice, asArray(completion['choices'])?.[0]);
    // The calls are complete, so their positions tell them apart, whatever index they claim.
    for (const [index, call] of choice.message.tool_calls?.entries() ?? []) call.index = index;
    this.#done = true;
    return this.#readChoice(choice, choice.message);
  }

  #readChoice(choice: WireChoice, message: WireMessage): TextPart[] {
    const answer = this.#answer;
    const error = errorOfChoice(choice, this.#secret, answer.usage);
    if (error) throw error;
    answer.rawFinishReason = choice.finish_reason ?? answer.rawFinishReason;
    const { text, refusal } = contentOf(message);
    if (refusal !== '') answer.refused = true;
    if (this.#sent.wantsThoughts) answer.thoughts += message.reasoning_content ?? '';
    const parts = answer.addText(text);
    for (const [position, call] of message.tool_calls?.entries() ?? []) {
      const { index, id, function: called } = call;
      const key = typeof index === 'number' ? index : position;
      const json = called?.arguments ?? '';
      parts.push(
        answer.toolCalls.add({
          key,
          id,
          name: called?.name ?? null,
          arguments: typeof json === 'string' ? json : JSON.stringify(json),
        }),
      );
    }
    return parts;
  }

  finish(): FinishPart {
    const answer = this.#answer;
    if (answer.rawFinishReason === null && !this.#done) {
      throw answer.malformed('it ended before its end');
    }
    return answer.finish(finishReasonOf(answer.rawFinishReason, answer.toolCalls.any));
  }

  /** The few fields outside the choices are read without a schema: every chunk of a stream comes this way. */
  #fieldsOf(body: unknown): JsonRecord {
    const fields = asRecord(body);
    if (!fields) throw this.#answer.malformed('it is not an object');
    return fields;
  }

  #throwError(body: JsonRecord): void {
    const error = errorInAnswer(body, this.#secret, this.#answer.usage);
    if (error) throw error;
  }
}

/**
 * Converts the body of a chat completion.
 * @throws ProviderError `content_refused` with the usage if the safety system left nothing of the answer;
 *   `failed` if the body is not a completion
 */
export function textAnswer(body: unknown, sent: ChatSent, secret: string | undefined): TextAnswer {
  const reader = new ChunkReader(sent, secret);
  return wholeAnswer(reader.readWhole(body), reader.finish());
}

/** Some frameworks send an error of their own form in place of a chunk: it has none of these fields. */
function isChunk(fields: JsonRecord): boolean {
  return 'choices' in fields || 'usage' in fields || 'id' in fields || 'error' in fields;
}

/** Wraps an error that does not say so itself. */
function asError(fields: JsonRecord): JsonRecord {
  return fields['error'] == null ? { error: fields } : fields;
}

/** The text of a message and its refusal, both possibly in several parts. */
function contentOf({ content, refusal }: WireMessage): { text: string; refusal: string } {
  const said = { text: '', refusal: refusal ?? '' };
  if (typeof content === 'string') said.text = content;
  else {
    for (const part of content ?? []) {
      if (part.type === 'text') said.text += part.text ?? '';
      said.refusal += part.refusal ?? '';
    }
  }
  return said;
}
