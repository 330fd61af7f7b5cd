/**
 * What the gateway asks of a provider and gets back. A dialect is a folder of pure converters around
 * these types; it knows nothing of users, money or the database.
 */

/** One exchange before the present message, oldest first. */
export interface Exchange {
  request: string;
  response: string;
}

export interface TextRequest {
  /** The model's name at the provider. */
  model: string;
  systemPrompt: string;
  context: readonly Exchange[];
  message: string;
  maxOutputTokens: number;
  /** Absent: not sent to the provider. */
  temperature?: number | undefined;
  seed?: number | undefined;
  /** The caller's W3C trace context, passed on as it came. */
  traceparent?: string | undefined;
}

export interface ImageRequest {
  model: string;
  prompt: string;
  /** Absent: random; the provider may tell which it took. */
  seed?: number | undefined;
  traceparent?: string | undefined;
}

/** Absent is not zero: null is what the provider did not tell. */
export interface Usage {
  promptTokens: number | null;
  completionTokens: number | null;
  totalTokens: number | null;
}

/** One vocabulary for why an answer ended; `raw` keeps the provider's own word. */
export type FinishReason = 'stop' | 'length' | 'content_filter' | 'tool_calls' | 'other';

interface AnswerBase {
  /** The provider's own id of the answer, if it gave one. */
  providerMessageId: string | null;
  usage: Usage;
  finishReason: FinishReason;
  rawFinishReason: string | null;
  seed: number | null;
  /** What the provider could not take of the request, one sentence each. */
  warnings: string[];
}

export interface TextAnswer extends AnswerBase {
  text: string;
}

export interface ImageAnswer extends AnswerBase {
  bytes: Uint8Array;
  /** e.g. `image/png` */
  contentType: string;
}

/** A streamed answer: any number of `text`, then exactly one `finish`. A broken one throws. */
export type TextPart =
  { type: 'text'; text: string } | { type: 'finish'; answer: Omit<TextAnswer, 'text'> };

/**
 * Every call either returns or throws a `ProviderError`. `signal` aborts the call: the upstream
 * connection is closed within a second. Deadlines are the caller's.
 */
export interface Provider {
  generateText(request: TextRequest, signal: AbortSignal): Promise<TextAnswer>;
  streamText(request: TextRequest, signal: AbortSignal): AsyncIterable<TextPart>;
  generateImage(request: ImageRequest, signal: AbortSignal): Promise<ImageAnswer>;
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
  /** Anything else: an error status, a broken or incomprehensible answer. */
  | 'failed';

export interface ProviderErrorOptions {
  /** True when the provider may have begun work on the request: then it must not be sent again. */
  accepted: boolean;
  /** The provider's HTTP status, if it answered. */
  status?: number | undefined;
  retryAfterSeconds?: number | undefined;
  /** What the provider told of usage although it failed. */
  usage?: Usage | undefined;
  /** For logs alone: the provider's own short error text, cut, with the key taken out. */
  detail?: string | undefined;
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

  /** @param message safe to show to a caller: no key, no address, nothing of the provider's body */
  constructor(fault: ProviderFault, message: string, options: ProviderErrorOptions) {
    super(message, { cause: options.cause });
    this.fault = fault;
    this.accepted = options.accepted;
    this.status = options.status;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.usage = options.usage;
    this.detail = options.detail;
  }
}

/** How an operator set a provider up; secrets are already resolved. */
export interface ProviderSetup {
  code: string;
  kind: string;
  baseUrl: string | undefined;
  apiKey: string | undefined;
  /** For the whole call with the reading of its answer; fractions are fine. */
  timeoutSeconds: number;
}

export const noUsage: Usage = { promptTokens: null, completionTokens: null, totalTokens: null };
