import type { Catalogue, CatalogueModel } from '../catalogue/index.ts';
import {
  ProviderError,
  type ImageAnswer,
  type ProviderPool,
  type TextAnswer,
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

/**
 * Calls the asked model and, when it fails before a word of an answer, its fallbacks in their order.
 * Refused content is refused: it is not carried from provider to provider.
 * @throws ProviderError the first model's failure, which says most about what was asked
 */
export async function callModels(
  catalogue: Catalogue,
  providers: ProviderPool,
  call: ModelCall,
): Promise<ModelAnswer> {
  const fallbacks = call.asked.fallbacks
    .map((id) => catalogue.get(id))
    .filter((model) => model !== undefined)
    .filter((model) => canFallBackTo(model, call.input, call.context.inputTokensMax));
  let first: unknown;
  for (const model of [call.asked, ...fallbacks]) {
    try {
      return await callModel(catalogue, providers, model, call);
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      first ??= error;
      if (call.signal.aborted || error.fault === 'content_refused') throw error;
    }
  }
  throw first;
}

async function callModel(
  catalogue: Catalogue,
  providers: ProviderPool,
  served: CatalogueModel,
  { input, context, outputTokensMax, signal }: ModelCall,
): Promise<ModelAnswer> {
  const setup = catalogue.providerSetup(served.provider);
  if (!setup) {
    const message = `provider ${served.provider} is not set up on this server`;
    throw new ProviderError('unreachable', message, { accepted: false });
  }
  const { model } = served;
  if (served.type === 'IMAGE') {
    const request = { model, prompt: input.message, seed: input.seed };
    return {
      type: 'IMAGE',
      served,
      answer: await providers.generateImage(setup, request, signal),
    };
  }
  const request = {
    model,
    systemPrompt: input.systemPrompt,
    context: context.items,
    message: input.message,
    maxOutputTokens: Math.min(outputTokensMax, served.maxOutputTokens),
    temperature: input.temperature,
    seed: input.seed,
  };
  return { type: 'TEXT', served, answer: await providers.generateText(setup, request, signal) };
}
