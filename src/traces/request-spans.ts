import {
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Tracer,
} from '@opentelemetry/api';
import type {
  AttemptSpan,
  CalledProvider,
  EndedAttempt,
  EndedRequest,
  RequestSpans,
  SettledSend,
  Step,
} from '../lib/spans.ts';
import {
  attemptAttributes,
  attemptEnd,
  failureOf,
  operationOf,
  requestEnd,
  settleAttributes,
  textAttributes,
} from './attributes.ts';

export interface SpanChoices {
  /** Whether a trace continues the caller's trace. */
  fromCallers: boolean;
  toProviders: boolean;
  texts: boolean;
}

/** The spans of one request: its own, and below it a span for each step and each attempt. */
export class SpansOfRequest implements RequestSpans {
  readonly #tracer: Tracer;
  readonly #choices: SpanChoices;
  readonly #root: Span;
  readonly #context: Context;
  /** The step that is running. */
  #step: Span | undefined;
  /** A span that never ends is never exported, so spans of requests that send nothing are not. */
  #isSend = false;
  #operation = operationOf('room');
  /** The provider's name for the model that answered. */
  #answeringModel: string | undefined;

  constructor(tracer: Tracer, choices: SpanChoices, { method, headers }: Request) {
    this.#tracer = tracer;
    this.#choices = choices;
    const caller = choices.fromCallers ? contextOf(headers.get('traceparent')) : ROOT_CONTEXT;
    this.#root = tracer.startSpan(method, { kind: SpanKind.SERVER }, caller);
    this.#context = trace.setSpan(caller, this.#root);
  }

  enter(step: Step): void {
    this.#isSend = true;
    this.#step = this.#tracer.startSpan(step, {}, this.#context);
  }

  leave(): void {
    this.#step?.end();
    this.#step = undefined;
  }

  requests(kind: string, model: string): void {
    this.#operation = operationOf(kind);
    this.#root.setAttributes({
      'gen_ai.operation.name': this.#operation,
      'gen_ai.request.model': model,
    });
  }

  attempt(provider: CalledProvider, model: string, isStream: boolean): AttemptSpan {
    const attributes = {
      ...attemptAttributes(provider, this.#operation, model),
      'gen_ai.request.stream': isStream || undefined,
    };
    const options = { kind: SpanKind.CLIENT, attributes };
    const span = this.#tracer.startSpan(`${this.#operation} ${model}`, options, this.#context);
    return {
      traceparent: this.#choices.toProviders ? traceparentOf(span) : undefined,
      end: (ended: EndedAttempt) => {
        this.#answeringModel = ended.answer?.answeringModel;
        close(span, attemptEnd(ended), failureOf(ended.outcome));
      },
    };
  }

  answeredBy(model: string): void {
    this.#root.setAttributes({ 'gen_ai.response.model': this.#answeringModel ?? model });
  }

  settled(end: SettledSend): void {
    if (this.#choices.texts) this.#root.setAttributes(textAttributes(end.texts));
    this.#step?.setAttributes(settleAttributes(end));
    // If the answer failed, it was still settled successfully.
    this.leave();
  }

  end(facts: EndedRequest, status: number): void {
    if (!this.#isSend) return;
    const failure = failureOf(facts.outcome);
    if (this.#step) close(this.#step, { 'error.type': failure }, failure);
    if (facts.route !== undefined) this.#root.updateName(`${facts.method} ${facts.route}`);
    close(this.#root, requestEnd(facts, status), failure);
  }
}

function close(span: Span, attributes: Attributes, failure: string | undefined): void {
  span.setAttributes(attributes);
  if (failure !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: failure });
  span.end();
}

/** The caller's trace, if the header has the form of version 00. */
function contextOf(traceparent: string | null): Context {
  const [, traceId, spanId, flags = ''] = traceparentPattern.exec(traceparent ?? '') ?? [];
  if (traceId === undefined || spanId === undefined) return ROOT_CONTEXT;
  const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}

const traceparentPattern =
  /^(?!ff)[0-9a-f]{2}-((?!0{32})[0-9a-f]{32})-((?!0{16})[0-9a-f]{16})-([0-9a-f]{2})$/;

function traceparentOf(span: Span): string {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}
