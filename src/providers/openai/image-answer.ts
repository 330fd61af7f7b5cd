import { incomprehensible } from '../shared/failures.ts';
import { imageType } from '../shared/image-type.ts';
import { asArray, asRecord } from '../shared/json.ts';
import type { ImageAnswer, Usage } from '../spec.ts';
import { errorInAnswer } from './errors.ts';
import type { Converted } from './request.ts';
import { readUsage } from './usage.ts';

/** An image as the body carries it: itself, or where it lies. */
export interface ToldImage {
  usage: Usage;
  image: { bytes: Uint8Array } | { url: string };
}

/**
 * @param secret the key, to be kept out of what is told of an error
 * @throws ProviderError `failed` when the body is not what the dialect says
 */
export function readImageBody(body: unknown, secret: string | undefined): ToldImage {
  const answer = asRecord(body);
  if (!answer) throw incomprehensible('it is no object');
  const error = errorInAnswer(answer, secret);
  if (error) throw error;
  const usage = readUsage(answer['usage']);
  const first = asRecord(asArray(answer['data'])?.[0]);
  const base64 = first?.['b64_json'];
  const url = first?.['url'];
  if (typeof base64 === 'string') return { usage, image: { bytes: decode(base64, usage) } };
  if (typeof url === 'string') return { usage, image: { url } };
  throw incomprehensible('it has no image', { usage });
}

/** @throws ProviderError `failed` when the bytes are no image of a known format */
export function imageAnswer(
  bytes: Uint8Array,
  usage: Usage,
  asked: Pick<Converted<unknown>, 'seed' | 'warnings'>,
): ImageAnswer {
  const contentType = imageType(bytes);
  if (contentType === undefined) {
    throw incomprehensible('it is no PNG, JPEG, WebP or GIF image', { usage });
  }
  return {
    bytes,
    contentType,
    providerMessageId: null,
    usage,
    finishReason: 'stop',
    rawFinishReason: null,
    seed: asked.seed,
    warnings: asked.warnings,
  };
}

function decode(base64: string, usage: Usage): Uint8Array {
  try {
    return Uint8Array.fromBase64(base64);
  } catch {
    throw incomprehensible('its image is not base64', { usage });
  }
}
