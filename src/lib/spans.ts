/**
 * What a request reports about itself while it runs, for its trace. `src/traces` turns it into OpenTelemetry's spans
 * and names them. Without traces, requests have no `RequestSpans`, and each report costs one check for undefined.
 */

/** A step of the gateway's own work. A request takes the steps one after the other. */
export type Step = 'authenticate' | 'hold' | 'settle';

export interface Traces {
  /** Begins the trace of a request. It is exported only if the request is a send. */
  begin(request: Request): RequestSpans;
  /** Spans that could not be exported since the start. */
  readonly lost: number;
  /** Exports waiting spans, within a time limit, and ends. */
  close(): Promise<void>;
}

export interface RequestSpans extends CallSpans {
  /** Begins a step. A step that is still running at the end of the request failed with the request. */
  enter(step: Step): void;
  /** Ends the running step. */
  leave(): void;
  /** Records what is sent. @param kind of the send @param model its name at the provider */
  requests(kind: string, model: string): void;
  /** Records which model answered. @param model its name in the catalogue, for providers that do not report one */
  answeredBy(model: string): void;
  /** Ends the step `settle`. */
  settled(end: SettledSend): void;
  /** Call it when the request is over, including its stream. @param status of the answer */
  end(facts: EndedRequest, status: number): void;
}

export interface SettledSend {
  messageId: number;
  /** Micro-rubles. */
  charged: number;
  /** `done`, `stopped`, `lost` or an error code. */
  outcome: string;
  usage: TokenCounts;
  /** Exported only if the operator asks for texts. */
  texts: { systemPrompt: string; request: string; response: string };
}

/** Facts about a request that the access log also has. */
export interface EndedRequest {
  readonly requestId: string;
  readonly method: string;
  readonly route: string | undefined;
  readonly userId: number | undefined;
  readonly messageId: number | undefined;
  readonly modelId: number | undefined;
  readonly charged: number | undefined;
  readonly outcome: string | undefined;
}

/** The calls to providers that a request makes. */
export interface CallSpans {
  /**
   * Begins an attempt. @param model its name at the provider @param isStream whether the provider streams its answer
   */
  attempt(provider: CalledProvider, model: string, isStream: boolean): AttemptSpan;
}

export interface CalledProvider {
  code: string;
  /** Undefined: only known after the call. */
  baseUrl: string | undefined;
}

export interface AttemptSpan {
  /** The W3C trace context for the provider, instead of the caller's; undefined: the operator wants none sent. */
  readonly traceparent: string | undefined;
  end(end: EndedAttempt): void;
}

export interface EndedAttempt {
  /** `ok`, `stopped` or the reason of the failure. */
  outcome: string;
  /** The provider's HTTP status, if it answered with an error. */
  status: number | null;
  usage: TokenCounts | null;
  /** Undefined if there is no answer, or only a part of one. */
  answer?: EndedAnswer | undefined;
  /** Milliseconds from the attempt's begin to the first part of a stream. */
  firstPartMs?: number | undefined;
  /** The address of the call, for kinds that only know it afterwards. */
  baseUrl?: string | undefined;
}

export interface EndedAnswer {
  /** The provider's name for the model that answered. */
  answeringModel?: string | undefined;
  providerMessageId?: string | null;
  finishReason?: string;
  /** Set if there are several answers to a request. */
  choices?: readonly { finishReason: string }[] | undefined;
}

/** Null: not reported. */
export interface TokenCounts {
  promptTokens: number | null;
  completionTokens: number | null;
  cachedTokens: number | null;
  cacheWriteTokens: number | null;
  reasoningTokens: number | null;
}

/** The request with another trace context, if there is one. */
export function withTraceparent<Request extends { traceparent?: string | undefined }>(
  request: Request,
  traceparent: string | undefined,
): Request {
  return traceparent === undefined ? request : { ...request, traceparent };
}
