import { AnswerReader, wholeAnswer } from '../shared/answer-reader.ts';
import { parseJsonText } from '../shared/body.ts';
import type { Sent } from '../shared/converted.ts';
import { asArray, asLabel, asRecord, type JsonRecord } from '../shared/wire.ts';
import type { SseEvent } from '../shared/sse.ts';
import type { EventReader } from '../shared/text-stream.ts';
import type { FinishPart, FinishReason, TextAnswer, TextPart } from '../spec.ts';
import { throwErrorIn, throwErrorOf } from './errors.ts';
import { readUsage } from './usage.ts';
import {
  wireChoice,
  wireCompletion,
  wireStreamChoice,
  type WireChoice,
  type WireMessage,
} from './wire.ts';

/** OpenAI's words, and other words that compatible servers pass on. */
const reasons: ReadonlyMap<string, FinishReason> = new Map([
  ['stop', 'stop'],
  ['end_turn', 'stop'],
  ['eos', 'stop'],
  ['length', 'length'],
  ['max_tokens', 'length'],
  ['content_filter', 'content_filter'],
  ['tool_calls', 'tool_calls'],
  ['function_call', 'tool_calls'],
]);

/** @param callsTools several compatible servers report `stop` for an answer that calls tools */
export function finishReasonOf(raw: string | null, callsTools: boolean): FinishReason {
  const reason = (raw === null ? undefined : reasons.get(raw)) ?? 'other';
  return callsTools && reason === 'stop' ? 'tool_calls' : reason;
}

const DONE = '[DONE]';

/** What is needed of a converted request to read its answer. */
export interface ChatSent extends Sent {
  /** Traits of the server, see `ServerTraits`; false if absent. */
  thoughtsInTotalAlone?: boolean;
  wantsThoughts?: boolean;
}

/** Reads a chat completion, whole or from the chunks of a stream. */
export class ChunkReader extends AnswerReader implements EventReader {
  readonly #sent: ChatSent;

  /** @param secret the API key, kept out of the details of errors */
  constructor(sent: ChatSent, secret: string | undefined) {
    super(sent, secret);
    this.#sent = sent;
  }

  read({ event, data }: SseEvent): TextPart[] {
    if (data === DONE && event !== 'error') {
      this.done = true;
      return [];
    }
    // The fields outside the choices are read without a schema, which takes less time for each chunk.
    const chunk = asRecord(data === DONE ? {} : parseJsonText(data));
    if (!chunk) throw this.malformed('a chunk is not an object');
    const isError = event === 'error' || !isChunk(chunk);
    throwErrorIn(isError ? asError(chunk) : chunk, this.secret, this.usage);
    this.id ??= asLabel(chunk['id']);
    const parts: TextPart[] = [];
    // Some servers report the usage so far with every chunk: the last report counts.
    const usage = readUsage(chunk['usage'], this.#sent.thoughtsInTotalAlone);
    if (usage.promptTokens !== null || usage.completionTokens !== null) {
      this.usage = usage;
      parts.push({ type: 'usage', usage });
    }
    const choices = asArray(chunk['choices'] ?? []);
    if (!choices) throw this.malformed('choices is not a list');
    if (choices.length === 0) return parts;
    const choice = this.check(wireStreamChoice, choices[0]);
    parts.push(...this.#readChoice(choice, choice.delta ?? {}));
    return parts;
  }

  /** Reads the body of an answer that was not streamed. */
  readWhole(body: unknown): TextPart[] {
    const { id, usage, choices } = this.check(wireCompletion, body);
    this.id = id;
    this.usage = readUsage(usage, this.#sent.thoughtsInTotalAlone);
    const choice = this.check(wireChoice, choices?.[0]);
    this.done = true;
    return this.#readChoice(choice, choice.message);
  }

  #readChoice(choice: WireChoice, message: WireMessage): TextPart[] {
    throwErrorOf(choice, this.secret, this.usage);
    this.rawFinishReason = choice.finish_reason ?? this.rawFinishReason;
    const { text, refusal } = contentOf(message);
    if (refusal !== '') this.refused = true;
    if (this.#sent.wantsThoughts) this.thoughts += message.reasoning_content ?? '';
    const parts = this.addText(text);
    message.tool_calls?.forEach((call, position) => {
      // The calls of a whole answer are complete: their positions identify them, whatever index they have.
      const key = typeof call.index === 'number' && !this.done ? call.index : position;
      const { name, arguments: input } = call.function ?? {};
      const json = typeof input === 'string' ? input : input ? JSON.stringify(input) : '';
      parts.push(this.toolCalls.add({ key, id: call.id, name, arguments: json }));
    });
    return parts;
  }

  finish(): FinishPart {
    if (this.rawFinishReason === null && !this.done) {
      throw this.malformed('it ended before its end');
    }
    return this.end(finishReasonOf(this.rawFinishReason, this.toolCalls.any));
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
