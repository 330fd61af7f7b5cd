import { LeftOut } from '../shared/unsupported.ts';
import type { ImageRequest } from '../spec.ts';
import { modelUri } from './model-uri.ts';

export interface AskedImage {
  body: unknown;
  /** The seed that was sent. */
  seed: number | null;
  warnings: string[];
}

/** The body of `imageGenerationAsync`. */
export function imageBody(request: ImageRequest, folder: string): AskedImage {
  const leftOut = new LeftOut(request);
  leftOut.addIf(request.quality, 'quality', 'This provider knows no degrees of quality.');
  const seed = leftOut.seed(request.seed, isSeed, 'whole numbers above 0');
  const generationOptions = {
    mimeType: 'image/jpeg',
    // 64-bit integers stand in JSON as text.
    seed: seed === null ? undefined : String(seed),
    aspectRatio: aspectRatio(request.size, leftOut),
  };
  const messages = [{ text: request.prompt }];
  const uri = modelUri('art', folder, request.model);
  return { body: { modelUri: uri, generationOptions, messages }, seed, warnings: leftOut.warnings };
}

/** For the API 0 means a random one. */
function isSeed(seed: number): boolean {
  return Number.isSafeInteger(seed) && seed > 0;
}

/** The API knows shapes, not sizes: `16:9`, or the shape of `1024x768`. */
function aspectRatio(size: string | undefined, leftOut: LeftOut): unknown {
  if (size === undefined || size === 'auto') return undefined;
  const [, width, height] = /^([1-9]\d{0,4})[:x]([1-9]\d{0,4})$/.exec(size) ?? [];
  if (width !== undefined && height !== undefined) {
    return { widthRatio: width, heightRatio: height };
  }
  leftOut.add('size', 'This provider takes the size as a shape such as 16:9 only.');
  return undefined;
}
