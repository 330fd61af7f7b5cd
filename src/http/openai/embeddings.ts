import { z } from 'zod';
import { openAiEmbeddings } from '../compatible/answer-schemas.ts';
import { sendEndpoint } from '../compatible/endpoints.ts';
import { usageView } from './chat-answer.ts';

const INPUTS_MAX = 2048;

export const embeddings = sendEndpoint({
  path: '/v1/embeddings',
  summary: 'Embeddings',
  body: z.object({
    model: z.string(),
    input: z.union(
      [z.string().min(1), z.array(z.string().min(1)).min(1).max(INPUTS_MAX)],
      `must be a text or 1 to ${INPUTS_MAX} texts, none of them empty; token numbers are not supported`,
    ),
    dimensions: z.int().min(1).nullish(),
    encoding_format: z.enum(['float', 'base64']).nullish(),
    user: z.string().nullish(),
  }),
  result: openAiEmbeddings,
  // The sandbox makes no embeddings.
  example: { model: 'openai/text-embedding-3-small', input: 'Hello' },
  models: { type: 'TEXT', otherwise: 'makes images: choose an embedding model' },
  content: ({ input, dimensions }) => ({
    kind: 'embedding',
    texts: typeof input === 'string' ? [input] : input,
    dimensions: dimensions ?? undefined,
  }),
  view: (result, { body, model }) => ({
    object: 'list',
    data: (result.vectors ?? []).map((vector, index) => ({
      object: 'embedding',
      index,
      embedding: body.encoding_format === 'base64' ? base64Of(vector) : vector,
    })),
    model,
    usage: usageView(result),
  }),
  fields: { ai: 'model', message: 'input' },
});

/** Little-endian 32-bit floats, which OpenAI's SDKs request by default. */
function base64Of(vector: number[]): string {
  return Buffer.from(Float32Array.from(vector).buffer).toString('base64');
}
