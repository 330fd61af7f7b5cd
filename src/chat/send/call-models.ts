import type { StopSignal } from '../../lib/stop-signal.ts';
import type { Catalogue, CatalogueModel } from '../../catalogue/index.ts';
import {
  acceptedOf,
  ProviderError,
  type Attempt,
  type ProviderPool,
  type TextPart,
  type Usage,
} from '../../providers/index.ts';
import { assert } from '../../lib/errors.ts';
import { TokenBudget, type FittedContext } from '../context/context.ts';
import type { Generated, ModelTurn } from './kinds/kind.ts';
import { kindOf, takesTemperature, type SendInput } from './send-input.ts';

export interface ModelCall {
  asked: CatalogueModel;
  /** The only models that the caller may use, by id; null: all. */
  allowed: readonly number[] | null;
  input: SendInput;
  context: FittedContext;
  outputTokensMax: number;
  signal: StopSignal;
  /** Gets every call to a provider, of all models. */
  attempts: Attempt[];
  /** Called with each model before it is asked. */
  onAsked: (model: CatalogueModel) => void;
}

export interface StreamCall extends ModelCall {
  /** Called with the usage that the provider reports before the first word. */
  onUsage: (usage: Usage) => void;
}

/** An answer, and the model that gave it. */
export type ModelAnswer = Generated & { served: CatalogueModel };

/** A stream whose first parts have come: from here on there is no falling back. */
export interface OpenedStream {
  first: readonly TextPart[];
  rest: AsyncGenerator<readonly TextPart[]>;
}

/**
 * Calls the asked model and, when it fails before a word of an answer, its fallbacks in their order.
 * @throws ProviderError the first model's failure, which says most about what was asked; `accepted` if
 *   any of them may have begun work
 */
export function callModels(
  catalogue: Catalogue,
  providers: ProviderPool,
  call: ModelCall,
): Promise<ModelAnswer> {
  return withFallbacks(catalogue, providers, call, async (turn) => {
    const generated = await kindOf(call.input).generate(providers, turn);
    return Object.assign(generated, { served: turn.model });
  });
}

/** Opens a stream of text from the asked model or, until the first part has come, from its fallbacks. */
export function openStream(
  catalogue: Catalogue,
  providers: ProviderPool,
  call: StreamCall,
): Promise<OpenedStream> {
  return withFallbacks(catalogue, providers, call, async (turn) => {
    const request = kindOf(call.input).textRequest?.(turn);
    assert(request, 'only a text is streamed');
    const rest = providers.streamText(turn.setup, request, call.signal, call.attempts);
    for (;;) {
      const { done, value } = await rest.next();
      if (done) {
        throw new ProviderError('failed', 'the provider sent an empty stream', { accepted: true });
      }
      // What it counted of the request is no word of an answer yet.
      if (value.some(({ type }) => type !== 'usage')) return { first: value, rest };
      for (const part of value) if (part.type === 'usage') call.onUsage(part.usage);
    }
  });
}

/**
 * Content that one provider refused is not sent to others. Nor is a request that the asked model does not support: the
 * caller has to change it.
 */
async function withFallbacks<T>(
  catalogue: Catalogue,
  providers: ProviderPool,
  call: ModelCall,
  work: (turn: ModelTurn<SendInput>) => Promise<T>,
): Promise<T> {
  const { asked, signal, attempts, input, context, outputTokensMax } = call;
  let first: ProviderError | undefined;
  let begun = false;
  const models = asked.fallbacks.length > 0 ? [asked, ...fallbacksOf(catalogue, call)] : [asked];
  for (const model of models) {
    // Only now: it may have to count tokens, and nearly always the asked model answers.
    if (model !== asked && !(await canFallBackTo(model, input, context))) continue;
    if (first && signal.aborted) break;
    try {
      call.onAsked(model);
      const setup = catalogue.providerSetup(model.provider);
      if (!setup) {
        const lack = catalogue.lackOf(model.provider);
        throw providers.notSetUp(model.provider, model.model, attempts, lack);
      }
      return await work({ input, context, outputTokensMax, model, setup, signal, attempts });
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      first ??= error;
      begun ||= error.accepted;
      const isUnsupported = error.fault === 'unsupported' && error === first;
      if (signal.aborted || error.fault === 'content_refused' || isUnsupported) {
        throw begun ? acceptedOf(error) : error;
      }
    }
  }
  assert(first, 'a send calls at least one model');
  throw begun ? acceptedOf(first) : first;
}

function fallbacksOf(catalogue: Catalogue, { asked, allowed }: ModelCall): CatalogueModel[] {
  return asked.fallbacks
    .map((id) => catalogue.get(id))
    .filter((model) => model !== undefined)
    .filter(({ id }) => allowed?.includes(id) ?? true);
}

/** Whether a fallback may take the request as it was made for the requested model. Otherwise it is passed over. */
function canFallBackTo(
  model: CatalogueModel,
  input: SendInput,
  context: FittedContext,
): boolean | Promise<boolean> {
  if (input.kind === 'room' && input.chatDepth > 0 && !model.chatAllowed) return false;
  const isText = input.kind === 'room' || input.kind === 'conversation';
  if (isText && !takesTemperature(model, input.temperature)) return false;
  return context.inputTokensMax <= model.maxInputTokens || fits(model, input, context);
}

/** Counts tokens, as if the fallback itself had been requested; the bytes are too many. */
async function fits(
  { maxInputTokens }: CatalogueModel,
  input: SendInput,
  context: FittedContext,
): Promise<boolean> {
  for (const texts of kindOf(input).limitedTexts(input, context)) {
    if (!(await new TokenBudget(maxInputTokens).take(texts))) return false;
  }
  return true;
}

/**
 * Warns when a fallback can write less than the caller asked for, which is still better than no answer. (A cap above
 * the requested model's maximum was refused before.)
 * @returns a warning, or none
 */
export function loweredCap({ maxOutputTokens: most }: CatalogueModel, input: SendInput): string[] {
  if (input.kind !== 'room' && input.kind !== 'conversation') return [];
  if (input.maxOutputTokens === undefined || input.maxOutputTokens <= most) return [];
  return [`max_output_tokens was lowered to ${most}, the maximum of the fallback that answered`];
}
