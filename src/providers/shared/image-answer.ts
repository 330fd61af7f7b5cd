import type { ImageAnswer, Usage } from '../spec.ts';
import { malformedAnswer } from './failures.ts';
import { imageType } from './image-type.ts';

/** What is told of an image besides its bytes. */
export interface ImageFacts {
  usage: Usage;
  seed: number | null;
  warnings: string[];
  providerMessageId?: string | null;
}

/** @throws ProviderError `failed` when the bytes are no image of a known format */
export function imageAnswer(bytes: Uint8Array, facts: ImageFacts): ImageAnswer {
  const { usage, seed, warnings, providerMessageId = null } = facts;
  const contentType = imageType(bytes);
  if (contentType === undefined) {
    throw malformedAnswer('it is no PNG, JPEG, WebP or GIF image', { usage });
  }
  return {
    bytes,
    contentType,
    providerMessageId,
    usage,
    finishReason: 'stop',
    seed,
    warnings,
  };
}

/** @throws ProviderError `failed` with the told usage when the text is not base64 */
export function decodeImage(base64: string, usage: Usage): Uint8Array {
  try {
    return Uint8Array.fromBase64(base64);
  } catch {
    throw malformedAnswer('its image is not base64', { usage });
  }
}
