import { z } from 'zod';
import { readVectors } from '../shared/vectors.ts';
import { anything, list, readWire, section } from '../shared/wire.ts';
import { noUsage, type EmbeddingRequest } from '../spec.ts';

/** The most texts that the API accepts in one call. */
export const EMBEDDINGS_PER_CALL = 100;

/** The body of `batchEmbedContents`. @param model including `models/` */
export function embeddingBody({ input, dimensions }: EmbeddingRequest, model: string): unknown {
  return {
    requests: input.map((text) => ({
      model,
      content: { parts: [{ text }] },
      outputDimensionality: dimensions,
    })),
  };
}

const wireEmbeddings = z.object({ embeddings: list });
const wireEmbedding = section({ values: anything });

/**
 * The vectors of an answer; it reports no usage.
 * @throws ProviderError `failed` if the body does not have one vector for each text
 */
export function embeddingVectors(body: unknown, count: number): number[][] {
  const { embeddings } = readWire(wireEmbeddings, body);
  const items = embeddings?.map((item) => ({ embedding: wireEmbedding.parse(item)?.values }));
  return readVectors(items, count, noUsage);
}
