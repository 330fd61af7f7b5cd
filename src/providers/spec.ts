/**
 * What the gateway asks of a provider and gets back. A dialect is a folder of pure converters around
 * these types; it knows nothing of users, money or the database.
 */
import type { StopSignal } from '../lib/stop-signal.ts';
import { recordOf, tokenCounts, type ReportedTokens } from '../lib/units.ts';
import type { Message, Tool, ToolCall, ToolChoice } from './conversation.ts';

export type { Message, Tool, ToolCall, ToolChoice, UserPart } from './conversation.ts';

export type ResponseFormat =
  | { type: 'text' }
  | { type: 'json_object' }
  | {
      type: 'json_schema';
      name: string;
      description?: string | undefined;
      schema: Readonly<Record<string, unknown>>;
      strict?: boolean | undefined;
    };

/** Providers know different steps, so the word is passed on, e.g. `none`, `low`, `medium`, `high`. */
export type ReasoningEffort = string;

interface RequestBase {
  /** The model's name at the provider. */
  model: string;
  /** The caller's W3C trace context, passed on as it came. */
  traceparent?: string | undefined;
  /**
   * What the provider can't take: true refuses the call with an `UnsupportedError` that names the field,
   * before anything is sent; otherwise it is left out and named in `warnings`. Where the answer would be
   * another one without it (messages, tools, a response format), it is always refused.
   */
  refuseUnsupported?: boolean | undefined;
}

/** Optional fields that are absent are not sent to the provider. */
export interface TextRequest extends RequestBase {
  /** Oldest first, at least one; what they mean together is the provider's to check. */
  messages: readonly Message[];
  maxOutputTokens: number;
  temperature?: number | undefined;
  topP?: number | undefined;
  seed?: number | undefined;
  /** Texts that end the answer and are not part of it. */
  stop?: readonly string[] | undefined;
  frequencyPenalty?: number | undefined;
  presencePenalty?: number | undefined;
  tools?: readonly Tool[] | undefined;
  toolChoice?: ToolChoice | undefined;
  /** False: at most one tool call an answer. */
  parallelToolCalls?: boolean | undefined;
  responseFormat?: ResponseFormat | undefined;
  reasoningEffort?: ReasoningEffort | undefined;
  /**
   * Whether breakpoints of the cache reach the provider: one that bills more for what it writes into its cache
   * than for what it reads must not be asked to, unless the caller pays for it.
   */
  cachePrompt?: boolean | undefined;
  /** An id of the end user for a provider's abuse control; changes no answer, so dropped where unknown. */
  user?: string | undefined;
}

export interface ImageRequest extends RequestBase {
  prompt: string;
  /** Absent: random; the provider may tell which it took. */
  seed?: number | undefined;
  /** e.g. `1024x1024` or `auto`, in the provider's own words. */
  size?: string | undefined;
  /** e.g. `high` or `hd`, in the provider's own words. */
  quality?: string | undefined;
}

export interface EmbeddingRequest extends RequestBase {
  /** At least one. */
  input: readonly string[];
  /** Length of the vectors, where a model leaves a choice. */
  dimensions?: number | undefined;
  user?: string | undefined;
}

/** A field that a provider may be unable to take; an interface maps it to its own name for it. */
export type RequestField = Exclude<
  keyof TextRequest | keyof ImageRequest | keyof EmbeddingRequest,
  'traceparent' | 'refuseUnsupported' | 'cachePrompt'
>;

/**
 * Token counts as the provider reported them; null: it did not report this one. Null and zero differ.
 *
 *   promptTokens      input tokens that the provider bills; GigaChat's free cached tokens are not among them
 *   cachedTokens      the prompt tokens that were read from the provider's cache
 *   cacheWriteTokens  the prompt tokens that were written to the provider's cache
 *   completionTokens  output tokens that the provider bills, reasoning included
 *   reasoningTokens   the completion tokens that are reasoning
 *
 * A charge is promptTokens and completionTokens at their prices. Where the model has a separate price for
 * cached, cache-write or reasoning tokens, these are subtracted from their total and charged at that price.
 */
export interface Usage extends ReportedTokens {
  /** What the call cost the operator, if the provider reports it. */
  providerCost?: ProviderCost | undefined;
}

/** Money as a provider told it. */
export interface ProviderCost {
  /** A decimal number, at least 0, as text. */
  amount: string;
  /** Null: the provider names none; it is the one that it bills in (OpenRouter: US dollars). */
  currency: 'RUB' | null;
}

/** Why an answer ended. */
export type FinishReason = 'stop' | 'length' | 'content_filter' | 'tool_calls' | 'other';

interface AnswerBase {
  /** The provider's own id of the answer, if it gave one. */
  providerMessageId: string | null;
  usage: Usage;
  finishReason: FinishReason;
  seed: number | null;
  /** What the provider could not take of the request, one sentence each. */
  warnings: string[];
}

export interface TextAnswer extends AnswerBase {
  /** Empty when the model only called tools. */
  text: string;
  toolCalls: ToolCall[];
  /** Which of the request's `stop` ended the answer; absent when none did, or the provider does not tell. */
  stopSequence?: string | undefined;
  /** What it thought before it called tools, where its provider wants that back with their results. */
  thoughts?: string | undefined;
}

export interface ImageAnswer extends AnswerBase {
  bytes: Uint8Array;
  /** e.g. `image/png` */
  contentType: string;
}

export interface EmbeddingAnswer {
  /** One for each of the first texts, in their order. */
  vectors: number[][];
  usage: Usage;
  warnings: string[];
}

/**
 * A piece of a tool call. Calls count from 0 in the order they begin. The first piece of a call carries
 * its id and its name, later ones only more of its arguments; pieces of several calls may alternate.
 */
export interface ToolCallPart {
  type: 'tool_call';
  index: number;
  id?: string | undefined;
  name?: string | undefined;
  /** Appended to what came before; often empty in the first piece. */
  arguments: string;
}

/**
 * A streamed answer: any number of `text`, `tool_call` and `usage`, then exactly one `finish`, whose
 * `toolCalls` are the calls put together; one without arguments stands there with `{}`. `usage` is what the
 * provider has told so far, for those who do not stay to the end. A broken stream throws.
 */
export type TextPart =
  { type: 'text'; text: string } | ToolCallPart | { type: 'usage'; usage: Usage } | FinishPart;

export interface FinishPart {
  type: 'finish';
  answer: Omit<TextAnswer, 'text'>;
}

/**
 * Every call either returns or throws a `ProviderError`. `signal` aborts the call: the upstream
 * connection is closed within a second. Deadlines are the caller's.
 */
export interface Provider {
  generateText(request: TextRequest, signal: StopSignal): Promise<TextAnswer>;
  /** Parts that came together are handed on together, at least one at a time. */
  streamText(request: TextRequest, signal: StopSignal): AsyncIterable<readonly TextPart[]>;
  generateImage(request: ImageRequest, signal: StopSignal): Promise<ImageAnswer>;
  /**
   * Absent: the dialect has no embeddings. Answers the first of the texts, at least one: as many as one call takes.
   * Whoever asks goes on with the rest.
   */
  embed?(request: EmbeddingRequest, signal: StopSignal): Promise<EmbeddingAnswer>;
}

/** How a call failed, as the gateway needs to tell it apart. */
export type ProviderFault =
  /** Nothing answered: refused, unresolvable, reset before an answer began. */
  | 'unreachable'
  /** The provider said that it is busy or limits us: 429, 503, 529. */
  | 'busy'
  /** No answer in time: the deadline, or the provider's own 408 or 504. */
  | 'timeout'
  /** The provider's safety system refused the content. */
  | 'content_refused'
  /** The provider can't take a field of the request; nothing was sent. Always an `UnsupportedError`. */
  | 'unsupported'
  /** Anything else: an error status, a broken or malformedAnswer answer. */
  | 'failed';

/** What a provider reports about a failure, without the key of the call. */
export interface ReportedFailure {
  /** One word each. */
  code?: string | undefined;
  type?: string | undefined;
  /** At most 300 characters. It may quote the request, so it is logged at the level `debug` only. */
  message?: string | undefined;
}

export interface ProviderErrorOptions {
  /** True when the provider may have begun work on the request: then it must not be sent again. */
  accepted: boolean;
  /** The provider's HTTP status, if it answered. */
  status?: number | undefined;
  retryAfterSeconds?: number | undefined;
  /** What the provider told of usage although it failed. */
  usage?: Usage | undefined;
  /** For the log alone: what went wrong on our side, without a word of the provider's. */
  detail?: string | undefined;
  /** For the log alone: what the provider reported; see `reportedFailure`. */
  reported?: ReportedFailure | undefined;
  cause?: unknown;
}

export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly fault: ProviderFault;
  readonly accepted: boolean;
  readonly status: number | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly usage: Usage | undefined;
  readonly detail: string | undefined;
  readonly reported: ReportedFailure | undefined;

  /** @param message safe to show to a caller: no key, no address, nothing of the provider's body */
  constructor(fault: ProviderFault, message: string, options: ProviderErrorOptions) {
    super(message, { cause: options.cause });
    this.fault = fault;
    this.accepted = options.accepted;
    this.status = options.status;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.usage = options.usage;
    this.detail = options.detail;
    this.reported = options.reported;
  }
}

/** A request has something that the provider has no way to say; see `refuseUnsupported`. */
export class UnsupportedError extends ProviderError {
  readonly field: RequestField;

  /** @param message one sentence, e.g. "This provider takes no seed." */
  constructor(field: RequestField, message: string) {
    super('unsupported', message, { accepted: false });
    this.field = field;
  }
}

export const noUsage: Usage = recordOf(
  tokenCounts,
  ({ count }) => count,
  () => null,
);
