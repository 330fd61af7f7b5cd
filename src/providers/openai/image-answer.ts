import { malformedAnswer } from '../shared/failures.ts';
import { decodeImage } from '../shared/image-answer.ts';
import { readWire } from '../shared/wire.ts';
import type { Usage } from '../spec.ts';
import { readUsage } from './usage.ts';
import { wireImage, wireImages } from './wire.ts';

/** An image as the body has it: its bytes, or its address. */
export interface ReceivedImage {
  usage: Usage;
  image: { bytes: Uint8Array } | { url: string };
}

/** @throws ProviderError `failed` if the body has no image */
export function readImageBody(body: unknown): ReceivedImage {
  const answer = readWire(wireImages, body);
  const usage = readUsage(answer.usage);
  const { b64_json: base64, url } = wireImage.parse(answer.data?.[0]) ?? {};
  if (base64 !== undefined) return { usage, image: { bytes: decodeImage(base64, usage) } };
  if (url !== undefined) return { usage, image: { url } };
  throw malformedAnswer('it has no image', { usage });
}
