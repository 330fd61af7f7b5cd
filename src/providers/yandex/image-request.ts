import type { Converted } from '../shared/converted.ts';
import { Omissions } from '../shared/unsupported.ts';
import type { ImageRequest } from '../spec.ts';
import { modelUri } from './model-uri.ts';

/** The body of `imageGenerationAsync`. */
export function imageBody(request: ImageRequest, folder: string): Converted<unknown> {
  const omissions = new Omissions(request);
  omissions.addIf(request.quality, 'quality', 'This provider does not support quality levels.');
  const seed = omissions.seed(request.seed, isSeed, 'whole numbers above 0');
  const generationOptions = {
    mimeType: 'image/jpeg',
    // The API's JSON has 64-bit integers as strings.
    seed: seed === null ? undefined : String(seed),
    aspectRatio: aspectRatio(request.size, omissions),
  };
  const messages = [{ text: request.prompt }];
  const uri = modelUri('art', folder, request.model);
  return {
    body: { modelUri: uri, generationOptions, messages },
    seed,
    warnings: omissions.warnings,
  };
}

/** 0 means a random seed. */
function isSeed(seed: number): boolean {
  return Number.isSafeInteger(seed) && seed > 0;
}

/** The API has aspect ratios, not sizes: `16:9`, or the ratio of `1024x768`. */
function aspectRatio(size: string | undefined, omissions: Omissions): unknown {
  if (size === undefined || size === 'auto') return undefined;
  const [, width, height] = /^([1-9]\d{0,4})[:x]([1-9]\d{0,4})$/.exec(size) ?? [];
  if (width !== undefined && height !== undefined) {
    return { widthRatio: width, heightRatio: height };
  }
  omissions.add('size', 'This provider only supports sizes as aspect ratios such as 16:9.');
  return undefined;
}
