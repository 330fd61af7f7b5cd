import { z } from 'zod';
import type { SendResult } from '../../chat/index.ts';
import { toUnixSeconds } from '../../lib/clock.ts';
import { openAiImages } from '../compatible/answer-schemas.ts';
import { sendEndpoint } from '../compatible/endpoints.ts';
import { refuseFields } from '../compatible/request-fields.ts';
import type { OperationParts } from '../operation-parts.ts';
import { usageView, warningsView } from './chat-answer.ts';

/** Fields that would change the picture or the answer but are not supported by the gateway. */
const refusedFields = [
  'background',
  'moderation',
  'output_compression',
  'output_format',
  'partial_images',
  'stream',
  'style',
];

/** Fields that generations and edits share. */
export const imageFields = {
  model: z.string(),
  prompt: z.string().min(1, 'must not be empty'),
  n: z.literal(1, 'only one image a request: leave n out or send 1').nullish(),
  size: z.string().nullish(),
  quality: z.string().nullish(),
  response_format: z.enum(['url', 'b64_json']).nullish(),
};

type ImageBody = z.output<z.ZodObject<typeof imageFields>>;

/** @throws `invalid_request` that names the field */
export function refuseImageFields(given: Record<string, unknown>): void {
  refuseFields(given, refusedFields, (value) => value === false || value === 'auto');
}

export async function imageView(
  result: SendResult,
  { body, host }: { body: ImageBody; host: string | null },
  { images }: Pick<OperationParts, 'images'>,
): Promise<object> {
  const inBase64 = body.response_format === 'b64_json';
  const bytes = inBase64 ? await images.bytesAt(result.response) : undefined;
  return {
    created: toUnixSeconds(result.respondedAt),
    data: [
      bytes
        ? { b64_json: Buffer.from(bytes).toString('base64') }
        : { url: images.urlFor(result.response, host) },
    ],
    usage: {
      ...usageView(result),
      input_tokens: result.usage.promptTokens,
      output_tokens: result.usage.completionTokens,
    },
    ...warningsView(result),
  };
}

export const imageGenerations = sendEndpoint({
  path: '/v1/images/generations',
  summary: 'Image',
  body: z.object({ ...imageFields, seed: z.number().nullish() }),
  result: openAiImages,
  example: { model: 'sandbox/sandbox-image', prompt: 'A red dot' },
  models: ['image'],
  refuse: refuseImageFields,
  content: ({ prompt, size, quality, seed }) => ({
    kind: 'image',
    prompt,
    size: size ?? undefined,
    quality: quality ?? undefined,
    seed: seed ?? undefined,
    refuseUnsupported: true,
  }),
  view: imageView,
  fields: { ai: 'model', message: 'prompt' },
});
