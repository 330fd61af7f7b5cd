import { z } from 'zod';
import type { ImageStore } from '../../images/index.ts';
import { toUnixSeconds } from '../../lib/clock.ts';
import { openAiImages } from '../compatible/answer-schemas.ts';
import { sendEndpoint } from '../compatible/endpoints.ts';
import { refuseFields } from '../compatible/request-fields.ts';
import { usageView } from './chat-answer.ts';

/** They would change the picture or the answer, and can't be honoured. */
const refusedFields = [
  'background',
  'moderation',
  'output_compression',
  'output_format',
  'partial_images',
  'stream',
  'style',
];

export const imageGenerations = sendEndpoint({
  path: '/v1/images/generations',
  summary: 'Image',
  body: z.object({
    model: z.string(),
    prompt: z.string().min(1, 'must not be empty'),
    n: z.literal(1, 'only one image a request: leave n out or send 1').nullish(),
    size: z.string().nullish(),
    quality: z.string().nullish(),
    response_format: z.enum(['url', 'b64_json']).nullish(),
    seed: z.number().nullish(),
  }),
  result: openAiImages,
  example: { model: 'sandbox/sandbox-image', prompt: 'A red dot' },
  models: ['image'],
  refuse: (given) =>
    refuseFields(given, refusedFields, (value) => value === false || value === 'auto'),
  content: ({ prompt, size, quality, seed }) => ({
    kind: 'image',
    prompt,
    size: size ?? undefined,
    quality: quality ?? undefined,
    seed: seed ?? undefined,
    refuseUnsupported: true,
  }),
  view: async (result, { body, host }, { images }) => ({
    created: toUnixSeconds(result.respondedAt),
    data: [
      body.response_format === 'b64_json'
        ? { b64_json: await base64Of(images, result.response) }
        : { url: images.urlFor(result.response, host) },
    ],
    usage: {
      ...usageView(result),
      input_tokens: result.usage.promptTokens,
      output_tokens: result.usage.completionTokens,
    },
    ...(result.warnings.length > 0 && { warnings: result.warnings }),
  }),
  fields: { ai: 'model', message: 'prompt' },
});

async function base64Of(images: ImageStore, url: string): Promise<string> {
  const bytes = await images.read(url.slice(url.lastIndexOf('/') + 1));
  if (!bytes) throw new Error(`the bytes of ${url} are gone`);
  return Buffer.from(bytes).toString('base64');
}
