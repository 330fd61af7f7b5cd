import type { StopSignal } from '../../lib/stop-signal.ts';
import { modelAt, type Catalogue, type CatalogueModel } from '../../catalogue/index.ts';
import {
  acceptedOf,
  ProviderError,
  type Attempt,
  type PoolStream,
  type ProviderPool,
  type TextPart,
} from '../../providers/index.ts';
import { assert } from '../../lib/errors.ts';
import { TokenBudget } from '../context/context.ts';
import type { ModelContent } from './kinds/kind.ts';
import type { HeldSend } from './sender-parts.ts';
import { checkOffers, isTextSend, kindOf, takesTemperature, type SendInput } from './send-input.ts';

export interface ModelCall {
  held: Pick<
    HeldSend,
    'userId' | 'askedAt' | 'model' | 'input' | 'context' | 'outputTokensMax' | 'admitted'
  >;
  signal: StopSignal;
  /** Called before each request to a provider. */
  onSent?: (() => void) | undefined;
}

export interface ModelAnswer {
  /** The model that answered. */
  served: CatalogueModel;
  answer: ModelContent;
  /** All attempts, also of the models that failed before. */
  attempts: readonly Attempt[];
}

/** What code that may stop a stream knows about the call of its model. */
export interface StreamingCall {
  model: CatalogueModel;
  stream: PoolStream;
}

export interface StreamCall extends ModelCall {
  /** Aborted when the client has left: then no other model is called. */
  left: StopSignal;
  /** Called before each model is called. */
  onCall: (call: StreamingCall) => void;
  /** Gets the parts that come before any content. @returns true if the stream is open with these */
  opens: (parts: readonly TextPart[]) => boolean;
}

/** An open stream: from here on there are no fallbacks. */
export interface OpenedStream {
  served: CatalogueModel;
  first: readonly TextPart[];
  rest: AsyncGenerator<readonly TextPart[]>;
  /** All attempts so far; complete once the stream has ended. */
  attempts: () => readonly Attempt[];
}

export class CallFailure extends Error {
  override readonly name = 'CallFailure';
  /** The `ProviderError` of the requested model, or any other error that was thrown. */
  readonly error: unknown;
  /** The model that was called last. */
  readonly served: CatalogueModel;
  readonly attempts: readonly Attempt[];

  constructor(error: unknown, served: CatalogueModel, attempts: readonly Attempt[]) {
    super('no model has answered', { cause: error });
    this.error = error;
    this.served = served;
    this.attempts = attempts;
  }

  /** True if no request has left the gateway, so that nothing is owed. */
  get isUnsent(): boolean {
    return this.error instanceof ProviderError && !this.error.accepted;
  }
}

/**
 * Calls the requested model and, if it fails, its fallbacks in their order.
 * @throws CallFailure with the first model's failure, which says most about the request: `accepted` if any model may
 * have begun work
 */
export async function callModels(
  catalogue: Catalogue,
  providers: ProviderPool,
  call: ModelCall,
): Promise<ModelAnswer> {
  const { held, signal } = call;
  const { input, context, outputTokensMax } = held;
  const kind = kindOf(input);
  const failed = new FailedModels(catalogue, call);
  for (let model = held.model; ;) {
    const setup = catalogue.providerSetup(model.provider);
    const end = setup
      ? await providers.call(
          setup,
          kind.work({ model, input, context, outputTokensMax }),
          signal,
          watchOf(call, model),
        )
      : notSetUp(catalogue, providers, model);
    if (!end.error) {
      return { served: model, answer: end.answer, attempts: failed.with(end.attempts) };
    }
    model = await failed.next(model, end.error, end.attempts);
  }
}

/**
 * Opens a stream of text from the requested model or, if it fails before its first part, from a fallback.
 * @throws CallFailure as `callModels` does
 */
export async function openStream(
  catalogue: Catalogue,
  providers: ProviderPool,
  call: StreamCall,
): Promise<OpenedStream> {
  const { held, signal, left } = call;
  const { input, context, outputTokensMax } = held;
  const failed = new FailedModels(catalogue, call, left);
  for (let model = held.model; ;) {
    const setup = catalogue.providerSetup(model.provider);
    if (!setup) {
      const { error, attempts } = notSetUp(catalogue, providers, model);
      model = await failed.next(model, error, attempts);
      continue;
    }
    const request = kindOf(input).textRequest?.({ model, input, context, outputTokensMax });
    assert(request, 'only a text is streamed');
    const rest = providers.streamText(setup, request, signal, left, watchOf(call, model));
    call.onCall({ model, stream: rest });
    try {
      const first = await firstParts(rest, call.opens);
      const attempts = () => failed.with(rest.attempts);
      return { served: model, first, rest, attempts };
    } catch (error) {
      model = await failed.next(model, error, rest.attempts);
    }
  }
}

/** The parts up to the first that opens the stream. */
async function firstParts(
  stream: AsyncGenerator<readonly TextPart[]>,
  opens: StreamCall['opens'],
): Promise<readonly TextPart[]> {
  for (;;) {
    const { done, value } = await stream.next();
    if (done) {
      throw new ProviderError('failed', 'the provider sent an empty stream', { accepted: true });
    }
    if (opens(value)) return value;
  }
}

function notSetUp(
  catalogue: Catalogue,
  providers: ProviderPool,
  { provider, model, id }: CatalogueModel,
) {
  return providers.notSetUp(provider, model, catalogue.whyUnusable(provider), id);
}

/** The callbacks of a call to a model. */
const watchOf = ({ held, onSent }: ModelCall, { id }: CatalogueModel) => ({
  spans: held.input.trace.spans,
  onSent,
  modelId: id,
});

/** The models of one call that have failed; chooses which one is called next. */
class FailedModels {
  readonly #call: ModelCall;
  /** Aborted when nobody waits for an answer any more. */
  readonly #left: StopSignal;
  readonly #catalogue: Catalogue;
  #attempts: readonly Attempt[] = [];
  #first: ProviderError | undefined;
  /** True if one of them may have begun work. */
  #begun = false;
  /** The largest input limit of the models for which the input was too long; 0 if there were none. */
  #tooLongFor = 0;
  /** How many fallbacks were called or skipped. */
  #tried = 0;

  constructor(catalogue: Catalogue, call: ModelCall, left: StopSignal = call.signal) {
    this.#catalogue = catalogue;
    this.#call = call;
    this.#left = left;
  }

  /** Their attempts, followed by those of the model that was called after them. */
  with(attempts: readonly Attempt[]): readonly Attempt[] {
    return this.#attempts.length === 0 ? attempts : [...this.#attempts, ...attempts];
  }

  /**
   * Content that one provider refused is not sent to others. Neither is a request that the requested model does not
   * support, or that its provider refused as wrong: the caller has to change it. An input that was too long for a model
   * goes to a fallback with a larger limit.
   * @returns the fallback to call next
   * @throws CallFailure when there is none
   */
  async next(
    served: CatalogueModel,
    error: unknown,
    attempts: readonly Attempt[],
  ): Promise<CatalogueModel> {
    this.#attempts = this.with(attempts);
    const { signal } = this.#call;
    const isOver = (): boolean => signal.aborted || this.#left.aborted;
    if (!(error instanceof ProviderError)) throw new CallFailure(error, served, this.#attempts);
    this.#first ??= error;
    this.#begun ||= error.accepted;
    const failure = (cause: ProviderError) =>
      new CallFailure(this.#begun ? acceptedOf(cause) : cause, served, this.#attempts);
    const { refusal, fault } = error;
    if (refusal?.tooLong) this.#tooLongFor = Math.max(this.#tooLongFor, served.maxInputTokens);
    const isWrong = fault === 'unsupported' || (refusal !== undefined && !refusal.tooLong);
    const isRefused = fault === 'content_refused' || (isWrong && error === this.#first);
    if (isOver() || isRefused) throw failure(error);
    for (let model = this.#fallback(); model; model = this.#fallback()) {
      if (model.maxInputTokens <= this.#tooLongFor) continue;
      // Checked only now: it may have to count tokens, and the requested model nearly always answers.
      if (!this.#offers(model) || !(await canFallBackTo(model, this.#call.held))) continue;
      if (isOver()) break;
      return model;
    }
    throw failure(this.#first);
  }

  #offers(model: CatalogueModel): boolean {
    try {
      checkOffers(this.#catalogue, model, this.#call.held.input);
      return true;
    } catch {
      return false;
    }
  }

  #fallback(): CatalogueModel | undefined {
    const { model, admitted, askedAt } = this.#call.held;
    while (this.#tried < model.fallbacks.length) {
      const id = model.fallbacks[this.#tried++] ?? 0;
      const fallback = this.#catalogue.get(id);
      if (fallback && (admitted?.models?.includes(id) ?? true)) return modelAt(fallback, askedAt);
    }
    return undefined;
  }
}

/** Whether a fallback may take the request as it was made for the requested model. Otherwise it is skipped. */
function canFallBackTo(model: CatalogueModel, held: ModelCall['held']): boolean | Promise<boolean> {
  const { input, context } = held;
  if (input.kind === 'room' && input.chatDepth > 0 && !model.chatAllowed) return false;
  if (isTextSend(input) && !takesTemperature(model, input.temperature)) return false;
  return context.inputTokensMax <= model.maxInputTokens || fits(model, held);
}

/** Counts tokens as if the fallback itself had been requested, since the bytes exceed its limit. */
async function fits(
  { maxInputTokens }: CatalogueModel,
  { userId, input, context }: ModelCall['held'],
): Promise<boolean> {
  for (const texts of kindOf(input).limitedTexts(input, context)) {
    if (!(await new TokenBudget(maxInputTokens, userId).take(texts))) return false;
  }
  return true;
}

/**
 * Warns when a fallback can write less than the caller asked for, which is still better than no answer. (A cap above
 * the requested model's maximum was refused before.)
 * @returns at most one warning
 */
export function loweredCap({ maxOutputTokens: most }: CatalogueModel, input: SendInput): string[] {
  if (!isTextSend(input)) return [];
  if (input.maxOutputTokens === undefined || input.maxOutputTokens <= most) return [];
  return [`max_output_tokens was lowered to ${most}, the maximum of the fallback that answered`];
}
