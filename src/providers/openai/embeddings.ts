import { z } from 'zod';
import { readVectors } from '../shared/vectors.ts';
import { anything, list, readWire } from '../shared/wire.ts';
import type { EmbeddingAnswer, EmbeddingRequest } from '../spec.ts';
import { readUsage } from './usage.ts';

/** The body of `POST /embeddings`. */
export function embeddingBody(request: EmbeddingRequest): Record<string, unknown> {
  const { model, input, dimensions, user } = request;
  return { model, input, encoding_format: 'float', dimensions, user };
}

const wireEmbeddings = z.object({ usage: anything, data: list });

/**
 * @param count how many texts were sent
 * @throws ProviderError `failed` if the body does not have one vector for each text
 */
export function embeddingAnswer(body: unknown, count: number): EmbeddingAnswer {
  const answer = readWire(wireEmbeddings, body);
  const usage = readUsage(answer.usage);
  return { vectors: readVectors(answer.data, count, usage), usage, warnings: [] };
}
