/**
 * The interface of providers. A dialect is a folder of pure converters between these types and a provider's wire
 * format; it does not know users, money or the database.
 */
import type { ProviderRefusal } from '../lib/errors.ts';
import type { StopSignal } from '../lib/stop-signal.ts';
import { recordOf, tokenCounts, type ReportedTokens } from '../lib/units.ts';
import type { ReasoningBlock, ReasoningSeal, ToolCall } from './conversation.ts';
import type {
  EmbeddingRequest,
  ImageEditRequest,
  ImageRequest,
  RequestField,
  SpeechRequest,
  TextRequest,
  TranscriptionRequest,
} from './requests.ts';

export type {
  AnswerPlace,
  FilePart,
  Message,
  ReasoningBlock,
  ReasoningMode,
  ReasoningSeal,
  Tool,
  ToolCall,
  ToolChoice,
  UserPart,
} from './conversation.ts';
export { speechTypes } from './requests.ts';
export type {
  EmbeddingRequest,
  GivenImage,
  ImageEditRequest,
  ImageRequest,
  ReasoningEffort,
  RequestField,
  ResponseFormat,
  SentFile,
  SpeechFormat,
  SpeechRequest,
  TextRequest,
  TranscriptionRequest,
} from './requests.ts';

/**
 * Token counts as the provider reported them; null: it did not report this count. Null and zero differ. `lib/units.ts`
 * says what each count means, and which are parts of others. `promptTokens` and `completionTokens` are all that the
 * provider bills: GigaChat's free cached tokens are not among them, reasoning is.
 */
export interface Usage extends ReportedTokens {
  /** What the call cost the operator, if the provider reports it. */
  providerCost?: ProviderCost | undefined;
}

export interface ProviderCost {
  /** A decimal number of at least 0, as text. */
  amount: string;
  /** Null: not reported; it is the currency in which the provider bills (OpenRouter: US dollars). */
  currency: 'RUB' | null;
}

export type FinishReason = 'stop' | 'length' | 'content_filter' | 'tool_calls' | 'other';

interface AnswerBase {
  /** The provider's id of the answer, if there is one. */
  providerMessageId: string | null;
  /** The provider's name for the model that answered, such as its dated name; absent: not reported. */
  answeringModel?: string | undefined;
  usage: Usage;
  finishReason: FinishReason;
  seed: number | null;
  /** Settings of the request that the provider does not support, one sentence each. */
  warnings: string[];
}

export interface TextAnswer extends AnswerBase {
  /** Empty if the model only called tools. */
  text: string;
  toolCalls: ToolCall[];
  /** The stop sequence that ended the answer; absent if none did, or the provider does not report it. */
  stopSequence?: string | undefined;
  /** The model's reasoning, as far as the provider shows it or wants it back. */
  reasoning?: ReasoningBlock[] | undefined;
  /** True for an answer that was not streamed and has reasoning that is not known to be incomplete. */
  showsReasoning?: boolean | undefined;
  /**
   * Each answer; only if several answers or log probabilities were requested. Then `text` joins the texts of all, and
   * `toolCalls` has the calls of all.
   */
  choices?: TextChoice[] | undefined;
}

/** One of several answers to a request. */
export interface TextChoice {
  text: string;
  toolCalls: ToolCall[];
  reasoning?: ReasoningBlock[] | undefined;
  finishReason: FinishReason;
  /** In the provider's form. */
  logprobs: unknown;
}

/** The speech in an audio file, as its provider reports it. */
export interface Transcript {
  language: string | null;
  /** Seconds. */
  duration: number | null;
  segments: TimedText[] | null;
  /** In the provider's form. */
  words: unknown[] | null;
}

/** A piece of a transcript, in seconds from the start, with whatever else the provider reports about it. */
export interface TimedText {
  start: number;
  end: number;
  text: string;
}

export interface TranscriptAnswer extends TextAnswer {
  transcript: Transcript;
}

export interface ImageAnswer extends AnswerBase {
  bytes: Uint8Array;
  /** e.g. `image/png` */
  contentType: string;
}

export interface EmbeddingAnswer {
  /** For the first texts, in order. */
  vectors: number[][];
  answeringModel?: string | undefined;
  usage: Usage;
  warnings: string[];
}

/**
 * A piece of a tool call. Calls are numbered from 0 in the order in which they begin. The first piece of a call has
 * its id and name, later ones only more of its arguments. Pieces of several calls may alternate.
 */
export interface ToolCallPart {
  type: 'tool_call';
  index: number;
  id?: string | undefined;
  name?: string | undefined;
  /** To be appended to the earlier pieces; often empty in the first one. */
  arguments: string;
}

/** A piece of the model's reasoning before or between the parts of its answer. It is billed as output. */
export interface ReasoningPart {
  type: 'reasoning';
  /** To be appended to the reasoning block; often empty. */
  text: string;
  /**
   * True if this is not all of the reasoning: the text is a summary, or the provider shows nothing. Then the reasoning
   * can't be counted.
   */
  isPartial?: true | undefined;
  /** Ends the block. */
  seal?: ReasoningSeal | undefined;
}

/**
 * A part of a streamed answer: any number of `text`, `tool_call`, `reasoning` and `usage`, then exactly one `finish`,
 * which has the complete tool calls; a call without arguments has `{}`. `usage` has the counts so far, for consumers
 * that leave early. A broken stream throws.
 */
export type TextPart =
  | { type: 'text'; text: string }
  | ToolCallPart
  | ReasoningPart
  | { type: 'usage'; usage: Usage }
  | FinishPart;

export interface FinishPart {
  type: 'finish';
  answer: Omit<TextAnswer, 'text'>;
}

/**
 * Every call either returns or throws a `ProviderError`. `signal` aborts the call and closes its connection within a
 * second. The caller sets deadlines. An optional method is absent where the dialect has no such call.
 */
export interface Provider {
  generateText(request: TextRequest, signal: StopSignal): Promise<TextAnswer>;
  /** Parts that arrive together are in one list, which is never empty. */
  streamText(request: TextRequest, signal: StopSignal): AsyncIterable<readonly TextPart[]>;
  generateImage?(request: ImageRequest, signal: StopSignal): Promise<ImageAnswer>;
  editImage?(request: ImageEditRequest, signal: StopSignal): Promise<ImageAnswer>;
  /** Embeds as many of the first texts as fit into one call, at least one; the caller calls again with the others. */
  embed?(request: EmbeddingRequest, signal: StopSignal): Promise<EmbeddingAnswer>;
  /** Speaks a text. @returns the audio */
  speak?(request: SpeechRequest, signal: StopSignal): Promise<ImageAnswer>;
  transcribe?(request: TranscriptionRequest, signal: StopSignal): Promise<TranscriptAnswer>;
  /** True if `embed` sends token numbers as they are. Other providers are sent the texts. */
  readonly takesTokens?: boolean;
  /** The scheme, host and port of the last call, for kinds whose address is not in the catalogue. */
  readonly lastOrigin?: string | undefined;
}

/** The kinds of failures that the gateway treats differently. */
export type ProviderFault =
  /** No answer: connection refused, name not resolved, connection reset before an answer began. */
  | 'unreachable'
  /** The provider is busy or limits our calls: 429, 503, 529. */
  | 'busy'
  /** No answer in time: the deadline passed, or the provider answered 408 or 504. */
  | 'timeout'
  /** The provider's safety system refused the content. */
  | 'content_refused'
  /** The provider does not support a field of the request; nothing was sent. Always an `UnsupportedError`. */
  | 'unsupported'
  /** The provider knows no such model, or nothing exists at its address: the operator has to correct the catalogue. */
  | 'not_found'
  /** Anything else: an error status, a broken or malformed answer. */
  | 'failed';

/** What a provider reports about a failure, without the key of the call. */
export interface ReportedFailure {
  /** One word each. */
  code?: string | undefined;
  type?: string | undefined;
  /**
   * At most 300 characters, which may quote the request: logged only at `debug`. Callers see it through `refusalOf`.
   */
  message?: string | undefined;
}

export interface ProviderErrorOptions {
  /** True if the provider may have begun work on the request: then it must not be sent again. */
  accepted: boolean;
  /** The provider's HTTP status, if it answered. */
  status?: number | undefined;
  retryAfterSeconds?: number | undefined;
  /** The usage that the provider reported despite the failure. */
  usage?: Usage | undefined;
  /** Only for the log: what went wrong on our side, without any text of the provider. */
  detail?: string | undefined;
  /** Only for the log: what the provider reported; see `reportedFailure`. */
  reported?: ReportedFailure | undefined;
  /** What is wrong with the request, if that is why the provider refused it. */
  refusal?: ProviderRefusal | undefined;
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
  readonly refusal: ProviderRefusal | undefined;

  /** @param message safe to show to a caller: no key, no address, no part of the provider's body */
  constructor(fault: ProviderFault, message: string, options: ProviderErrorOptions) {
    super(message, { cause: options.cause });
    this.fault = fault;
    this.accepted = options.accepted;
    this.status = options.status;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.usage = options.usage;
    this.detail = options.detail;
    this.reported = options.reported;
    this.refusal = options.refusal;
  }
}

/** The provider does not support a field of the request; see `refuseUnsupported`. */
export class UnsupportedError extends ProviderError {
  readonly field: RequestField;

  /**
   * @param message one sentence: "This provider does not support seeds." @param cause if it is a `DomainError`, callers
   * get it instead
   */
  constructor(field: RequestField, message: string, cause?: unknown) {
    super('unsupported', message, { accepted: false, cause });
    this.field = field;
  }
}

export const noUsage: Usage = recordOf(tokenCounts, 'count', () => null);
