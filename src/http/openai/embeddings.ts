import { z } from 'zod';
import { wholeAnswer } from '../compatible/answers.ts';
import { askedModel } from '../compatible/asked-model.ts';
import { roomOf, type CompatibleCall } from '../compatible/caller.ts';
import { versionNames } from '../compatible/model-names.ts';
import type { CompatibleParts } from '../compatible/parts.ts';
import { idempotencyKey } from '../idempotency-key.ts';
import { parseBody } from '../operation.ts';
import { traceparentOf } from '../traceparent.ts';
import { usageView } from './chat-answer.ts';

const INPUTS_MAX = 2048;

export const embeddingBody = z.object({
  model: z.string(),
  input: z.union(
    [z.string().min(1), z.array(z.string().min(1)).min(1).max(INPUTS_MAX)],
    `must be a text or 1 to ${INPUTS_MAX} texts, none of them empty; token numbers are not supported`,
  ),
  dimensions: z.int().min(1).nullish(),
  encoding_format: z.enum(['float', 'base64']).nullish(),
  user: z.string().nullish(),
});

const embeddingModel = {
  type: 'TEXT',
  otherwise: 'makes images: choose an embedding model',
} as const;

/** `POST /v1/embeddings` */
export async function embeddings(parts: CompatibleParts, call: CompatibleCall): Promise<Response> {
  const body = parseBody(embeddingBody, call.body) as z.output<typeof embeddingBody>;
  const { userId } = call.caller;
  const key = idempotencyKey('v1/embeddings', call.request, call.bytes);
  const model = askedModel(await parts.modelsForUser(userId), body.model, embeddingModel, key);
  const input = {
    kind: 'embedding' as const,
    roomId: await roomOf(parts.rooms, call),
    ai: model.id,
    texts: typeof body.input === 'string' ? [body.input] : body.input,
    dimensions: body.dimensions ?? undefined,
    traceparent: traceparentOf(call.request),
  };
  const asBase64 = body.encoding_format === 'base64';
  return wholeAnswer(parts, call, { input, key }, async (result) => ({
    object: 'list',
    data: (result.vectors ?? []).map((vector, index) => ({
      object: 'embedding',
      index,
      embedding: asBase64 ? base64Of(vector) : vector,
    })),
    model: await versionNames(parts.catalogue)(result.versionId),
    usage: usageView(result),
  }));
}

/** Little-endian 32-bit floats, which OpenAI's SDKs ask for by themselves. */
function base64Of(vector: number[]): string {
  return Buffer.from(Float32Array.from(vector).buffer).toString('base64');
}
