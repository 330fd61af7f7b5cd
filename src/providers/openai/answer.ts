import { z } from 'zod';
import { EventReader, reasoningLeftOut } from '../shared/answer-reader.ts';
import { parseJsonText } from '../shared/body.ts';
import type { InnerError } from '../shared/failures.ts';
import type { SseEvent } from '../shared/sse.ts';
import type { Sent } from '../shared/unsupported.ts';
import {
  anything,
  asArray,
  asLabel,
  asRecord,
  jsonObject,
  label,
  list,
  text,
  type JsonRecord,
} from '../shared/wire.ts';
import type { FinishPart, FinishReason, TextPart, ReasoningPart } from '../spec.ts';
import { errorIn } from './errors.ts';
import { CallKeeper, type KeptCalls } from './kept-calls.ts';
import { readUsage } from './usage.ts';

const wireCompletion = z.object({ id: label, model: label, usage: anything, choices: list });

const wireToolCall = z.object({
  index: anything,
  id: label,
  extra_content: anything,
  function: z
    .object({
      name: label,
      /** JSON; some compatible servers send the object itself. */
      arguments: z.union([z.string(), jsonObject]).nullish(),
    })
    .nullish(),
});

const wireMessage = z.object({
  content: z
    .union([
      z.string(),
      z.array(z.object({ type: anything, text, refusal: text, thinking: anything })),
    ])
    .nullish(),
  refusal: z.string().nullish(),
  reasoning_content: text,
  reasoning: anything,
  reasoning_details: anything,
  tool_calls: z.array(wireToolCall).nullish(),
});
type WireMessage = z.output<typeof wireMessage>;

/** How a choice ended; OpenRouter reports an error of the upstream provider here. */
const choiceEnd = { finish_reason: label, error: anything };
type WireChoice = z.output<z.ZodObject<typeof choiceEnd>>;

const wireChoice = z.object({ ...choiceEnd, message: wireMessage });
const wireStreamChoice = z.object({ ...choiceEnd, delta: wireMessage.nullish() });

/** The fields that a choice with only text does not have. */
const otherChoiceFields = Object.keys(choiceEnd).filter((name) => name !== 'finish_reason');
const otherMessageFields = Object.keys(wireMessage.shape).filter((name) => name !== 'content');

/** OpenAI's finish reasons, and others that compatible servers pass on. */
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

const DONE = '[DONE]';

interface ChatSent extends Sent {
  /** A trait of the server, see `ServerTraits`; false if absent. */
  reasoningTokensInTotalAlone?: boolean;
  /** Absent: the server wants nothing back with the results of its calls. */
  kept?: KeptCalls | undefined;
}

/** Reads a chat completion, whole or from the chunks of a stream. */
export class ChunkReader extends EventReader<ChatSent> {
  readonly reasons = reasons;
  readonly #keeper = this.sent.kept && new CallKeeper(this.sent.kept);

  read({ event, data }: SseEvent): TextPart[] {
    if (data === DONE && event !== 'error') {
      this.done = true;
      return [];
    }
    // The fields outside the choices are read without a schema, which takes less time for each chunk.
    const chunk = asRecord(data === DONE ? {} : this.chunkIn(data));
    if (!chunk) throw this.malformed('a chunk is not an object');
    const isError = event === 'error' || !isChunk(chunk);
    this.throwError(errorIn(isError ? asError(chunk) : chunk));
    this.id ??= asLabel(chunk['id']);
    this.model ??= asLabel(chunk['model']);
    // Some servers report the usage so far with every chunk: the last report counts.
    const usage = readUsage(chunk['usage'], this.sent.reasoningTokensInTotalAlone);
    const isReported = usage.promptTokens !== null || usage.completionTokens !== null;
    const parts = isReported ? this.setUsage(usage) : [];
    const choices = asArray(chunk['choices'] ?? []);
    if (!choices) throw this.malformed('choices is not a list');
    if (choices.length === 0) return parts;
    const plain = this.#readPlain(choices[0], 'delta');
    if (plain) return parts.length === 0 ? plain : parts.concat(plain);
    const choice = this.check(wireStreamChoice, choices[0]);
    parts.push(...this.#readChoice(choice, choice.delta ?? {}));
    return parts;
  }

  protected chunkIn(data: string): unknown {
    return parseJsonText(data);
  }

  readWhole(body: unknown): TextPart[] {
    const { id, model, usage, choices } = this.check(wireCompletion, body);
    this.id = id;
    this.model = model;
    this.usage = readUsage(usage, this.sent.reasoningTokensInTotalAlone);
    this.done = true;
    const plain = this.#readPlain(choices?.[0], 'message');
    if (plain) return plain;
    const choice = this.check(wireChoice, choices?.[0]);
    return this.#readChoice(choice, choice.message);
  }

  /**
   * Reads a choice with only text, as nearly all are, without a schema: a schema takes most of the time that a chunk
   * needs (docs/decisions/2026-11-23-zod-at-the-providers-edge.md).
   * @returns undefined if there is more in it
   */
  #readPlain(choice: unknown, field: 'delta' | 'message'): TextPart[] | undefined {
    const fields = asRecord(choice);
    const message = asRecord(fields?.[field]);
    if (!fields || !message) return undefined;
    const reason = asLabel(fields['finish_reason']);
    const content = message['content'] ?? '';
    if (reason === 'error' || typeof content !== 'string') return undefined;
    for (const name of otherChoiceFields) if (fields[name] != null) return undefined;
    for (const name of otherMessageFields) if (message[name] != null) return undefined;
    this.rawFinishReason = reason ?? this.rawFinishReason;
    return this.addText(content);
  }

  #readChoice(choice: WireChoice, message: WireMessage): TextPart[] {
    this.throwError(errorOf(choice));
    this.rawFinishReason = choice.finish_reason ?? this.rawFinishReason;
    const contents = contentOf(message);
    if (contents.refusal !== '') this.refused = true;
    const parts = this.addText(contents.text);
    parts.unshift(...reasoningIn(message, contents.reasoning));
    this.#keeper?.addDetails(message.reasoning_details);
    message.tool_calls?.forEach((call, position) => {
      // The calls of a whole answer are complete: their positions identify them, whatever index they have.
      const key = typeof call.index === 'number' && !this.done ? call.index : position;
      const { name, arguments: input } = call.function ?? {};
      const json = typeof input === 'string' ? input : input ? JSON.stringify(input) : '';
      const id = this.#keeper ? this.#keeper.ownId(key, call.id, call.extra_content) : call.id;
      parts.push(this.toolCalls.add({ key, id, name, arguments: json }));
    });
    return parts;
  }

  override finish(): FinishPart {
    const part = super.finish();
    this.#keeper?.end();
    return part;
  }
}

/**
 * Reasoning that a message shows: in `reasoning_content` at DeepSeek and xAI, in `reasoning` at OpenRouter, Ollama and
 * vLLM. OpenRouter marks reasoning that is encrypted or summarised:
 * https://openrouter.ai/docs/use-cases/reasoning-tokens
 * @param inContent reasoning among the parts of the content
 */
function reasoningIn(message: WireMessage, inContent: string): ReasoningPart[] {
  const { reasoning_content: content, reasoning, reasoning_details: details } = message;
  const isLeftOut = asArray(details)?.some((detail) => {
    const type = asRecord(detail)?.['type'];
    return type === 'reasoning.encrypted' || type === 'reasoning.summary';
  });
  const shown = content || asText(reasoning) || inContent;
  if (isLeftOut) return [{ ...reasoningLeftOut, text: shown }];
  return shown === '' ? [] : [{ type: 'reasoning', text: shown }];
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Some frameworks send their own form of error instead of a chunk: it has none of these fields. */
function isChunk(fields: JsonRecord): boolean {
  return 'choices' in fields || 'usage' in fields || 'id' in fields || 'error' in fields;
}

/** Wraps an error that is not marked as one. */
function asError(fields: JsonRecord): JsonRecord {
  return fields['error'] == null ? { error: fields } : fields;
}

/**
 * OpenRouter reports an error in the choice if the upstream provider fails in the middle of an answer:
 * https://openrouter.ai/docs/api-reference/errors#mid-stream-error-handling
 */
function errorOf({ error, finish_reason: reason }: WireChoice): InnerError | undefined {
  if (error == null && reason !== 'error') return undefined;
  return errorIn({ error: error ?? 'the choice ended in an error' });
}

/** The text of a message, its refusal and Mistral's reasoning, each possibly in several parts. */
function contentOf({ content, refusal }: WireMessage) {
  const contents = { text: '', refusal: refusal ?? '', reasoning: '' };
  if (typeof content === 'string') contents.text = content;
  else {
    for (const part of content ?? []) {
      if (part.type === 'text') contents.text += part.text ?? '';
      contents.refusal += part.refusal ?? '';
      for (const chunk of asArray(part.thinking) ?? []) {
        contents.reasoning += asText(asRecord(chunk)?.['text']);
      }
    }
  }
  return contents;
}
