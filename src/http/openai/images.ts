import { z } from 'zod';
import type { ImageStore } from '../../images/index.ts';
import { toUnixSeconds } from '../../lib/clock.ts';
import { invalidField } from '../../lib/errors.ts';
import { wholeAnswer } from '../compatible/answers.ts';
import { askedModel } from '../compatible/asked-model.ts';
import { roomOf, type CompatibleCall } from '../compatible/caller.ts';
import type { CompatibleParts } from '../compatible/parts.ts';
import { idempotencyKey } from '../idempotency-key.ts';
import { parseBody } from '../operation.ts';
import { traceparentOf } from '../traceparent.ts';
import { usageView } from './chat-answer.ts';

export const imageBody = z.object({
  model: z.string(),
  prompt: z.string().min(1, 'must not be empty'),
  n: z.literal(1, 'only one image a request: leave n out or send 1').nullish(),
  size: z.string().nullish(),
  quality: z.string().nullish(),
  response_format: z.enum(['url', 'b64_json']).nullish(),
  seed: z.number().nullish(),
});

/** What can't be honoured and would give another picture, or another answer. */
const refusedFields = [
  'background',
  'moderation',
  'output_compression',
  'output_format',
  'partial_images',
  'stream',
  'style',
];

/** @throws `invalid_request` naming the field */
function refuseUnsupported(body: Record<string, unknown>): void {
  for (const field of refusedFields) {
    const value = body[field];
    if (value != null && value !== false && value !== 'auto') {
      throw invalidField(field, 'is not supported here: leave it out');
    }
  }
}

const imageModel = {
  type: 'IMAGE',
  otherwise: 'makes no images: choose an image model',
} as const;

/** `POST /v1/images/generations` */
export async function imageGenerations(
  parts: CompatibleParts,
  call: CompatibleCall,
): Promise<Response> {
  refuseUnsupported(call.body);
  const body = parseBody(imageBody, call.body) as z.output<typeof imageBody>;
  const { userId } = call.caller;
  const key = idempotencyKey('v1/images/generations', call.request, call.bytes);
  const model = askedModel(await parts.modelsForUser(userId), body.model, imageModel, key);
  const input = {
    kind: 'image' as const,
    roomId: await roomOf(parts.rooms, call),
    ai: model.id,
    prompt: body.prompt,
    size: body.size ?? undefined,
    quality: body.quality ?? undefined,
    seed: body.seed ?? undefined,
    traceparent: traceparentOf(call.request),
    refuseUnsupported: true,
  };
  const wantsBytes = body.response_format === 'b64_json';
  return wholeAnswer(parts, call, { input, key }, async (result) => ({
    created: toUnixSeconds(result.respondedAt),
    data: [
      wantsBytes
        ? { b64_json: await base64Of(parts.images, result.response) }
        : { url: result.response },
    ],
    usage: {
      ...usageView(result),
      input_tokens: result.usage.promptTokens,
      output_tokens: result.usage.completionTokens,
    },
    ...(result.warnings.length > 0 && { warnings: result.warnings }),
  }));
}

async function base64Of(images: ImageStore, url: string): Promise<string> {
  const bytes = await images.read(url.slice(url.lastIndexOf('/') + 1));
  if (!bytes) throw new Error(`the bytes of ${url} are gone`);
  return Buffer.from(bytes).toString('base64');
}
