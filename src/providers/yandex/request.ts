import { requestedEffort } from '../shared/reasoning-effort.ts';
import { Omissions, type Converted } from '../shared/unsupported.ts';
import type { ImageRequest, TextRequest } from '../spec.ts';
import { withNames } from './call-ids.ts';

/**
 * The URI of a model in a folder: `yandexgpt` becomes `gpt://<folder>/yandexgpt`. A name that is already a URI,
 * e.g. of a model in another folder, is not changed.
 */
export function modelUri(scheme: 'gpt' | 'emb' | 'art', folder: string, model: string): string {
  return model.includes('://') ? model : `${scheme}://${folder}/${model}`;
}

/** Yandex's own models. Others, such as gpt-oss, support reasoning efforts. */
const ownModel = /(?:^|\/)(?:yandexgpt|aliceai)/;

/**
 * The part of a request that Yandex's OpenAI-compatible API supports. According to its documentation and its own SDK:
 * temperature, output limit, tools with every choice, response format and reasoning effort.
 */
export function textRequest(
  request: TextRequest,
  folder: string,
): { request: TextRequest; warnings: string[] } {
  const omissions = new Omissions(request);
  omissions.addAll('seed', 'topP', 'stop', 'frequencyPenalty', 'presencePenalty');
  const { model, toolChoice, messages } = request;
  const reasoningEffort = requestedEffort(request);
  const isOwn = ownModel.test(model);
  const noEffort = 'This model does not support reasoning efforts.';
  if (isOwn && reasoningEffort !== 'none') {
    omissions.addIf(reasoningEffort, 'reasoningEffort', noEffort);
  }
  omissions.addAll('verbosity');
  const { maxOutputTokens, temperature, tools, responseFormat, traceparent } = request;
  return {
    request: {
      model: modelUri('gpt', folder, model),
      messages: isOwn ? withNames(messages) : messages,
      maxOutputTokens,
      temperature,
      tools,
      toolChoice,
      parallelToolCalls: request.parallelToolCalls,
      responseFormat,
      traceparent,
      reasoningEffort: isOwn ? undefined : reasoningEffort,
    },
    warnings: omissions.warnings,
  };
}

/** The body of `imageGenerationAsync`. */
export function imageBody(request: ImageRequest, folder: string): Converted<unknown> {
  const omissions = new Omissions(request);
  omissions.addAll('quality');
  const seed = omissions.seed(request.seed, isSeed, 'whole numbers above 0');
  const body = {
    modelUri: modelUri('art', folder, request.model),
    generationOptions: {
      mimeType: 'image/jpeg',
      // The API's JSON has 64-bit integers as strings.
      seed: seed === null ? undefined : String(seed),
      aspectRatio: aspectRatio(request.size, omissions),
    },
    messages: [{ text: request.prompt }],
  };
  return { body, seed, warnings: omissions.warnings };
}

/** 0 means a random seed. */
function isSeed(seed: number): boolean {
  return Number.isSafeInteger(seed) && seed > 0;
}

/** The API has aspect ratios, not sizes: `16:9`, or the ratio of `1024x768`. */
function aspectRatio(size: string | undefined, omissions: Omissions): unknown {
  if (size === undefined || size === 'auto') return undefined;
  const [, widthRatio, heightRatio] = /^([1-9]\d{0,4})[:x]([1-9]\d{0,4})$/.exec(size) ?? [];
  if (widthRatio !== undefined && heightRatio !== undefined) return { widthRatio, heightRatio };
  omissions.add('size', 'This provider only supports sizes as aspect ratios such as 16:9.');
  return undefined;
}
