import type { StopSignal } from '../../lib/stop-signal.ts';
import type { Catalogue, CatalogueModel } from '../../catalogue/index.ts';
import {
  acceptedOf,
  ProviderError,
  type Attempt,
  type EmbeddingAnswer,
  type ImageAnswer,
  type ImageRequest,
  type Message,
  type ProviderPool,
  type ProviderSetup,
  type TextAnswer,
  type TextPart,
  type TextRequest,
  type Usage,
} from '../../providers/index.ts';
import { assert } from '../../lib/errors.ts';
import type { Price } from '../../lib/price.ts';
import type { FittedContext } from '../context/context.ts';
import { canFallBackTo } from './fallback.ts';
import type { SendInput } from './rules.ts';

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

export type ModelAnswer =
  | { type: 'TEXT'; served: CatalogueModel; answer: TextAnswer }
  | { type: 'IMAGE'; served: CatalogueModel; answer: ImageAnswer }
  | { type: 'EMBEDDING'; served: CatalogueModel; answer: EmbeddedAnswer };

/** Embeddings with what every answer has. */
export type EmbeddedAnswer = Omit<ImageAnswer, 'bytes' | 'contentType'> & { vectors: number[][] };

const embeddingAnswer = {
  providerMessageId: null,
  finishReason: 'stop',
  rawFinishReason: null,
  seed: null,
} as const;

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
  return withFallbacks(catalogue, providers, call, (served, setup): Promise<ModelAnswer> => {
    const { input, signal, attempts } = call;
    if (input.embedding) {
      const { input: texts, dimensions } = input.embedding;
      const request = { model: served.model, input: texts, dimensions, refuseUnsupported: true };
      return providers
        .embed(setup, request, signal, attempts)
        .then((answer) => ({ type: 'EMBEDDING', served, answer: embeddedAnswer(answer) }));
    }
    if (served.type === 'IMAGE') {
      return providers
        .generateImage(setup, imageRequest(served, input), signal, attempts)
        .then((answer) => ({ type: 'IMAGE', served, answer }));
    }
    return providers
      .generateText(setup, textRequest(served, call), signal, attempts)
      .then((answer) => ({ type: 'TEXT', served, answer }));
  });
}

/** Vectors are no tokens, so providers report no output, and none is estimated. */
function embeddedAnswer({ vectors, usage: told, warnings }: EmbeddingAnswer): EmbeddedAnswer {
  const usage = { ...told, completionTokens: told.completionTokens ?? 0 };
  return { ...embeddingAnswer, usage, warnings, vectors };
}

function imageRequest(served: CatalogueModel, input: SendInput): ImageRequest {
  const { message: prompt, seed, traceparent, image } = input;
  const refuseUnsupported = image !== undefined;
  return { model: served.model, prompt, seed, traceparent, refuseUnsupported, ...image };
}

/** Opens a stream of text from the asked model or, until the first part has come, from its fallbacks. */
export function openStream(
  catalogue: Catalogue,
  providers: ProviderPool,
  call: StreamCall,
): Promise<OpenedStream> {
  return withFallbacks(catalogue, providers, call, async (served, setup) => {
    const rest = providers.streamText(setup, textRequest(served, call), call.signal, call.attempts);
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
  work: (served: CatalogueModel, setup: ProviderSetup) => Promise<T>,
): Promise<T> {
  const { asked, signal, attempts } = call;
  let first: ProviderError | undefined;
  let begun = false;
  const models = asked.fallbacks.length > 0 ? [asked, ...fallbacksOf(catalogue, call)] : [asked];
  for (const model of models) {
    // Only now: it may have to count tokens, and nearly always the asked model answers.
    if (model !== asked && !(await canFallBackTo(model, call))) continue;
    if (first && signal.aborted) break;
    try {
      call.onAsked(model);
      const setup = catalogue.providerSetup(model.provider);
      if (!setup) {
        const lack = catalogue.lackOf(model.provider);
        throw providers.notSetUp(model.provider, model.model, attempts, lack);
      }
      return await work(model, setup);
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

function textRequest(
  served: CatalogueModel,
  { input, context, outputTokensMax }: ModelCall,
): TextRequest {
  return {
    model: served.model,
    messages: conversation(input, context),
    maxOutputTokens: Math.min(outputTokensMax, served.maxOutputTokens),
    temperature: input.temperature,
    seed: input.seed,
    traceparent: input.traceparent,
    ...input.conversation?.options,
    cachePrompt: paysForCacheWrites(served.price),
    // What a compatible interface can't honour it refuses by name; the native one warns.
    refuseUnsupported: input.conversation !== undefined,
  };
}

/** Whether what a provider writes into its cache has a price of its own, for long inputs too. */
function paysForCacheWrites(price: Price | null): boolean {
  if (price?.cacheWriteTokens === undefined) return false;
  return price.longAbove === undefined || price.longCacheWriteTokens !== undefined;
}

function conversation(input: SendInput, context: FittedContext): readonly Message[] {
  if (input.conversation) return input.conversation.messages;
  const { systemPrompt, message } = input;
  return [
    ...(systemPrompt === '' ? [] : [{ role: 'system' as const, content: systemPrompt }]),
    ...context.items.flatMap(({ request, response }): Message[] => [
      { role: 'user', content: request },
      { role: 'assistant', content: response },
    ]),
    { role: 'user', content: message },
  ];
}
