import { z } from 'zod';
import { malformedAnswer } from '../shared/failures.ts';
import { formOf } from '../shared/files.ts';
import { decodeImage } from '../shared/images.ts';
import { Omissions } from '../shared/unsupported.ts';
import { anything, list, readWire, section, text, type JsonRecord } from '../shared/wire.ts';
import type { ImageEditRequest, ImageRequest, SentFile } from '../spec.ts';
import { readUsage } from './usage.ts';

/** The body of `POST /images/generations`, as far as the gateway uses it. */
export function imageBody(request: ImageRequest) {
  const { model, prompt, size, quality } = request;
  const omissions = new Omissions(request);
  omissions.addIf(request.seed, 'seed', 'This provider does not support seeds for images.');
  // GPT image models always answer in base64 and refuse the field; others need it.
  const isGptImage = model.toLowerCase().includes('gpt-image');
  const format = isGptImage ? undefined : 'b64_json';
  const body: JsonRecord = { model, prompt, n: 1, size, quality, response_format: format };
  return { body, seed: null, warnings: omissions.warnings };
}

/** The form of `POST /images/edits`. */
export function editForm(
  request: ImageEditRequest,
  { images, mask }: { images: readonly SentFile[]; mask: SentFile | undefined },
) {
  const { body, ...sent } = imageBody(request);
  // Compatible servers know a single image by the older name.
  const name = images.length > 1 ? 'image[]' : 'image';
  const files = images.map((image) => [name, image] as const);
  const form = formOf({ ...body, input_fidelity: request.fidelity }, [
    ...files,
    ...(mask ? [['mask', mask] as const] : []),
  ]);
  return { form, ...sent };
}

const wireImages = z.object({ usage: anything, data: list });
const wireImage = section({ b64_json: text, url: text });

/** The bytes of an image, or its address. @throws ProviderError `failed` if the body has no image */
export function readImageBody(body: unknown) {
  const answer = readWire(wireImages, body);
  const usage = readUsage(answer.usage);
  const { b64_json: base64, url } = wireImage.parse(answer.data?.[0]) ?? {};
  if (base64 !== undefined) return { usage, image: { bytes: decodeImage(base64, usage) } };
  if (url !== undefined) return { usage, image: { url } };
  throw malformedAnswer('it has no image', { usage });
}
