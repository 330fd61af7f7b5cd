import { z } from 'zod';
import { invalidField } from '../../lib/errors.ts';
import { FormFile } from '../body/form.ts';
import { openAiImages } from '../compatible/answer-schemas.ts';
import { imageUrl } from '../compatible/attachments.ts';
import { sendEndpoint } from '../compatible/endpoints.ts';
import { formFile } from '../compatible/form-file.ts';
import { imageFields, imageView, refuseImageFields } from './images.ts';

/** The same limit as OpenAI's. */
const IMAGES_MAX = 16;

const reference = z.object({
  image_url: imageUrl.describe('An https URL, or a data: URL of an image in base64.'),
});
const maskOf = z.union([formFile, reference], 'must be a file, or {"image_url":…} in JSON');

const editBody = z.object({
  ...imageFields,
  image: z
    .union([formFile, z.array(formFile).min(1).max(IMAGES_MAX)], 'must be a file or several')
    .optional()
    .describe('In a form: one image, or several as image[].'),
  images: z
    .array(reference)
    .min(1)
    .max(IMAGES_MAX)
    .optional()
    .describe('In JSON: the addresses of the images.'),
  mask: maskOf.nullish(),
  input_fidelity: z.string().nullish(),
});

type Reference = z.output<typeof reference> | FormFile;

export const imageEdits = sendEndpoint({
  path: '/v1/images/edits',
  summary: 'Image edit',
  body: editBody,
  form: 'also',
  result: openAiImages,
  // The sandbox does not change images.
  example: {
    model: 'openai/gpt-image-1',
    prompt: 'Paint it red',
    images: [{ image_url: 'https://example.com/gate.png' }],
  },
  models: ['image'],
  refuse: refuseImageFields,
  content: ({ prompt, image, images, mask, size, quality, input_fidelity: fidelity }) => {
    const given = [image ?? images ?? []].flat();
    if (given.length === 0) throw invalidField('image', 'is required: the image to change');
    return {
      kind: 'edit',
      prompt,
      images: given.map((one, at) => toImage(one, image ? 'image' : `images.${at}.image_url`)),
      mask: mask ? toImage(mask, 'mask') : undefined,
      size: size ?? undefined,
      quality: quality ?? undefined,
      fidelity: fidelity ?? undefined,
      seed: undefined,
      refuseUnsupported: true,
    };
  },
  view: imageView,
  fields: { ai: 'model', message: 'prompt', images: 'image', fidelity: 'input_fidelity' },
});

/** @throws `invalid_request` for a file that is not an image */
function toImage(given: Reference, field: string) {
  if (given instanceof FormFile) {
    if (given.bytes.length > 0) return given;
    throw invalidField(field, 'must not be empty');
  }
  const { image_url: url } = given;
  if (!url.startsWith('data:')) return { url };
  const [, type = '', base64] = /^data:(image\/([\w.+-]+))[^,]*;base64,(.*)$/s.exec(url) ?? [];
  const [, ending = ''] = type.split('/');
  try {
    const bytes = Uint8Array.fromBase64(base64 ?? url.slice(url.indexOf(',') + 1));
    return { bytes, contentType: type, name: `image.${ending}` };
  } catch {
    throw invalidField(field, 'must be an https URL, or a data: URL of an image in base64');
  }
}
