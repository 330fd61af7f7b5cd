import { z } from 'zod';
import { EMBEDDING_TOKEN_MAX, EMBEDDING_VOCABULARY } from '../../chat/index.ts';
import { openAiEmbeddings } from '../compatible/answer-schemas.ts';
import { sendEndpoint } from '../compatible/endpoints.ts';
import { usageView, warningsView } from './chat-answer.ts';
import { isText, numberLists, textsOfNumbers, tokenNumbers } from './token-numbers.ts';

const INPUTS_MAX = 2048;
/** No known model makes longer vectors; most have at most 4,096 numbers. */
const DIMENSIONS_MAX = 16_384;

const texts = z.array(z.string().min(1)).min(1).max(INPUTS_MAX);

const embeddingBody = z.object({
  model: z.string(),
  // Numbers are tried first: a million numbers read as texts would have a million problems.
  input: z.union(
    [z.string().min(1), tokenNumbers, texts, z.array(tokenNumbers).min(1).max(INPUTS_MAX)],
    `must be a text, 1 to ${INPUTS_MAX} texts, or the same as token numbers of ${EMBEDDING_VOCABULARY} (0 to ${EMBEDDING_TOKEN_MAX}); none of them empty`,
  ),
  dimensions: z
    .int()
    .min(1)
    .max(DIMENSIONS_MAX)
    .nullish()
    .describe('The length of the vectors, for models that have several.'),
  encoding_format: z.enum(['float', 'base64']).nullish(),
  user: z.string().nullish(),
});

export const embeddings = sendEndpoint({
  path: '/v1/embeddings',
  summary: 'Embeddings',
  body: embeddingBody,
  result: openAiEmbeddings,
  // The sandbox makes no embeddings.
  example: { model: 'openai/text-embedding-3-small', input: 'Hello' },
  // In catalogue files older than the field, embedding models are text models.
  models: ['embedding', 'text'],
  content: async ({ input, dimensions }) => ({
    kind: 'embedding',
    ...(isText(input)
      ? { texts: [input].flat() }
      : { texts: await textsOfNumbers(input, 'input'), tokens: numberLists(input) }),
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
    ...warningsView(result),
  }),
  fields: { ai: 'model', message: 'input' },
});

/** Little-endian 32-bit floats, which OpenAI's SDKs request by default. */
function base64Of(vector: number[]): string {
  return Buffer.from(Float32Array.from(vector).buffer).toString('base64');
}
