import type { Converted } from '../shared/converted.ts';
import { malformedAnswer } from '../shared/failures.ts';
import { decodeImage } from '../shared/images.ts';
import { Omissions } from '../shared/unsupported.ts';
import { readWire } from '../shared/wire.ts';
import type { ImageRequest, Usage } from '../spec.ts';
import { takesResponseFormat } from './dialect.ts';
import { readUsage } from './usage.ts';
import { wireImage, wireImages } from './wire.ts';

/** The body of `POST /images/generations`, as far as the gateway uses it. */
export interface ImageBody {
  model: string;
  prompt: string;
  n: 1;
  size?: string | undefined;
  quality?: string | undefined;
  response_format?: 'b64_json';
}

export function imageBody(request: ImageRequest): Converted<ImageBody> {
  const { model, prompt, size, quality } = request;
  const omissions = new Omissions(request);
  omissions.addIf(request.seed, 'seed', 'This provider does not support seeds for images.');
  const body: ImageBody = { model, prompt, n: 1, size, quality };
  if (takesResponseFormat(model)) body.response_format = 'b64_json';
  return { body, seed: null, warnings: omissions.warnings };
}

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
