import type { Catalogue, CatalogueModel } from '../catalogue/index.ts';
import {
  ProviderError,
  type ImageAnswer,
  type ProviderPool,
  type ProviderSetup,
  type TextAnswer,
  type TextPart,
  type TextRequest,
} from '../providers/index.ts';
import type { FittedContext } from './context.ts';
import { canFallBackTo, type SendInput } from './send-rules.ts';

export interface ModelCall {
  asked: CatalogueModel;
  input: SendInput;
  context: FittedContext;
  outputTokensMax: number;
  signal: AbortSignal;
}

export type ModelAnswer =
  | { type: 'TEXT'; served: CatalogueModel; answer: TextAnswer }
  | { type: 'IMAGE'; served: CatalogueModel; answer: ImageAnswer };

/** A stream whose first part has come: from here on there is no falling back. */
export interface OpenedStream {
  served: CatalogueModel;
  first: TextPart;
  rest: AsyncGenerator<TextPart>;
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
  return withFallbacks(catalogue, call, async (served, setup) => {
    const { signal } = call;
    if (served.type === 'IMAGE') {
      const { message: prompt, seed, traceparent } = call.input;
      const request = { model: served.model, prompt, seed, traceparent };
      const answer = await providers.generateImage(setup, request, signal);
      return { type: 'IMAGE', served, answer };
    }
    const answer = await providers.generateText(setup, textRequest(served, call), signal);
    return { type: 'TEXT', served, answer };
  });
}

/** Opens a stream of text from the asked model or, until the first part has come, from its fallbacks. */
export function openStream(
  catalogue: Catalogue,
  providers: ProviderPool,
  call: ModelCall,
): Promise<OpenedStream> {
  return withFallbacks(catalogue, call, async (served, setup) => {
    const rest = providers.streamText(setup, textRequest(served, call), call.signal);
    const { done, value } = await rest.next();
    if (!done) return { served, first: value, rest };
    throw new ProviderError('failed', 'the provider sent an empty stream', { accepted: true });
  });
}

/** Refused content is refused: it is not carried from provider to provider. */
async function withFallbacks<T>(
  catalogue: Catalogue,
  { asked, input, context, signal }: ModelCall,
  work: (served: CatalogueModel, setup: ProviderSetup) => Promise<T>,
): Promise<T> {
  const fallbacks = asked.fallbacks
    .map((id) => catalogue.get(id))
    .filter((model) => model !== undefined)
    .filter((model) => canFallBackTo(model, input, context.inputTokensMax));
  let first: ProviderError | undefined;
  let begun = false;
  for (const model of [asked, ...fallbacks]) {
    try {
      return await work(model, setupOf(catalogue, model));
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      first ??= error;
      begun ||= error.accepted;
      if (signal.aborted || error.fault === 'content_refused') throw error;
    }
  }
  throw begun && first ? acceptedOf(first) : first;
}

/** The same failure of a call that must not be repeated, since a fallback had begun work on it. */
function acceptedOf(error: ProviderError): ProviderError {
  const { fault, message, status, retryAfterSeconds, usage, detail, cause } = error;
  const told = { status, retryAfterSeconds, usage, detail, cause };
  return new ProviderError(fault, message, { accepted: true, ...told });
}

function setupOf(catalogue: Catalogue, { provider }: CatalogueModel): ProviderSetup {
  const setup = catalogue.providerSetup(provider);
  if (setup) return setup;
  const message = `provider ${provider} is not set up on this server`;
  throw new ProviderError('unreachable', message, { accepted: false });
}

function textRequest(
  served: CatalogueModel,
  { input, context, outputTokensMax }: ModelCall,
): TextRequest {
  return {
    model: served.model,
    systemPrompt: input.systemPrompt,
    context: context.items,
    message: input.message,
    maxOutputTokens: Math.min(outputTokensMax, served.maxOutputTokens),
    temperature: input.temperature,
    seed: input.seed,
    traceparent: input.traceparent,
  };
}
