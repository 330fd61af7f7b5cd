import { malformedAnswer } from '../shared/failures.ts';
import { decodeImage } from '../shared/image-answer.ts';
import { readWire } from '../shared/wire.ts';
import type { Usage } from '../spec.ts';
import { errorInAnswer } from './errors.ts';
import { readUsage } from './usage.ts';
import { wireImage, wireImages } from './wire.ts';

/** An image as the body has it: its bytes, or its address. */
export interface ReceivedImage {
  usage: Usage;
  image: { bytes: Uint8Array } | { url: string };
}

/**
 * @param secret the API key, kept out of the details of errors
 * @throws ProviderError `failed` if the body has no image
 */
export function readImageBody(body: unknown, secret: string | undefined): ReceivedImage {
  const error = errorInAnswer(body, secret);
  if (error) throw error;
  const answer = readWire(wireImages, body);
  const usage = readUsage(answer.usage);
  const { b64_json: base64, url } = wireImage.parse(answer.data?.[0]) ?? {};
  if (base64 !== undefined) return { usage, image: { bytes: decodeImage(base64, usage) } };
  if (url !== undefined) return { usage, image: { url } };
  throw malformedAnswer('it has no image', { usage });
}
