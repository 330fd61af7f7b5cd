import { z } from 'zod';
import { readVectors } from '../shared/vectors.ts';
import { anything, label, list, readWire } from '../shared/wire.ts';
import type { EmbeddingAnswer, EmbeddingRequest } from '../spec.ts';
import type { ServerTraits } from './dialect.ts';
import { readUsage } from './usage.ts';

/** The body of `POST /embeddings`. */
export function embeddingBody(
  { model, input, tokens, dimensions, user }: EmbeddingRequest,
  { dimensionsField, knowsUser }: ServerTraits,
): Record<string, unknown> {
  return {
    model,
    input: tokens ?? input,
    encoding_format: 'float',
    [dimensionsField]: dimensions,
    user: knowsUser ? user : undefined,
  };
}

const wireEmbeddings = z.object({ model: label, usage: anything, data: list });

/**
 * @param count how many texts were sent
 * @throws ProviderError `failed` if the body does not have one vector for each text
 */
export function embeddingAnswer(body: unknown, count: number): EmbeddingAnswer {
  const answer = readWire(wireEmbeddings, body);
  const usage = readUsage(answer.usage);
  return {
    vectors: readVectors(answer.data, count, usage),
    answeringModel: answer.model ?? undefined,
    usage,
    warnings: [],
  };
}
