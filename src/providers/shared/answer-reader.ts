import type { z } from 'zod';
import {
  type FinishPart,
  type FinishReason,
  noUsage,
  type ProviderError,
  type TextAnswer,
  type TextChoice,
  type TextPart,
  type ReasoningPart,
  type ToolCall,
  type ToolCallPart,
  type Usage,
} from '../spec.ts';
import { acceptedFailure, contentRefused, malformedAnswer, type InnerError } from './failures.ts';
import type { Secrets } from './reported-failure.ts';
import type { SseEvent } from './sse.ts';
import { ReasoningBuilder } from './reasoning.ts';
import type { Sent } from './unsupported.ts';
import { readWire, storable } from './wire.ts';

/** The part for reasoning that a provider does not show. */
export const reasoningLeftOut: ReasoningPart = { type: 'reasoning', text: '', isPartial: true };

/** Collects one text answer, whole or streamed. */
export class AnswerReader<Request extends Sent = Sent> {
  id: string | null = null;
  /** The provider's name for the model that answered; null if it gives none. */
  model: string | null = null;
  usage = noUsage;
  stopSequence: string | undefined;
  /** True once the answer contains a refusal of the model. */
  refused = false;
  readonly toolCalls = new ToolCalls();
  /** The parts of the request that are needed to read its answer. */
  protected readonly sent: Request;
  #hasText = false;
  /** The first half of a character that a server split between two deltas, as a surrogate pair. */
  #half = '';

  constructor(sent: Request) {
    this.sent = sent;
  }

  /** @throws ProviderError `failed` with the usage so far if the value does not match the schema */
  check<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
    return readWire(schema, value, this.usage);
  }

  /** @returns the storable text as a part; nothing while it is empty */
  addText(delta: string): TextPart[] {
    if (delta === '') return [];
    this.#hasText = true;
    const all = this.#half === '' ? delta : this.#half + delta;
    const last = all.charCodeAt(all.length - 1);
    const endsInHalf = last >= 0xd800 && last <= 0xdbff;
    this.#half = endsInHalf ? all.slice(-1) : '';
    const text = storable(endsInHalf ? all.slice(0, -1) : all);
    return text === '' ? [] : [{ type: 'text', text }];
  }

  /** Replaces the usage so far. @returns it as a part; nothing if the provider did not report it */
  setUsage(usage: Usage | undefined): TextPart[] {
    if (!usage) return [];
    this.usage = usage;
    return [{ type: 'usage', usage }];
  }

  /** @throws ProviderError `content_refused` with the usage if the safety system left no answer */
  end(finishReason: FinishReason): FinishPart {
    const { id, model, usage, stopSequence, toolCalls } = this;
    const isEmpty = !this.#hasText && !toolCalls.any;
    if (isEmpty && (this.refused || finishReason === 'content_filter')) {
      throw contentRefused({ usage });
    }
    const answer: FinishPart['answer'] = {
      toolCalls: toolCalls.all,
      providerMessageId: id,
      usage,
      finishReason,
      seed: this.sent.seed,
      warnings: this.sent.warnings,
    };
    if (model !== null) answer.answeringModel = model;
    if (stopSequence !== undefined) answer.stopSequence = stopSequence;
    return { type: 'finish', answer };
  }

  /** The error for an answer that breaks the rules of its dialect, with the usage so far. */
  malformed(problem: string): ProviderError {
    return malformedAnswer(problem, { usage: this.usage });
  }
}

/** Converts the events of one streamed answer to parts, or the body of a whole one. Each dialect has its own. */
export abstract class EventReader<Request extends Sent = Sent> extends AnswerReader<Request> {
  /** True after the dialect's last event: later events are not part of the answer. */
  done = false;
  /** The provider's own finish reason. */
  rawFinishReason: string | null = null;
  protected readonly secret: Secrets;
  /** The provider's finish reasons; any other is `other`. */
  protected abstract readonly reasons: ReadonlyMap<string, FinishReason>;

  /** @param secret of the call; removed from the errors that are reported */
  constructor(sent: Request, secret: Secrets) {
    super(sent);
    this.secret = secret;
  }

  /**
   * @returns what the event adds to the answer, often nothing
   * @throws ProviderError for an event that reports an error, or a malformed one
   */
  abstract read(event: SseEvent): TextPart[];

  /** Reads the body of an answer that was not streamed. @throws ProviderError as `read` does */
  protected abstract readWhole(body: unknown): TextPart[];

  /**
   * Converts the body of an answer that was not streamed.
   * @throws ProviderError `content_refused` with the usage if the safety system left no answer; `failed` if the body is
   * not an answer of this dialect
   */
  whole(body: unknown): TextAnswer {
    return wholeAnswer(this.readWhole(body), this.finish());
  }

  /**
   * Ends the stream.
   * @throws ProviderError `failed` if it broke off before its end; `content_refused` with the usage if the safety
   * system left no answer
   */
  finish(): FinishPart {
    const raw = this.rawFinishReason;
    if (raw === null && !this.done) throw this.malformed('it ended before its end');
    const reason = (raw === null ? undefined : this.reasons.get(raw)) ?? 'other';
    // Several servers report `stop` for an answer that calls tools.
    return this.end(reason === 'stop' && this.toolCalls.any ? 'tool_calls' : reason);
  }

  /** @throws ProviderError for an error that the answer reports despite its status 200 */
  protected throwError(error: InnerError | undefined): void {
    if (error) throw acceptedFailure(error, this.secret, this.usage);
  }
}

/** The texts of several answers as one, for code that handles only one: history, estimates, counts. */
export function joinedText(choices: readonly TextChoice[]): string {
  return choices
    .map(({ text }) => text)
    .filter((text) => text !== '')
    .join('\n\n');
}

/** The answer of a call that was not streamed, from the parts that its reader found. */
export function wholeAnswer(parts: readonly TextPart[], { answer }: FinishPart): TextAnswer {
  const whole: TextAnswer = Object.assign(answer, { text: '' });
  const reasoning = new ReasoningBuilder();
  let calls = 0;
  for (const part of parts) {
    if (part.type === 'text') whole.text += part.text;
    else if (part.type === 'tool_call') calls = Math.max(calls, part.index + 1);
    else if (part.type === 'reasoning') {
      reasoning.add(part, { text: whole.text.length, calls });
      if (!part.isPartial) whole.showsReasoning = true;
    }
  }
  if (reasoning.all.length > 0) whole.reasoning = reasoning.all;
  return whole;
}

/** The most tool calls of one answer; a model that makes more is stuck in a loop. */
const TOOL_CALLS_MAX = 1_024;

interface ToolCallPiece {
  /** The provider's number or name of the call: pieces with the same key belong together. */
  key: string | number;
  id?: string | null | undefined;
  name?: string | null | undefined;
  arguments: string;
}

/**
 * Assembles tool calls from their pieces. Calls are numbered from 0 in the order in which they begin, whatever
 * numbers the provider uses. A call without an id, as some compatible servers send it, gets a new one.
 */
export class ToolCalls {
  readonly #calls: ToolCall[] = [];
  /** Positions in `#calls`. */
  readonly #byKey = new Map<string | number, number>();

  /** @throws ProviderError `failed` if a call begins without a name */
  add(piece: ToolCallPiece): ToolCallPart {
    const text = storable(piece.arguments);
    const id = piece.id ?? null;
    const index = this.#byKey.get(piece.key);
    const call = index === undefined ? undefined : this.#calls[index];
    // Servers that number every call 0 distinguish calls only by their ids.
    if (index === undefined || !call || (id !== null && id !== call.id)) {
      return this.#begin(piece, id, text);
    }
    call.arguments += text;
    return { type: 'tool_call', index, arguments: text };
  }

  #begin({ key, name }: ToolCallPiece, providerId: string | null, text: string): ToolCallPart {
    if (!name) throw malformedAnswer('a tool call has no name');
    const index = this.#calls.length;
    if (index >= TOOL_CALLS_MAX) throw malformedAnswer('it has too many tool calls');
    const id = providerId ?? newCallId();
    this.#byKey.set(key, index);
    this.#calls.push({ id, name, arguments: text });
    return { type: 'tool_call', index, id, name, arguments: text };
  }

  /** The calls so far. A call without arguments gets an empty object. */
  get all(): ToolCall[] {
    return this.#calls.map((call) => ({ ...call, arguments: call.arguments || '{}' }));
  }

  get any(): boolean {
    return this.#calls.length > 0;
  }
}

/** An id for a call that the provider gave none. The client returns it with the result. */
export function newCallId(): string {
  return `call_${crypto.randomUUID().replaceAll('-', '')}`;
}

/** Whether `newCallId` made the id. */
export function isOwnCallId(id: string): boolean {
  return /^call_[\da-f]{32}$/.test(id);
}
